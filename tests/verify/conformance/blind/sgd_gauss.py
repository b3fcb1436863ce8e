"""SGD, python random.gauss."""

import random as pr

import numpy as np


def sgd(clients, start, settings, seed):
    rng = pr.Random(seed)
    x = np.array(start)
    yield x.copy()
    for _ in range(settings.rounds):
        sd = settings.noise_scale / len(x) ** 0.5
        g = clients.gradient(x) + np.array([rng.gauss(0, sd) for _ in x])
        x -= settings.step * g
        yield x.copy()
