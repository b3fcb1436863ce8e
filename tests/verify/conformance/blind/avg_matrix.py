"""FedAvg: all clients train, a selection matrix picks those that count (simulation on one device)."""

import numpy as np


def local_models(x, clients, settings):
    X = np.array([x] * len(clients))
    for _ in range(settings.local_steps):
        X = X - settings.local_step * clients.gradients(X)
    return X


def selection(n, r, random):
    keys = random.random(n)
    P = np.zeros((r, n))
    P[np.arange(r), np.argsort(keys)[:r]] = 1.0
    return P


def fed(x, clients, settings, random):
    X = local_models(x, clients, settings)
    P = selection(len(clients), settings.clients_per_round, random)
    return (P @ X).mean(axis=0)
