"""FedAvg with Python lists and Python's random; running mean of the incoming models."""

import random as pyrandom


class Server:
    def __init__(self, start, clients, settings, rng):
        self.w = [float(v) for v in start]
        self.clients, self.settings, self.rng = clients, settings, rng

    def local(self, i):
        import numpy as np

        w = list(self.w)
        for _ in range(self.settings.local_steps):
            g = self.clients[i].gradient(np.array(w))
            w = [a - self.settings.local_step * float(b) for a, b in zip(w, g, strict=True)]
        return w

    def round(self):
        picked = self.rng.sample(range(len(self.clients)), self.settings.clients_per_round)
        mean = [0.0] * len(self.w)
        for seen, i in enumerate(picked, start=1):
            model = self.local(i)
            mean = [m + (x - m) / seen for m, x in zip(mean, model, strict=True)]
        self.w = mean
        return list(self.w)


def run(clients, start, settings, seed):
    server = Server(start, clients, settings, pyrandom.Random(seed))
    states = [[float(v) for v in start]]
    for _ in range(settings.rounds):
        states.append(server.round())
    return states
