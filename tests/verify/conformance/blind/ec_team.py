"""Fed-alpha-NormEC, a whole run with objects and lists."""

import numpy as np


class Client:
    def __init__(self, oracle, v, s, rng):
        self.oracle, self.v, self.s, self.rng = oracle, v, s, rng

    def message(self, x):
        s = self.s
        y = x.copy()
        for _ in range(s.local_steps):
            y -= s.local_step / s.local_steps * self.oracle.gradient(y)
        e = (x - y) / s.local_step - self.v
        delta = e / (s.smoothing + np.linalg.norm(e))
        self.v += s.memory_step * delta
        if self.rng.random() >= s.probability:
            return np.zeros_like(x)
        z = self.rng.normal(0, s.noise_scale / np.sqrt(x.size), x.size)
        return (delta + z) / s.probability


def optimize(clients, start, settings, seed):
    rng = np.random.default_rng(seed)
    team = [Client(clients[i], np.zeros(start.size), settings, rng) for i in range(len(clients))]
    x, g = start.copy(), np.zeros(start.size)
    path = [x.copy()]
    for _ in range(settings.rounds):
        total = np.zeros(x.size)
        for member in team:
            total += member.message(x)
        g += settings.memory_step / len(team) * total
        norm = np.linalg.norm(g)
        if norm > 0:
            x = x - settings.server_step * g / norm
        path.append(x.copy())
    return path
