"""Private federated learning with noisy local steps, line by line, after `noisy_step.py`."""

# ruff: noqa: B905  the planted slips replace these lines as they are

import numpy as np


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
