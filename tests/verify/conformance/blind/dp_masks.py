"""DP-FedAvg with secure aggregation: pairs of clients add masks that cancel in the sum."""

import numpy as np


def mask(i, j, k, size):
    low, high = sorted((i, j))
    pad = np.random.default_rng([low, high, k]).standard_normal(size)
    return pad if i < j else -pad


def masked(i, present, k, vector):
    return vector + sum((mask(i, j, k, vector.shape) for j in present if j != i), np.zeros_like(vector))


class Trainer:
    def __init__(self, settings):
        self.s = settings

    def update(self, x, client):
        y, total = x, np.zeros_like(x)
        for _ in range(self.s.local_steps):
            g = client.gradient(y)
            total += g
            y = y - self.s.local_step * g
        return total

    def clip(self, u):
        n = np.sqrt(np.einsum("i,i", u, u))
        return u if n <= self.s.clip_threshold else (self.s.clip_threshold / n) * u


def secure(clients, x0, settings, seed):
    gen = np.random.Generator(np.random.PCG64(seed))
    trainer, r, path = Trainer(settings), settings.clients_per_round, [x0]
    for k in range(settings.rounds):
        present = np.nonzero(gen.uniform(0, len(clients), len(clients)) < r)[0].tolist()
        share = settings.noise_scale * np.sqrt(r)
        sent = []
        for i in present:
            u = trainer.clip(trainer.update(path[-1], clients[i]))
            sent.append(masked(i, present, k, u + share * gen.standard_normal(u.shape)))
        total = np.add.reduce(sent) if sent else np.zeros_like(x0)
        path.append(path[-1] - settings.server_step * total / r)
    return np.vstack(path)


def run(clients, start, settings, seed):
    return secure(clients, start, settings, seed)
