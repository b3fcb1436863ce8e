"""DP-FedAvg vectorized over clients; an object; noise aggregated by the server with the number that came."""

import numpy as np


class VectorizedTrainer:
    def __init__(self, clip=None):
        self.clip = clip

    def _local(self, clients, x, s):
        y = np.repeat(x[None, :], len(clients), axis=0)
        for _ in range(s.local_steps):
            y -= s.local_step * clients.gradients(y)
        return (x - y) / s.local_step

    def _clip(self, u, c):
        norms = np.sqrt(np.einsum("ij,ij->i", u, u))
        with np.errstate(divide="ignore"):
            scale = np.minimum(1.0, c / norms)
        return u * scale[:, None]

    def __call__(self, x, clients, settings, random):
        n, r = len(clients), settings.clients_per_round
        u = self._clip(self._local(clients, x, settings), settings.clip_threshold)
        count = random.binomial(n, r / n)
        who = random.choice(n, size=count, replace=False)
        total = u[who].sum(axis=0)
        total += np.sqrt(count * r) * settings.noise_scale * random.standard_normal(x.size)
        return x - settings.server_step * (total / r)


trainer = VectorizedTrainer()
