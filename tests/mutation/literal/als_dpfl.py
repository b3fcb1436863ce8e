"""ALS-DPFL by hand: steps over finitely many outcomes, Gaussian lengths in closed form, runs without noise.

A Gaussian vector with deviation s in each of d coordinates has the mean length
s sqrt(2) Gamma((d+1)/2)/Gamma(d/2).
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Random = np.random.Generator
Numbers = dict[str, Any]
Array = NDArray[np.float64]
ROUNDING = 1e-14  # of what a difference is taken of
MANY = 1e30  # samples in a batch that is all of a client's data, all of them equal


def size(chance: Random, decades: float = 1.5) -> float:
    return float(10 ** chance.uniform(-decades, decades))


def zero_or(chance: Random, number: float) -> float:
    return float(number * chance.choice([0.0, 1.0]))


def part(chance: Random) -> float:
    return float(chance.choice([1 - 1e-9, chance.uniform(0.01, 1), chance.uniform(1, 2), 10.0]))


def mean_length(d: float) -> float:
    """Of a standard Gaussian vector."""
    return math.sqrt(2) * math.exp(math.lgamma((d + 1) / 2) - math.lgamma(d / 2))


# ---- one step of the auxiliary sequence


def step(chance: Random) -> Numbers:
    """On a Huber loss with curvature beta and minimum 0 at 0; a large radius makes it a quadratic."""
    d, beta = int(chance.integers(1, 4)), size(chance)
    eta = part(chance) / beta
    radius = chance.choice([1.0, 1e9])

    def pull(x: Array) -> Array:
        length = np.linalg.norm(x, axis=-1, keepdims=True)
        return beta * x * np.minimum(1.0, radius / np.maximum(length, radius * 1e-9))

    def loss(x: Array) -> Array:
        length = np.linalg.norm(x, axis=-1)
        return beta * np.where(length <= radius, length**2 / 2, radius * (length - radius / 2))

    v = size(chance) * chance.standard_normal((4, d)) * (chance.random((4, 1)) < chance.choice([0.3, 1.0]))
    square = float((pull(v) ** 2).sum(-1).mean())
    half = chance.standard_normal((3, d))
    noise = np.concatenate([half, -half])
    own = float((noise**2).sum(-1).mean())
    # Its variance in units of what the hypothesis allows, where that is positive.
    allowed = abs(2 / beta - eta) * square / eta
    wanted = allowed * chance.choice([0.0, 0.1, 1 - 1e-9, 1.8, 5.0]) if square > 0 else size(chance)
    noise = noise * math.sqrt(wanted / own)
    after = ((v - eta * pull(v))[:, None] - eta * noise).reshape(-1, d)
    noisy = pull(v)[:, None] + noise
    gap, later = float(loss(v).mean()), float(loss(after).mean())
    if gap == 0 or later == 0:
        return {}
    squared = float((v**2).sum(-1).mean())
    return {
        "d": d, "eta": eta, "beta": beta, "sigma_v": math.sqrt(wanted / d), "gradient_square": square,
        "theta_mean": gap, "next_theta_mean": later,
        "gradient_norm": float(np.linalg.norm(pull(v), axis=-1).mean()),
        "mean_noisy_gradient_norm": float(np.linalg.norm(noisy, axis=-1).mean()),
        "distance_square": squared, "next_distance_square": float((after**2).sum(-1).mean()),
        "farthest_start_square": squared, "reciprocal_mean_theta": 1 / gap,
        "next_reciprocal_mean_theta": 1 / later, "auxiliary_gap_mean": later,
        "lam": later * chance.choice([1 - 1e-9, 0.5, 1.9, 10.0]),
        "errors": {"reciprocal_mean_theta": ROUNDING / gap, "next_reciprocal_mean_theta": ROUNDING / later},
    }  # fmt: skip


# ---- numbers


def cubes(chance: Random) -> Numbers:
    gaps = size(chance) * np.exp(chance.choice([0.0, 1e-3, 1.0]) * chance.standard_normal(4))
    return {
        "mean_cubed_gap": float(np.mean(gaps**3)),
        "mean_reciprocal_cubed_gap": float(np.mean(gaps**-3.0)),
    }


def largest_difference(chance: Random) -> Numbers:
    """By halving the interval in which the slope 1 - 3x^2 changes its sign."""
    low, high = 0.0, 1.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if 3 * middle**2 < 1 else (low, middle)
    return {"largest_difference": low - low**3}


def first_choice_of_tau(chance: Random, *, limited: bool) -> Numbers:
    beta, xi, C, lam = size(chance), zero_or(chance, size(chance)), size(chance), size(chance)
    q: Numbers = {
        "beta": beta, "rho": size(chance), "xi": xi, "C": C, "d": int(chance.integers(1, 9)),
        "B": float(chance.choice([1, 100, MANY])), "sigma": zero_or(chance, size(chance)), "lam": lam,
        "farthest_start_square": size(chance), "tau": int(chance.choice([1, 2, 5])),
    }  # fmt: skip
    q["eta"] = part(chance) / beta
    nu = C / math.sqrt(q["B"]) + math.sqrt(q["d"]) * q["sigma"] * C * (1 + 1 / q["B"])
    # lambda of the size at which h begins to count.
    progress = (1 - beta * q["eta"] / 2) / q["farthest_start_square"]
    paid = C**2 * beta * q["d"] * q["eta"] * q["sigma"] ** 2 / 2 + q["rho"] * (xi + nu)
    q["lam"] = math.sqrt(paid / abs(progress)) * chance.choice([0.5, 1.2, 3.0, 100.0])

    def bracket(tau: float) -> float:
        h = (xi + nu) / beta * ((1 + q["eta"] * beta) ** tau - 1) - xi * q["eta"] * tau
        noise = C**2 * beta * q["d"] * q["eta"] * q["sigma"] ** 2 / (2 * q["lam"] ** 2)
        return float(q["eta"] * (progress - noise) - q["rho"] * h / (tau * q["lam"] ** 2))

    if not limited:
        q["T"] = int(chance.integers(1, 50))
        return q | {"G_one": 1 / (q["T"] * bracket(1))}
    q["R_C"], q["R_S"] = int(chance.integers(1, 50)), int(chance.integers(1, 100))
    return q | {"G_one": 1 / (min(q["R_C"], q["R_S"]) * bracket(1))}


def farthest(chance: Random) -> Numbers:
    starts = size(chance) * chance.standard_normal((3, 5, 2))
    squares = [float(np.mean([v @ v for v in outcomes])) for outcomes in starts]
    return {"farthest_start_square": max(squares), "omega_mean": min(1 / s for s in squares)}


# ---- Lemmas 2 and 3, Theorem 1: how far noisy steps part


def batch(chance: Random) -> tuple[float, float]:
    """(B, E||g~ - g||/C) without noise, for as many orthogonal samples of length C as there are data."""
    B, data = int(chance.choice([1, 4, 30])), 4000
    q, total, chosen = B / data, 0.0, (1 - B / data) ** data
    for drawn in range(data):
        total += chosen * math.sqrt(drawn / B**2 - 2 * drawn / (B * data) + 1 / data)
        chosen *= (data - drawn) / (drawn + 1) * q / (1 - q)
    return float(B), total


def deviation(chance: Random) -> Numbers:
    C, d = size(chance), int(chance.choice([1, 4, 100]))
    if chance.random() < 0.5:
        B, share = batch(chance)
        return {"C": C, "B": B, "d": 4000, "sigma": 0.0, "noise_deviation": C * share}
    B, sigma = float(chance.choice([1, 2, 50])), size(chance, 3)
    return {"C": C, "B": B, "d": d, "sigma": sigma, "noise_deviation": C * sigma / B * mean_length(d)}


def apart(chance: Random) -> Numbers:
    """Mean distances of a client's and the averaged model from the auxiliary sequence, and of their values.

    Losses are linear, but for the last case: there one client has a Huber loss and the other none.
    """
    beta, x, kind = size(chance), int(chance.choice([1, 1, 2, 6])), int(chance.integers(0, 4))
    eta = part(chance) / beta * chance.choice([1.0, 1e-3])
    q: Numbers = {"beta": beta, "eta": eta, "x": x, "tau": x, "C": size(chance), "sigma": 0.0, "d": 1}
    q |= {"B": MANY, "xi_i": 0.0, "xi": 0.0}
    q["rho"] = q["C"]
    if kind == 0:  # one client, noise alone
        q |= {"sigma": size(chance), "B": float(chance.choice([1, 2, 50, MANY]))}
        q["d"] = int(chance.choice([1, 100]))
        scale = eta * q["sigma"] * q["C"] * math.sqrt(x * (1 + 1 / q["B"] ** 2))
        q["client"] = q["averaged"] = scale * mean_length(q["d"])
        q["values"] = scale * mean_length(1) * q["C"]
    elif kind == 1:  # one client, one step, samples alone
        q["B"], share = batch(chance)
        q |= {"x": 1, "tau": 1, "d": 4000}
        q["client"] = q["averaged"] = eta * q["C"] * share
    elif kind == 2:  # two clients of slopes C and -C
        q |= {"xi_i": q["C"], "xi": q["C"], "client": eta * x * q["C"], "averaged": 0.0, "values": 0.0}
    else:
        q |= one_curved(chance, q)
    return q


def one_curved(chance: Random, q: Numbers) -> Numbers:
    radius = q["C"] / q["beta"]
    start = radius * chance.uniform(0.1, 3)

    def pull(point: float) -> float:
        return q["beta"] * max(-radius, min(radius, point))

    def value(point: float) -> float:
        a = abs(point)
        return q["beta"] * (a**2 / 2 if a <= radius else radius * (a - radius / 2)) / 2

    w, v = start, start
    for _ in range(int(q["x"])):
        w, v = w - q["eta"] * pull(w), v - q["eta"] * pull(v) / 2
    averaged = (w + start) / 2
    half = q["C"] / 2
    errors = {"client": start, "averaged": start, "values": value(start)}
    return {
        "errors": {name: ROUNDING * whole for name, whole in errors.items()},
        "xi_i": half, "xi": half, "rho": half, "client": abs(w - v),
        "averaged": abs(averaged - v), "values": abs(value(averaged) - value(v)),
    }  # fmt: skip


def named(maker: Callable[[Random], Numbers], taken: str, name: str) -> Callable[[Random], Numbers]:
    """One of the three distances under the name that the statement gives it."""

    def made(chance: Random) -> Numbers:
        q = maker(chance)
        if taken not in q:
            return {}
        left = {n: number for n, number in q.items() if n not in ("client", "averaged", "values")}
        return left | {name: q[taken], "errors": {name: q.get("errors", {}).get(taken, 0.0)}}

    return made


# ---- Theorem 2: two clients without noise


def last_gap(chance: Random) -> Numbers:
    """Huber losses with centres at -c and c; the mean loss has its minimum at 0."""
    beta, radius, c = size(chance), 1e6, zero_or(chance, 10 ** chance.uniform(-7, -1))
    eta, tau, rounds = part(chance) / beta, int(chance.choice([1, 2, 5])), int(chance.choice([1, 2, 10]))
    start = float(10 ** chance.uniform(-1, 1))

    def gap(x: float) -> float:
        return beta * x**2 / 2

    average, starts, gradients, ends, aggregations = start, [], [], [], []
    for _ in range(rounds):
        starts.append(average**2)
        v, clients = average, [average, average]
        for _ in range(tau):
            gradients.append((beta * v) ** 2)
            v -= eta * beta * v
            clients = [w - eta * beta * (w - b) for w, b in zip(clients, (-c, c), strict=True)]
        average = sum(clients) / 2
        ends.append(gap(v))
        aggregations.append(gap(average))
    lowest = min(*ends, *aggregations)
    if lowest <= 0 or max(abs(s) for s in starts) ** 0.5 + c > radius:
        return {}
    slope = beta * (max(starts) ** 0.5 + c)
    return {
        "T": rounds * tau, "tau": tau, "eta": eta, "beta": beta, "rho": slope, "C": slope, "xi": beta * c,
        "d": 1, "B": MANY, "sigma": 0.0, "farthest_start_square": max(starts),
        "auxiliary_gap_mean": min(ends), "averaged_gap_mean": min(aggregations),
        "gradient_square": min(gradients), "lam": lowest * chance.choice([1 - 1e-9, 0.5, 1.9, 100.0]),
        "final_gap_mean": aggregations[-1],
    }  # fmt: skip


INSTANCES: dict[str, Callable[[Random], dict[str, Any]]] = {
    "als_dpfl.claims.loss_decreases": step,
    "als_dpfl.claims.gap_decreases": step,
    "als_dpfl.claims.noise_lengthens": step,
    "als_dpfl.lemma_4": step,
    "als_dpfl.lemma_6": step,
    "als_dpfl.claims.jensen": cubes,
    "als_dpfl.claims.max_difference": largest_difference,
    "als_dpfl.claims_on_tau.minimizer": lambda chance: first_choice_of_tau(chance, limited=False),
    "als_dpfl.claims_on_tau.optimal": lambda chance: first_choice_of_tau(chance, limited=True),
    "als_dpfl.omega.theorem_2": farthest,
    "als_dpfl.omega.lemma_6": farthest,
    "als_dpfl.lemma_2": deviation,
    "als_dpfl.lemma_3.lemma": named(apart, "client", "client_distance"),
    "als_dpfl.theorem_1.distance": named(apart, "averaged", "distance_to_auxiliary"),
    "als_dpfl.theorem_1.value": named(apart, "values", "value_difference"),
    "als_dpfl.theorem_2.theorem_omega": last_gap,
    "als_dpfl.theorem_2.lemma_6_omega": last_gap,
}
