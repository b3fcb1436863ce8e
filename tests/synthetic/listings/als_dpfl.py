"""ALS-DPFL: C.alg2 of the als_dpfl transcription with C.rho_i, C.beta_i, C.xi_i, C.eq11, C.G, C.taum, C.T.

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
    return 0.0 if distance == 0 else float(difference / distance)


def estimates(models, w, *, value, gradient):
    """C.rho_i and C.beta_i between each client's own model and the average, and the distances of the two."""
    distances = [float(np.linalg.norm(w_i - w)) for w_i in models]
    # silent in the listing: a distance within the rounding of an average of N models counts as none
    rounding = len(models) * 2.0**-52 * np.linalg.norm(w)
    distances = [0.0 if distance <= rounding else distance for distance in distances]
    rho, beta = [], []
    for i, w_i in enumerate(models):
        rho.append(slope(abs(value(i, w_i) - value(i, w)), distances[i]))
        beta.append(slope(np.linalg.norm(gradient(i, w_i) - gradient(i, w)), distances[i]))
    return rho, beta, distances


def als_dpfl(w, *, clients, value, gradient, local, C_b, P_b, cc, pc, phi, lam, limit):
    """The averages, and a dictionary of each round; local: the other arguments of `interval`."""
    N = clients
    of_G = {"phi": phi, "lam": lam, "R_s": C_b / cc, "R_c": P_b / pc, "d": len(w)}
    of_G |= {name: local[name] for name in ("eta", "sigma", "C", "B")}
    k, tau, c_b, p_b = 1, 1, 0.0, 0.0  # 1
    models, averages, records = [w] * N, [w], []
    while c_b < C_b and p_b < P_b:  # 2
        rho, beta, distances = estimates(models, w, value=value, gradient=gradient)  # 4
        draws = k - 1  # those of the first round have number 0
        paths, v = interval(w, draws, clients=N, tau=tau, gradient=gradient, **local)  # 3, 5-12
        p_b = p_b + pc * tau  # 13
        models = [path[-1] for path in paths]  # 14
        k = k + 1  # 15
        w = sum(models) / N  # 16
        slopes = [gradient(i, w) for i in range(N)]
        xi = [float(np.linalg.norm(slopes[i] - sum(slopes) / N)) for i in range(N)]  # 17
        means = {"rho": sum(rho) / N, "beta": sum(beta) / N, "xi": sum(xi) / N}  # 18
        used = tau
        if any(distance > 0 for distance in distances):
            tau = best(tau, limit=limit, **means, **of_G)  # 19
        c_b = c_b + cc  # 21
        averages.append(w)  # 20
        of_round = {"tau": used, "c_b": c_b, "p_b": p_b, "companion": v[-1], **means}
        records.append(of_round | {"distances": [x for x in distances if x > 0]})
    return averages, records
