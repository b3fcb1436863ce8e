"""FedAvg with stochastic gradients; each client's oracle has its own jump of one stream."""

import numpy as np


class Oracle:
    def __init__(self, objective, bits, scale, d):
        self.objective, self.rng = objective, np.random.Generator(bits)
        self.factor = (scale**2 / d) ** 0.5 * np.eye(d)

    def __call__(self, w):
        return self.objective.gradient(w) + self.factor @ self.rng.standard_normal(len(w))


def run(clients, start, settings, seed):
    root = np.random.PCG64DXSM(seed)
    oracles = [Oracle(c, root.jumped(i + 1), settings.noise_scale, start.size) for i, c in enumerate(clients)]
    history = [start]
    while len(history) <= settings.rounds:
        ends = []
        for oracle in oracles:
            w, left = history[-1], settings.local_steps
            while left:
                w, left = w - settings.local_step * oracle(w), left - 1
            ends.append(w)
        history.append(np.add.reduce(ends) / len(ends))
    return history
