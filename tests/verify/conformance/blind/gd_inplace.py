"""Gradient descent in place."""

import numpy as np


def descend(x, clients, settings, random):
    direction = np.zeros_like(x)
    for client in clients:
        direction += client.gradient(x)
    direction /= len(clients)
    direction *= settings.step
    x -= direction
    return x
