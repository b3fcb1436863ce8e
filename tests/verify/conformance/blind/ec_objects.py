"""Fed-alpha-NormEC with an object for each client."""

import numpy as np


class Client:
    def __init__(self, oracle, memory, settings, seed):
        self.oracle, self.v, self.s = oracle, memory.copy(), settings
        self.rng = np.random.default_rng(seed)

    def work(self, x):
        s, y = self.s, x.copy()
        for _ in range(s.local_steps):
            y -= s.local_step / s.local_steps * self.oracle.gradient(y)
        e = (x - y) / s.local_step - self.v
        delta = e / (s.smoothing + np.sqrt(e @ e))
        self.v += s.memory_step * delta
        if self.rng.random() >= s.probability:
            return None
        noise = self.rng.normal(0, s.noise_scale / len(x) ** 0.5, len(x))
        return (delta + noise) / s.probability


class Server:
    def __init__(self, x, memory, settings):
        self.x, self.m, self.s = x.copy(), memory.copy(), settings

    def update(self, messages, count):
        total = np.zeros_like(self.x)
        for message in messages:
            if message is not None:
                total += message
        self.m += self.s.memory_step * total / count
        length = np.sqrt(self.m @ self.m)
        if length == 0:
            return
        self.x = self.x - self.s.server_step / length * self.m


def play(clients, start, settings, seed):
    memory = np.asarray(settings.initial_memory, dtype=float)
    seeds = np.random.SeedSequence(seed).spawn(len(clients))
    people = [Client(c, memory[i], settings, seeds[i]) for i, c in enumerate(clients)]
    server = Server(start, memory.mean(axis=0), settings)
    yield server.x.copy()
    for _ in range(settings.rounds):
        server.update([person.work(server.x) for person in people], len(people))
        yield server.x.copy()


def run(clients, start, settings, seed):
    return list(play(clients, start, settings, seed))
