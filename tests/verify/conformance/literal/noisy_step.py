"""One noisy clipped local step, line by line; `noisy.py` and `adaptive.py` go on from here."""

import numpy as np


def clipped(g, threshold):
    return g / max(1.0, np.linalg.norm(g) / threshold)


def batch_of(client, settings, random):
    rate = settings.batch_size / client.data_points
    return [s for s in range(client.data_points) if random.random() < rate]


def noisy_gradient(model, client, settings, random):
    rows = client.gradients_of_data(model)
    batch = batch_of(client, settings, random)
    total = np.zeros_like(model)
    for s in batch:
        total = total + clipped(rows[s], settings.clip_threshold)
    total = total + settings.noise_multiplier * settings.clip_threshold * random.standard_normal(len(model))
    return total / settings.batch_size
