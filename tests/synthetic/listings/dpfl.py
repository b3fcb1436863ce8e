"""DPFL: C.alg1 of the als_dpfl transcription, with the auxiliary sequence of C.eq8 and C.sync.

A client's data are B samples with one and the same loss F_i, all of them in every batch; all |D_i| are equal.
C.eq8 prints its cases with k tau; C.sync says that v restarts at (k - 1) tau, which is what is done here.
The printed loop, k = 1 and k < K, averages K - 1 times; `rounds` are the averagings.
"""

import numpy as np


def clipped(g, C):
    return g / max(1, np.linalg.norm(g) / C)  # 9


def deviation(sigma, C):
    """Of N(0, sigma^2 C^2); without noise C may be infinite."""
    return sigma * C if sigma > 0 else 0.0


def noisy_step(w, g, z, *, eta, sigma, C, B):
    """Lines 7-11 for one client; z is a standard normal vector."""
    total = np.zeros_like(w)
    for _ in range(B):  # 7
        total = total + clipped(g, C)  # 8, 9
    return w - eta * (total + deviation(sigma, C) * z) / B  # 10, 11


def auxiliary_step(v, z, *, eta, C, mean_gradient):
    """C.eq8; z is the noise as it is injected."""
    return v - eta * (clipped(mean_gradient(v), C) + z)


def interval(w, k, *, clients, tau, eta, sigma, C, B, gradient, normal, auxiliary_noise):
    """Lines 3-11 of one interval: the models of every client and v, each at its steps 0..tau."""

    def mean_gradient(v):
        return sum(gradient(i, v) for i in range(clients)) / clients

    models = []
    for i in range(clients):  # 3
        w_i = w
        path = [w_i]
        for j in range(tau):  # 4
            w_i = noisy_step(w_i, gradient(i, w_i), normal(k, i, j), eta=eta, sigma=sigma, C=C, B=B)
            path.append(w_i)
        models.append(path)  # 12
    v = [w]
    for j in range(tau):
        v.append(auxiliary_step(v[j], auxiliary_noise(k, j), eta=eta, C=C, mean_gradient=mean_gradient))
    return models, v


def dpfl(w, *, rounds, clients, **constants):
    """The averages, and of each interval the models and v."""
    averages, intervals = [w], []
    for k in rounds:  # 2
        models, v = interval(w, k, clients=clients, **constants)
        w = sum(path[-1] for path in models) / clients  # 14
        averages.append(w)  # 15
        intervals.append((models, v))
    return averages, intervals
