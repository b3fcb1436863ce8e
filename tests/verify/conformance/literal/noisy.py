"""Private federated learning with noisy local steps, line by line."""

# ruff: noqa: B905  the planted slips replace these lines as they are

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


def local_model(w, client, settings, random):
    model = w
    for _ in range(settings.local_steps):
        model = model - settings.step * noisy_gradient(model, client, settings, random)
    return model


def noisy_round(w, clients, settings, random):
    models = [local_model(w, client, settings, random) for client in clients]
    sizes = np.array([client.data_points for client in clients], dtype=float)
    weights = sizes / sizes.sum()
    return sum(weight * model for weight, model in zip(weights, models))
