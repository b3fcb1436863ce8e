"""DPFL with batches as masks, noise drawn first."""

import numpy as np


def private_gradient(y, client, settings, random):
    noise = random.normal(size=y.size) * (settings.noise_multiplier * settings.clip_threshold)
    mask = random.random(client.data_points) < settings.batch_size / client.data_points
    rows = client.gradients_of_data(y)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows * np.minimum(1.0, settings.clip_threshold / np.maximum(lengths, 1e-300))
    return (mask @ rows + noise) / settings.batch_size


def federated(w, clients, settings, random):
    points = sum(c.data_points for c in clients)
    new = np.zeros_like(w)
    for client in clients:
        y = np.copy(w)
        for _ in range(settings.local_steps):
            y -= settings.step * private_gradient(y, client, settings, random)
        new += client.data_points / points * y
    return new
