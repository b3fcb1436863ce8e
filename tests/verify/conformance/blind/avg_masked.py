"""FedAvg for all clients at once: those that are not drawn are masked out of steps and of the mean."""

import numpy as np


def top(keys, count):
    chosen = np.zeros(len(keys), dtype=bool)
    chosen[np.argpartition(keys, count - 1)[:count]] = True
    return chosen


def fed_round(x, clients, settings, random):
    n = len(clients)
    active = top(random.exponential(size=n), settings.clients_per_round)
    models = np.broadcast_to(x, (n, x.size)).copy()
    for _ in range(settings.local_steps):
        step = settings.local_step * clients.gradients(models)
        np.subtract(models, step, out=models, where=active[:, None])
    weights = active / active.sum()
    return np.einsum("n,nd->d", weights, models)
