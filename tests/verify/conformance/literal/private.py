"""DP-FedAvg, line by line; the normalizing algorithm differs in the function `bounded`."""

import math

import numpy as np


def bounded(u, threshold):
    return u * min(1.0, threshold / max(np.linalg.norm(u), 1e-300))


def sampled(clients, settings, random):
    n = len(clients)
    return [i for i in range(n) if random.random() < settings.clients_per_round / n]


def private_round(w, clients, settings, random):
    r, total = settings.clients_per_round, np.zeros_like(w)
    taking = sampled(clients, settings, random)
    for i in taking:
        local = local_model(w, clients[i], settings)
        u = (w - local) / settings.local_step
        g = bounded(u, settings.clip_threshold)
        zeta = math.sqrt(r) * settings.noise_scale * random.standard_normal(len(w))
        total = total + g + zeta
    average = total / r
    return w - settings.server_step * average
