"""DPFL (noisy clipped local steps): dataclass clients, own Philox stream of each client."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Worker:
    client: object
    rng: np.random.Generator

    def step(self, y, s):
        g = self.client.gradients_of_data(y)
        keep = self.rng.random(len(g)) < s.batch_size / len(g)
        g = g[keep]
        norms = np.linalg.norm(g, axis=1, keepdims=True)
        g = g / np.maximum(1.0, norms / s.clip_threshold)
        noisy = g.sum(axis=0) + self.rng.normal(scale=s.noise_multiplier * s.clip_threshold, size=y.shape)
        return y - s.step * noisy / s.batch_size

    def work(self, w, s):
        y = w
        for _ in range(s.local_steps):
            y = self.step(y, s)
        return y


def run(clients, start, settings, seed):
    streams = np.random.SeedSequence(seed).spawn(len(clients))
    workers = [
        Worker(c, np.random.Generator(np.random.Philox(s))) for c, s in zip(clients, streams, strict=True)
    ]
    sizes = np.array([c.data_points for c in clients])
    w, out = start, [start]
    for _ in range(settings.rounds):
        w = np.average([k.work(w, settings) for k in workers], axis=0, weights=sizes)
        out.append(w)
    return np.stack(out)
