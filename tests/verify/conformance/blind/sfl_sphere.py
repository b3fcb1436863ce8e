"""Local SGD whose gradient noise is uniform on a sphere of radius sigma."""

import numpy as np


def direction(random, d):
    v = random.standard_normal(d)
    return v / np.linalg.norm(v)


def noisy(client, x, sigma, random):
    return client.gradient(x) + sigma * direction(random, x.size)


def round_(x, clients, settings, random):
    ends = []
    for client in clients:
        y = x
        for _ in range(settings.local_steps):
            y = y - settings.local_step * noisy(client, y, settings.noise_scale, random)
        ends.append(y)
    return np.mean(ends, axis=0)
