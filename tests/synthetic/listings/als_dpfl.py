"""ALS-DPFL: C.alg2 of docs/theory/als-dpfl.md, with C.rho_i, C.beta_i, C.xi_i, C.eq11, C.G, C.taum and C.T.

Where the listing is silent: line 2 compares counters with budgets and lines 13 and 21 add to the budgets, so
the counters are meant, both from zero; a step of all clients together costs pc; an estimate that is 0/0 (a
client whose model is the average) is 0 in the mean, and with no other estimate tau stays; a tau whose
denominator in C.G is not positive is not minimal, and if all are such, tau is 1.
"""

import math

import numpy as np
from listings.dpfl import interval


def h(x, *, eta, beta, xi, sigma, C, B, d):
    """C.eq11; at beta = 0 its limit."""
    s = 2 * math.sqrt(d) * sigma * C
    growth = eta * x if beta == 0 else ((eta * beta + 1) ** x - 1) / beta
    return (xi + s / B) * growth + eta * (xi + s) / B * x


def G(tau, *, rho, phi, lam, R_s, R_c, eta, **of_h):
    """C.G with C.T."""
    T = min(R_s * tau, R_c)
    bracket = eta * phi - rho * h(tau, eta=eta, **of_h) / (tau * lam**2)
    return 1 / (T * bracket) + math.sqrt(3) / 3 if bracket > 0 else math.inf


def best(tau, *, limit, **of_G):
    """C.alg2.tau: traverse 1..tau_m for the minimum; the first where there are several."""
    values = [G(candidate, **of_G) for candidate in range(1, min(2 * tau, limit) + 1)]
    return 1 + values.index(min(values))


def slope(difference, distance):
    return 0.0 if distance == 0 else difference / distance


def als_dpfl(
    w,
    *,
    clients,
    eta,
    sigma,
    C,
    B,
    C_b,
    P_b,
    cc,
    pc,
    phi,
    lam,
    limit,
    gradient,
    value,
    normal,
    auxiliary_noise,
):
    """The averages, and a dictionary of each round."""
    N, d = clients, len(w)

    def mean_gradient(w):
        return sum(gradient(i, w) for i in range(N)) / N

    k, tau, c_b, p_b = 1, 1, 0.0, 0.0  # 1
    models = [w] * N
    averages, records = [w], []
    while c_b < C_b and p_b < P_b:  # 2
        distances = [np.linalg.norm(models[i] - w) for i in range(N)]
        known = any(distance > 0 for distance in distances)
        rho = [slope(abs(value(i, models[i]) - value(i, w)), distances[i]) for i in range(N)]  # 4
        beta = [
            slope(np.linalg.norm(gradient(i, models[i]) - gradient(i, w)), distances[i]) for i in range(N)
        ]
        paths, v = interval(  # 3, 5-12; the draws of the first round have number 0
            w,
            k - 1,
            clients=N,
            tau=tau,
            eta=eta,
            sigma=sigma,
            C=C,
            B=B,
            gradient=gradient,
            normal=normal,
            auxiliary_noise=auxiliary_noise,
        )
        p_b = p_b + pc * tau  # 13
        models = [path[-1] for path in paths]  # 14
        k = k + 1  # 15
        w = sum(models) / N  # 16
        xi = [np.linalg.norm(gradient(i, w) - mean_gradient(w)) for i in range(N)]  # 17
        means = {"rho": sum(rho) / N, "beta": sum(beta) / N, "xi": sum(xi) / N}  # 18
        used = tau
        if known:
            tau = best(  # 19
                tau,
                limit=limit,
                phi=phi,
                lam=lam,
                R_s=C_b / cc,
                R_c=P_b / pc,
                eta=eta,
                sigma=sigma,
                C=C,
                B=B,
                d=d,
                **means,
            )
        c_b = c_b + cc  # 21
        averages.append(w)  # 20
        records.append({"tau": used, "known": known, "c_b": c_b, "p_b": p_b, "companion": v[-1], **means})
    return averages, records
