"""SGD as an endless generator of iterates; noise from the inverse of the normal distribution."""

from itertools import islice
from statistics import NormalDist

import numpy as np


def iterates(clients, x, step, sigma, rng):
    law = NormalDist()
    while True:
        yield x
        u = rng.random(x.size)
        xi = np.array([law.inv_cdf(min(max(v, 1e-300), 1 - 1e-16)) for v in u]) * sigma / x.size**0.5
        x = x - step * (clients.gradient(x) + xi)


def run(clients, start, settings, seed):
    rng = np.random.default_rng(seed)
    return list(
        islice(iterates(clients, start, settings.step, settings.noise_scale, rng), settings.rounds + 1)
    )
