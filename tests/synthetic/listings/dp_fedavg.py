"""DP-FedAvg with clipping: B.alg1 of the dp_fedavg transcription, printed line by printed line.

Line 13, which returns the state of a random round, is left out: every state is returned. The note below the
listing lets the server add the noise: its average then has noise N(0, sigma^2 I).
"""

import math

import numpy as np


def clip(z, c):
    length = np.linalg.norm(z)
    return z if length <= c else z * (c / length)  # z min(1, c/||z||); c/0 is infinite, and the minimum 1


def client(i, k, w, *, E, eta, C, gradient, bounded=clip):
    """Lines 5-9: u and g."""
    w_i = w  # 5
    for _ in range(E):  # 6
        w_i = w_i - eta(k) * gradient(i, w_i)  # 7
    u = (w - w_i) / eta(k)  # 9
    return u, bounded(u, C)  # 9


def dp_fedavg(
    w, *, rounds, E, eta, beta, C, r, sigma, sampled, gradient, normal=None, server_normal=None, bounded=clip
):
    """The states; and of each round the averages (1/r) sum g and (1/r) sum zeta, or the server's own noise.

    normal(k, i) and server_normal(k) are standard normal vectors; one of them is None.
    """
    states, signals, noises = [w], [], []
    for k in rounds:  # 2
        signal, noise = np.zeros_like(w), np.zeros_like(w)
        for i in sampled(k):  # 3, 4
            _, g = client(i, k, w, E=E, eta=eta, C=C, gradient=gradient, bounded=bounded)
            signal = signal + g  # 10
            if normal is not None:
                noise = noise + math.sqrt(r * sigma**2) * normal(k, i)  # 10
        if server_normal is not None:
            noise = r * sigma * server_normal(k)
        w = w - beta(k) * (signal + noise) / r  # 12
        states.append(w)
        signals.append(signal / r)
        noises.append(noise / r)
    return states, signals, noises
