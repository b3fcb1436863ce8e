"""Gradient descent, line by line."""


def descent_round(x, clients, settings, random):
    return x - settings.step * clients.gradient(x)
