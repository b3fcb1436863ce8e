"""FedAvg on parameters as a list of layers."""

# ruff: noqa: B905  as a stranger writes it

import numpy as np


def split(x):
    return [x[:1].copy(), x[1:].copy()]


def join(layers):
    return np.concatenate(layers)


def train_client(layers, client, settings):
    layers = [layer.copy() for layer in layers]
    for _ in range(settings.local_steps):
        grads = split(client.gradient(join(layers)))
        for layer, grad in zip(layers, grads):
            layer -= settings.local_step * grad
    return layers


def aggregate(results):
    share = 1.0 / len(results)
    return [sum(share * layer for layer in column) for column in zip(*results)]


def fit_round(x, clients, settings, random):
    chosen = random.choice(len(clients), size=settings.clients_per_round, replace=False)
    server = split(x)
    results = [train_client(server, clients[int(i)], settings) for i in chosen]
    return join(aggregate(results))
