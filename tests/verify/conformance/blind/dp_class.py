"""DP-FedAvg as a server object, all clients at once."""

import numpy as np


class Server:
    def __init__(self):
        self.rounds_seen = 0

    def locals_(self, x, clients, settings):
        points = np.repeat(x[None, :], len(clients), axis=0)
        for _ in range(settings.local_steps):
            points -= settings.local_step * clients.gradients(points)
        return points

    def bounded(self, updates, threshold):
        lengths = np.sqrt(np.einsum("ij,ij->i", updates, updates))
        factors = np.ones_like(lengths)
        long = lengths > threshold
        factors[long] = threshold / lengths[long]
        return updates * factors[:, None]

    def round(self, x, clients, settings, random):
        n, r = len(clients), settings.clients_per_round
        noise = random.normal(0.0, settings.noise_scale * np.sqrt(r), size=(n, x.size))
        mask = random.uniform(size=n) <= r / n
        updates = (x - self.locals_(x, clients, settings)) / settings.local_step
        sent = self.bounded(updates, settings.clip_threshold) + noise
        average = mask @ sent / r
        return x - settings.server_step * average


def train(x, clients, settings, random):
    return Server().round(x, clients, settings, random)
