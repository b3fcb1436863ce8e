"""Local SGD: all noise of a run is drawn before it starts; all clients at once."""

import numpy as np


def run(clients, start, settings, seed):
    M, d, H = len(clients), start.size, settings.local_steps
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((settings.rounds, H, M, d)) * settings.noise_scale / np.sqrt(d)
    theta = np.empty((settings.rounds + 1, d))
    theta[0] = start
    for r in range(settings.rounds):
        Y = np.tile(theta[r], (M, 1))
        for h in range(H):
            Y -= settings.local_step * (clients.gradients(Y) + Z[r, h])
        theta[r + 1] = np.einsum("md->d", Y) / M
    return theta
