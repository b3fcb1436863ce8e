"""DP-FedAvg computed in single precision, returned in double."""

import numpy as np

F = np.float32


def round32(x, clients, settings, random):
    w = x.astype(F)
    n, r = len(clients), settings.clients_per_round
    total = np.zeros(len(w), F)
    for client in clients:
        if random.random() >= r / n:
            continue
        y = w.copy()
        for _ in range(settings.local_steps):
            y -= F(settings.local_step) * client.gradient(y.astype(float)).astype(F)
        u = (w - y) / F(settings.local_step)
        u *= min(F(1), F(settings.clip_threshold) / max(np.linalg.norm(u), F(1e-30)))
        total += u + F(r**0.5 * settings.noise_scale) * random.standard_normal(len(w)).astype(F)
    return (w - F(settings.server_step) * total / F(r)).astype(float)
