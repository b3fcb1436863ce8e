"""DP-FedAvg and DP-NormFedAvg by hand: rounds on the line, many runs at once, client by client.

A client is a Huber loss of curvature L; its radius makes it a quadratic or nearly an absolute value. What is
sampled comes with its standard error.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Random = np.random.Generator
Numbers = dict[str, Any]
Array = NDArray[np.float64]
RUNS = 400
ROUNDING = 1e-14  # of what a difference is taken of
LEAST = 3 / 16 * math.sqrt(7 / 32)  # of C_hat/L times the gradient, in Theorem 3


def size(chance: Random, decades: float = 1.0) -> float:
    return float(10 ** chance.uniform(-decades, decades))


def part(chance: Random) -> float:
    return float(chance.choice([1 - 1e-6, chance.uniform(0.01, 1), chance.uniform(1, 4), 20.0]))


# ---- Definition 2, Lemma 3, Proposition 1


def tail(x: float) -> float:
    return math.erfc(x / math.sqrt(2)) / 2


def mechanism(chance: Random) -> Numbers:
    """The smallest delta of two Gaussians, their distance in units of their deviation."""
    delta = float(chance.choice([10 ** chance.uniform(-9, -0.01), chance.uniform(0.5, 0.999)]))
    epsilon = float(
        chance.choice([1.0, chance.uniform(0.01, 1), chance.uniform(1, 2), chance.uniform(2, 40)])
    )
    c = math.sqrt(2 * math.log(1.25 / delta))
    smallest = tail(c - epsilon / (2 * c)) - math.exp(epsilon) * tail(c + epsilon / (2 * c))
    return {"delta": delta, "epsilon": epsilon, "Delta_2": size(chance), "smallest_delta": smallest}


def one_step(chance: Random) -> Numbers:
    L = size(chance)
    a, radius, w = L * chance.choice([1.0, chance.uniform()]), chance.choice([1.0, 1e9]), chance.normal() * 3
    eta = float(chance.choice([chance.uniform(0.01, 2), chance.uniform(2, 4)])) / L

    def pull(x: float) -> float:
        return float(a * max(-radius, min(radius, x)))

    before = pull(w)
    after = pull(w - eta * before)
    return {
        "L": L, "eta": eta, "step_gradient_norm": abs(before), "step_gradient_move": abs(after - before),
        "next_gradient_norm_squared": after**2,
    }  # fmt: skip


def one_update(chance: Random) -> Numbers:
    """A quadratic of curvature a, so that the gradient turns by a in every step."""
    L, E = size(chance), int(chance.choice([1, 2, 5, 20]))
    a = L * chance.choice([1.0, chance.uniform()])
    rho = min(0.999, part(chance) / (2 * E))
    eta, slope = rho / (2 * L), size(chance)
    update = sum(slope * (1 - eta * a) ** t for t in range(E))
    return {
        "L": L, "E": E, "rho": rho, "start_gradient": slope, "least_turn": a, "update_norm": abs(update),
        "G": slope * chance.choice([1 + 1e-9, 2.0, 0.6, 0.1]),
        "lam": a * chance.choice([1 - 1e-9, 0.5, 1.9, 5.0]),
    }  # fmt: skip


# ---- runs


def drawn(chance: Random, *, gamma_is_free: bool) -> Numbers:
    n, L, E = int(chance.choice([1, 2, 5])), size(chance), int(chance.choice([1, 1, 3]))
    K, rho = int(chance.choice([1, 3, 20, 100])), float(chance.choice([1e-3, 0.03, 0.3, 0.9]))
    # eta L, of which the conditions on E and K leave 1/(4E); it is rho/(2 alpha) with alpha >= 1 or free.
    step = part(chance) / (4 * E)
    alpha = max(1.0, rho / (2 * step))
    step = step if gamma_is_free else rho / (2 * alpha)
    q: Numbers = {"n": n, "L": L, "E": E, "K": K, "rho": rho, "eta": step / L}
    q["r"] = float(chance.choice([1.0, n]))
    q["apart"] = float(chance.choice([0.0, 0.0, size(chance)])) if n > 1 else 0.0
    q["radius"] = float(chance.choice([1e-6, 0.1, 1.0, 1e9]))
    gaps = client_gaps(q)
    q |= {"Delta_star_max": float(gaps.max()), "Delta_star_mean": float(gaps.mean())}
    lowest = (
        4 * math.sqrt(L * gaps.max())
        if gaps.max() > 0
        else L * min(1.0, q["radius"]) * chance.choice([1, 30])
    )
    q["C_hat"] = lowest * chance.choice([1 + 1e-6, 1.5, 10.0, 0.6])
    q["D0"] = float(chance.choice([size(chance), step / L * q["C_hat"] * E * K, 0.0]))
    if gamma_is_free:
        q["gamma"] = q["eta"] * q["C_hat"] * L * E * K * rho
    else:
        q["alpha"] = alpha
    return q


def centres(q: Numbers) -> Array:
    """Symmetric about 0, which is then a minimiser of the mean."""
    return q["apart"] * np.linspace(-1, 1, int(q["n"])) if q["n"] > 1 else np.zeros(1)


def loss(q: Numbers, x: Array) -> Array:
    a = np.abs(x)
    return q["L"] * np.where(a <= q["radius"], a**2 / 2, q["radius"] * (a - q["radius"] / 2))


def slope(q: Numbers, x: Array) -> Array:
    return q["L"] * np.clip(x, -q["radius"], q["radius"])


def client_gaps(q: Numbers) -> Array:
    """f_i(w*) - min f_i at w* = 0."""
    return loss(q, -centres(q))


def run(chance: Random, q: Numbers, *, normalised: bool) -> Numbers:
    """Means over the rounds and the clients, one number for each run."""
    b, runs, E, K = centres(q), RUNS, int(q["E"]), int(q["K"])
    threshold = q["C_hat"] * E
    noise = math.sqrt(K) * threshold * q["rho"]  # Definition 5: d sigma^2 = K C^2 rho^2, here d = 1
    gaps, at_start = client_gaps(q), loss(q, -b)
    w, seen = np.full(runs, float(q["D0"])), dict.fromkeys(NAMES, np.zeros(runs))
    for _ in range(K):
        x = np.repeat(w[:, None], len(b), axis=1)
        for _ in range(E):
            x = x - q["eta"] * slope(q, x - b)
        u = (w[:, None] - x) / q["eta"]
        length = np.abs(u)
        short = length <= threshold
        if normalised and np.any(length == 0):
            return {}
        gain = threshold / length if normalised else np.ones_like(u)
        gap = loss(q, w[:, None] - b) - at_start
        least = np.minimum(gap, LEAST * q["C_hat"] / q["L"] * np.abs(slope(q, w[:, None] - b)))
        now = {
            "unclipped_gap": short * gap, "clipped_update_norm": ~short * length,
            "unclipped_delta": short * gaps, "unclipped_scaled_gap": short * gain * gap,
            "unclipped_scaled_delta": short * gain * gaps, "unclipped_share": 1.0 * short,
            "least_of_gap_and_gradient": least,
        }  # fmt: skip
        seen = {name: seen[name] + now[name].mean(axis=1) / K for name in NAMES}
        taking = chance.random((runs, len(b))) < q["r"] / q["n"]
        sent = u * (gain if normalised else np.minimum(1.0, threshold / np.maximum(length, threshold)))
        zeta = math.sqrt(q["r"]) * noise * chance.standard_normal((runs, len(b)))
        w = w - q["eta"] * (taking * (sent + zeta)).sum(axis=1) / q["r"]
    return {
        **{name: float(values.mean()) for name, values in seen.items()},
        "errors": {
            name: float(values.std() / math.sqrt(runs) + ROUNDING * (np.abs(values).max() + at_start.max()))
            for name, values in seen.items()
        },
    }


NAMES = (
    "unclipped_gap", "clipped_update_norm", "unclipped_delta", "unclipped_scaled_gap",
    "unclipped_scaled_delta", "unclipped_share", "least_of_gap_and_gradient",
)  # fmt: skip


def theorem(*, normalised: bool, gamma_is_free: bool) -> Callable[[Random], Numbers]:
    def made(chance: Random) -> Numbers:
        q = drawn(chance, gamma_is_free=gamma_is_free)
        # On the line 1/||u|| has no mean where noise carries the mean of u past 0 with a client's gap left.
        if normalised and (q["D0"] == 0 or q["apart"] > 0):
            return {}
        seen = run(chance, q, normalised=normalised)
        if not seen:
            return {}
        own = {
            n: x
            for n, x in q.items()
            if n not in ("apart", "radius", "eta", "K" if not gamma_is_free else "")
        }
        gamma = q["eta"] * q["C_hat"] * q["L"] * q["E"] * q["K"] * q["rho"]
        if q["D0"] > 0:
            ratio = gamma / (q["L"] * q["D0"])
            own["c_gamma"] = max(ratio, 1 / ratio) * (1 + 1e-9)
        else:
            own["c_gamma"] = 1.0
        return own | {"K": q["K"]} | seen

    return made


CLIPPED = theorem(normalised=False, gamma_is_free=False)
NORMALISED = theorem(normalised=True, gamma_is_free=False)
INSTANCES: dict[str, Callable[[Random], Numbers]] = {
    "dp_fedavg.definitions.privacy": mechanism,
    "dp_fedavg.lemma_3": one_step,
    "dp_fedavg.proposition_1": one_update,
    "dp_fedavg.equation_15": CLIPPED,
    "dp_fedavg.theorem_3": CLIPPED,
    "dp_fedavg.theorem_5.general": theorem(normalised=False, gamma_is_free=True),
    "dp_fedavg.equation_16.rate": NORMALISED,
    "dp_fedavg.theorem_4": NORMALISED,
    "dp_fedavg.theorem_6.specific": NORMALISED,
    "dp_fedavg.theorem_6.general": theorem(normalised=True, gamma_is_free=True),
}
