"""DP-FedAvg with smoothed normalisation: A.eq2 of the fed_norm_ec transcription.

The bracket of the equation does not say whether z_i stands inside the sum; it carries the index of the sum,
so inside. Psi bounds x - T_i(x), which is not divided by gamma.
"""

import numpy as np
from listings.fed_alpha_norm_ec import norm_alpha


def smoothed_dp_fedavg(x, *, rounds, eta, alpha, B, operator, sampled, noise, server_noise):
    """The states. operator(i, x) is T_i(x); server_noise(k), if not None, stands for the sum of the z_i."""
    states = [x]
    for k in rounds:
        bracket = np.zeros_like(x)
        for i in sampled(k):
            bracket = bracket + norm_alpha(x - operator(i, x), alpha)
            if noise is not None:
                bracket = bracket + noise(k, i)
        if server_noise is not None:
            bracket = bracket + server_noise(k)
        x = x - eta(k) / B * bracket
        states.append(x)
    return states
