"""Fed-alpha-NormEC on arrays, all clients at once."""

import numpy as np


def run(clients, start, settings, seed):
    rng = np.random.default_rng(seed)
    n, d = len(clients), start.size
    v = np.array(settings.initial_memory, dtype=float)
    g = v.mean(0)
    x = start.copy()
    xs = [x]
    eta = settings.local_step / settings.local_steps
    for _ in range(settings.rounds):
        present = (rng.random(n) < settings.probability).astype(float)
        y = np.tile(x, (n, 1))
        for _ in range(settings.local_steps):
            y = y - eta * clients.gradients(y)
        difference = (x - y) / settings.local_step - v
        message = difference / (settings.smoothing + np.linalg.norm(difference, axis=1, keepdims=True))
        v = v + settings.memory_step * message
        z = rng.standard_normal((n, d)) * settings.noise_scale / np.sqrt(d)
        g = g + settings.memory_step * np.mean(
            (present / settings.probability)[:, None] * (message + z), axis=0
        )
        norm = np.linalg.norm(g)
        if norm > 0:
            x = x - settings.server_step * g / norm
        xs.append(x)
    return np.array(xs)
