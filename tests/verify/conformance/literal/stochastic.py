"""Stochastic gradient descent, line by line."""

import math


def noisy_round(x, clients, settings, random):
    noise = settings.noise_scale / math.sqrt(len(x)) * random.standard_normal(len(x))
    return x - settings.step * (clients.gradient(x) + noise)
