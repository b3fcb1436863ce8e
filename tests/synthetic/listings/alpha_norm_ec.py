"""alpha-NormEC: A.alg1.n6 of the fed_norm_ec transcription, the listing on gradients, with every client."""

import numpy as np
from listings.fed_alpha_norm_ec import norm_alpha


def alpha_norm_ec(x, v, v_hat, *, rounds, beta, eta, alpha, gradient, noise, server_noise, normalise=True):
    """(x^k, v^k, v_hat^k) for every k of rounds, and after the last; arguments as in fed_alpha_norm_ec."""
    M = len(v)
    states = [(x, v, v_hat)]
    for k in rounds:
        delta = [norm_alpha(gradient(i, x) - v[i], alpha) for i in range(M)]
        v = [v[i] + beta * delta[i] for i in range(M)]
        sent = sum(delta[i] if noise is None else delta[i] + noise(k, i) for i in range(M))
        v_hat = v_hat + beta / M * (sent if server_noise is None else sent + server_noise(k))
        length = np.linalg.norm(v_hat)
        if not normalise:
            x = x - eta * v_hat
        elif length > 0:
            x = x - eta / length * v_hat
        states.append((x, v, v_hat))
    return states
