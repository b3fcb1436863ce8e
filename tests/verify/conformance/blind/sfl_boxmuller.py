"""FedAvg under a Lojasiewicz condition; the oracle makes normal numbers from uniform ones, two at a time."""

import math

import numpy as np


class Oracle:
    def __init__(self, clients, scale, seed):
        self.clients, self.scale = clients, scale
        self.random, self.spare = np.random.RandomState(seed % 2**32), []

    def normal(self):
        if not self.spare:
            radius = math.sqrt(-2 * math.log(1 - self.random.random_sample()))
            angle = 2 * math.pi * self.random.random_sample()
            self.spare = [radius * math.cos(angle), radius * math.sin(angle)]
        return self.spare.pop()

    def gradient(self, i, x):
        noise = np.array([self.normal() for _ in x]) / math.sqrt(x.size)
        return self.clients[i].gradient(x) + self.scale * noise


def run(clients, start, settings, seed):
    oracle, m = Oracle(clients, settings.noise_scale, seed), len(clients)
    xs = [start]
    for _ in range(settings.rounds):
        drift = np.zeros_like(start)
        for i in range(m):
            y = xs[-1].copy()
            for _ in range(settings.local_steps):
                y = y - settings.local_step * oracle.gradient(i, y)
            drift += (y - xs[-1]) / m
        xs.append(xs[-1] + drift)
    return xs
