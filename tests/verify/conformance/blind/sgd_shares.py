"""SGD: every client adds its share of the noise; the shares have the wanted variance in the mean."""

import numpy as np


def share(client, x, scale, n, rng):
    return client.gradient(x) + rng.normal(scale=scale * np.sqrt(n / x.size), size=x.size)


def step(x, clients, settings, random):
    n = len(clients)
    g = np.mean([share(c, x, settings.noise_scale, n, random) for c in clients], axis=0)
    return x - settings.step * g
