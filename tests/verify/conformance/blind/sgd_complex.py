"""SGD; noise is drawn as the real and imaginary parts of complex numbers, a block for the whole run."""

import math

import numpy as np


class Gaussian:
    def __init__(self, seed, count, size, deviation):
        half = -(-size // 2)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(7,)))
        radius = np.sqrt(-2 * np.log1p(-rng.random((count, half))))
        spiral = radius * np.exp(2j * math.pi * rng.random((count, half)))
        both = np.stack([spiral.real, spiral.imag], axis=-1).reshape(count, -1)
        self.table = deviation * both[:, :size]

    def __getitem__(self, k):
        return self.table[k]


class SGD:
    def __call__(self, clients, start, settings, seed):
        noise = Gaussian(seed, settings.rounds, start.size, settings.noise_scale / math.sqrt(start.size))
        path = [start]
        for k in range(settings.rounds):
            g = clients.gradient(path[k]) + noise[k]
            path.append(path[k] - settings.step * g)
        return path


sgd = SGD()
