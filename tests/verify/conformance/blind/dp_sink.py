"""DP-FedAvg with generators: clients yield messages, a sink that is sent to adds them up."""

from itertools import islice

import numpy as np


def descent(w, client, eta):
    while True:
        w = w - eta * client.gradient(w)
        yield w


def messages(w, clients, s, rng):
    for i in rng.permutation(len(clients)):
        if rng.uniform() > s.clients_per_round / len(clients):
            continue
        *_, last = islice(descent(w, clients[int(i)], s.local_step), s.local_steps)
        u = (w - last) / s.local_step
        size = np.sqrt(u @ u)
        if size > s.clip_threshold:
            u *= s.clip_threshold / size
        yield u


def sink(d):
    total, count = np.zeros(d), 0
    while True:
        message = yield total, count
        total, count = total + message, count + 1


def round_(x, clients, settings, random):
    box = sink(len(x))
    total, count = next(box)
    for message in messages(x, clients, settings, random):
        total, count = box.send(message)
    noise = random.normal(0.0, settings.noise_scale, (count, len(x))).sum(axis=0)
    average = total / settings.clients_per_round + noise / np.sqrt(settings.clients_per_round)
    return x - settings.server_step * average
