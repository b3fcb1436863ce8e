"""Stochastic gradient descent, a run; the oracle draws from its own stream."""

import numpy as np


class Oracle:
    def __init__(self, clients, scale, seed):
        self.clients, self.scale = clients, scale
        self.rng = np.random.Generator(np.random.PCG64(seed))

    def __call__(self, x):
        error = self.rng.normal(scale=self.scale / np.sqrt(x.size), size=x.size)
        return self.clients.gradients(x).mean(axis=0) + error


def iterate(clients, start, settings, seed):
    oracle = Oracle(clients, settings.noise_scale, seed)
    path = np.empty((settings.rounds + 1, start.size))
    path[0] = start
    for t in range(settings.rounds):
        path[t + 1] = path[t] - settings.step * oracle(path[t])
    return path
