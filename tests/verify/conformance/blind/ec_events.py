"""Error feedback as events: clients push messages to a log, which the server reads once a round."""

from collections import defaultdict, namedtuple

import numpy as np

Message = namedtuple("Message", "round sender content")


class Node:
    def __init__(self, index, objective, settings, memory, rng):
        self.index, self.f, self.s, self.v, self.rng = index, objective, settings, memory, rng

    def on_model(self, k, x, log):
        gamma, T = self.s.local_step, self.s.local_steps
        z, moved = x.copy(), np.zeros_like(x)
        for _ in range(T):
            g = self.f.gradient(z)
            z = z - gamma / T * g
            moved += g / T
        error = moved - self.v
        direction = error / (self.s.smoothing + np.linalg.norm(error))
        self.v = self.v + self.s.memory_step * direction
        if self.rng.random() < self.s.probability:
            xi = self.rng.standard_normal(x.size) * (self.s.noise_scale / x.size**0.5)
            log[k].append(Message(k, self.index, (direction + xi) / self.s.probability))


def run(clients, start, settings, seed):
    memory = np.asarray(settings.initial_memory, dtype=float)
    children = np.random.SeedSequence(seed).spawn(len(clients))
    nodes = [
        Node(i, c, settings, memory[i].copy(), np.random.default_rng(children[i]))
        for i, c in enumerate(clients)
    ]
    x, v, log, out = start, memory.sum(axis=0) / len(clients), defaultdict(list), [start]
    for k in range(settings.rounds):
        for node in nodes:
            node.on_model(k, x, log)
        for message in log[k]:
            v = v + settings.memory_step / len(clients) * message.content
        norm = np.sqrt(np.vdot(v, v))
        x = x - settings.server_step * (v / norm if norm else v)
        out.append(x)
    return out
