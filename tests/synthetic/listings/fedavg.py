"""FedAvg: B.alg3 of the dp_fedavg transcription and, with stochastic gradients, D.alg of fedavg_lojasiewicz.

Both listings end a round with the mean of the local models: of the r in S_k (B.alg3, line 11), of all (D.alg,
line 8). The global rate that multiplies the step is 1 in both.
"""

import numpy as np


def client(i, k, w, *, E, eta, gradient):
    """Lines 5-8: the local model after E steps."""
    w_i = w  # 5
    for tau in range(E):  # 6
        w_i = w_i - eta(k) * gradient(i, w_i, k, tau)  # 7
    return w_i


def fedavg(w, *, rounds, E, eta, beta, r, sampled, gradient):
    """The states w_k, and w after the last round."""
    states = [w]
    for k in rounds:  # 2
        received = np.zeros_like(w)
        for i in sampled(k):  # 3, 4
            received = received + (w - client(i, k, w, E=E, eta=eta, gradient=gradient))  # 9
        w = w - beta(k) * received / r  # 11
        states.append(w)
    return states
