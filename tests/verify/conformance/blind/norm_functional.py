"""DP-NormFedAvg, functions only, as one writes for a compiler."""

from functools import partial, reduce

import numpy as np


def sgd(step, gradient, x):
    return x - step * gradient(x)


def repeat(f, times, x):
    return reduce(lambda y, _: f(y), range(times), x)


def unit(u):
    square = np.dot(u, u)
    return np.where(square > 0, u / np.sqrt(np.where(square > 0, square, 1.0)), u)


def pseudo_gradient(settings, w, client):
    moved = repeat(partial(sgd, settings.local_step, client.gradient), settings.local_steps, w)
    return settings.update_length * unit(w - moved)


def step(w, clients, settings, random):
    n, r, d = len(clients), settings.clients_per_round, w.shape[0]
    coins = random.random(n)
    gaussians = random.standard_normal((n, d))
    noises = np.sqrt(r) * settings.noise_scale * gaussians
    messages = np.stack([pseudo_gradient(settings, w, clients[i]) for i in range(n)]) + noises
    weights = np.where(coins < r / n, 1.0 / r, 0.0)
    return w - settings.server_step * np.tensordot(weights, messages, axes=1)
