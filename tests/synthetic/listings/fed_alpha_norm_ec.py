"""Fed-alpha-NormEC: A.alg1, A.op.gd and A.op.ig of the fed_norm_ec transcription.

S^k is a random set in which a client is with probability p. Without server normalisation (A.alg1.exp) the
last line is x <- x - eta v_hat. Where v_hat is zero the printed direction does not exist; x stays there.
"""

import numpy as np


def norm_alpha(v, alpha):
    """A.def.norm; at alpha = 0 and v = 0 it is not defined, and 0 here."""
    length = np.linalg.norm(v)
    return v if alpha + length == 0 else v / (alpha + length)


def local_gd(i, x, *, gamma, T, gradient):
    """A.op.gd: T_i(x) and the local iterates x^{k,0}, ..., x^{k,T-1}."""
    iterates, x_i = [], x  # 1
    for _ in range(T):  # 2
        iterates.append(x_i)
        x_i = x_i - gamma / T * gradient(i, x_i)
    return x_i, iterates  # 3


def local_ig(i, x, *, gamma, N, component_gradient):
    """A.op.ig: one pass over the N components of client i, in their order."""
    iterates, x_i = [], x  # 1
    for j in range(N):  # 2
        iterates.append(x_i)
        x_i = x_i - gamma / N * component_gradient(i, j, x_i)
    return x_i, iterates  # 3


def fed_alpha_norm_ec(
    x, v, v_hat, *, rounds, gamma, beta, eta, alpha, p, operator, sampled, noise, server_noise, normalise=True
):
    """(x^k, v^k, v_hat^k) for every k of rounds, and after the last.

    operator(i, x) is T_i(x); noise(k, i) is z_i^k, None in the non-private setting; server_noise(k), where
    it is not None, stands for the sum of all q_i^k z_i^k.
    """
    states = [(x, v, v_hat)]
    M = len(v)
    for k in rounds:  # 2
        S = sampled(k)  # 3
        delta, v_next = [], []
        for i in range(M):  # 4
            T_i = operator(i, x)  # 5
            delta.append(norm_alpha((x - T_i) / gamma - v[i], alpha))  # 6
            v_next.append(v[i] + beta * delta[i])  # 7
        delta_hat = [np.zeros_like(x) for _ in range(M)]  # q_i^k = 0 for those not in S^k
        for i in S:  # 9
            q = 1 / p  # 10
            delta_hat[i] = q * (delta[i] if noise is None else delta[i] + noise(k, i))  # 11, 12
        total = sum(delta_hat) if server_noise is None else sum(delta_hat) + server_noise(k)
        v_hat = v_hat + beta / M * total  # 14
        length = np.linalg.norm(v_hat)
        if not normalise:
            x = x - eta * v_hat
        elif length > 0:
            x = x - eta / length * v_hat  # 15
        v = v_next
        states.append((x, v, v_hat))
    return states
