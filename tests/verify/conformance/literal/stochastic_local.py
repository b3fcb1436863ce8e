"""FedAvg with a noisy gradient in every local step of every client, line by line."""

import math

import numpy as np


def noisy_gradient(x, client, settings, random):
    noise = settings.noise_scale / math.sqrt(len(x)) * random.standard_normal(len(x))
    return client.gradient(x) + noise


def stochastic_local_round(theta, clients, settings, random):
    models = []
    for client in clients:
        local = theta
        for _ in range(settings.local_steps):
            local = local - settings.local_step * noisy_gradient(local, client, settings, random)
        models.append(local)
    return np.mean(models, axis=0)
