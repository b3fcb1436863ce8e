"""Recursions of numbers, and federated averaging on quadratics that differ only in their centres.

Every client has the curvature a <= L on the line, and 0 as the value f_c* at its centre.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Random = np.random.Generator
Numbers = dict[str, Any]
ROUNDING = 1e-14  # of what a difference is taken of


def size(chance: Random, decades: float = 2.0) -> float:
    return float(10 ** chance.uniform(-decades, decades))


def zero_or(chance: Random, number: float) -> float:
    return float(number * chance.choice([0.0, 1.0]))


def part(chance: Random) -> float:
    """Of what a condition allows: all of it, some, or more than that."""
    return float(chance.choice([1 - 1e-9, chance.uniform(0.01, 1), chance.uniform(1, 2), 10.0]))


def constants(chance: Random) -> Numbers:
    H = int(chance.choice([1, 2, 5, 30]))
    M, L = int(chance.choice([1, 2, 20])), size(chance)
    zeta = zero_or(chance, size(chance))
    return {"H": H, "M": M, "L": L, "zeta": zeta, "sigma": zero_or(chance, size(chance))}


# ---- sequences of numbers


def one_step_adds(q: Numbers) -> float:
    return q["eta"] / 2 * q["zeta"] ** 2 + q["L"] * q["eta"] ** 2 * q["sigma"] ** 2 / q["M"]


def a_round_adds(q: Numbers) -> float:
    noise = 4 * q["eta"] ** 2 * q["H"] * q["L"] / q["M"]
    noise += 3 * q["eta"] ** 3 * q["H"] * (q["H"] - 1) * q["L"] ** 2
    return 2 * q["eta"] * q["H"] * q["zeta"] ** 2 + noise * q["sigma"] ** 2


def unrolled(chance: Random) -> Numbers:
    q = constants(chance) | {
        "f0_gap": zero_or(chance, size(chance)),
        "R": int(chance.choice([0, 1, 3, 3000])),
    }
    q["eta"] = part(chance) / (18 * q["H"] * q["L"])
    q["mu_1"] = 2 * q["L"] * chance.choice([1.0, chance.uniform(), 10.0, 300.0])
    s = q["f0_gap"]
    for _ in range(int(q["R"])):
        s = (1 - q["eta"] * q["H"] * q["mu_1"] / 4) * s + a_round_adds(q)
        if s < 0:
            return {}
    return q | {"last_s": s}


def one_step_end(chance: Random) -> Numbers:
    q = constants(chance) | {"f0_gap": zero_or(chance, size(chance)), "R": int(chance.choice([0, 1, 3, 30]))}
    q["eta"] = part(chance) / (18 * q["L"])
    q["mu_1"] = 2 * q["L"] * chance.choice([1.0, chance.uniform(), 10.0, 300.0])
    floor = q["zeta"] ** 2 / q["mu_1"] + 2 * q["L"] * q["eta"] * q["sigma"] ** 2 / (q["mu_1"] * q["M"])
    bound = (1 - q["eta"] * q["mu_1"] / 2) ** q["R"] * q["f0_gap"] + floor
    return {n: x for n, x in q.items() if n != "H"} | {"bound_s3": bound}


def step_size_of_f3(chance: Random) -> Numbers:
    q = constants(chance) | {"gap": size(chance), "alpha": chance.uniform(1.01, 2), "mu": size(chance)}
    q["eta"] = part(chance) / (2 * q["L"])
    least = max(0.0, q["mu"] * q["gap"] ** q["alpha"] - q["zeta"] ** 2)
    square = least * chance.choice([1 + 1e-9, 2.0, 0.3])
    descent = q["eta"] * (1 - q["L"] * q["eta"]) * square
    bound = q["gap"] - descent + q["L"] * q["eta"] ** 2 * q["sigma"] ** 2 / q["M"]
    return q | {
        "gradient_norm": math.sqrt(square),
        "bound_35": bound,
        "errors": {"bound_35": ROUNDING * q["gap"]},
    }


def floor_of_one_step(q: Numbers) -> float:
    noise = 2 * q["L"] * q["eta"] * q["sigma"] ** 2 / (q["M"] * q["mu"])
    return float((q["zeta"] ** 2 / q["mu"]) ** (1 / q["alpha"]) + noise ** (1 / q["alpha"]))


def twice_the_floor(chance: Random) -> Numbers:
    """The largest of a few rounds in which the recursion holds with equality."""
    q = constants(chance) | {"alpha": chance.uniform(1.01, 2)}
    q["eta"] = part(chance) / q["L"]
    heterogeneity, noise = q["zeta"] ** 2, 2 * q["L"] * q["eta"] * q["sigma"] ** 2 / q["M"]
    added = heterogeneity ** (1 / q["alpha"]) + noise ** (1 / q["alpha"])
    if added == 0:
        return {}
    largest_mu = (2 / (q["eta"] * added ** (q["alpha"] - 1))) ** q["alpha"]
    q["mu"] = largest_mu * chance.choice([1 - 1e-9, 0.3, 3.0, 30.0])
    floor, kappa = floor_of_one_step(q), q["eta"] * q["mu"] / 2
    # From 0 a round rises most.
    s, largest = floor * chance.choice([1 - 1e-9, 0.0, chance.uniform(), 1.5, 2.5]), 0.0
    q["s_r"] = s
    rounds = int(chance.integers(1, 4))
    for _ in range(rounds):
        s = s - kappa * s ** q["alpha"] + one_step_adds(q)
        if s < 0:
            return {}
        largest = max(largest, s)
    return q | {"largest_later_s": largest}


def floor_of_a_round(chance: Random) -> Numbers:
    q = constants(chance) | {"alpha": chance.uniform(1.01, 2), "mu": size(chance)}
    q["eta"] = part(chance) / (18 * q["H"] * q["L"] * q["M"])
    return q | {"round_floor": a_round_adds(q)}


def next_excess(chance: Random) -> Numbers:
    q = constants(chance) | {"alpha": chance.uniform(1.01, 2), "mu": size(chance)}
    q["eta"] = part(chance) / q["L"]
    floor = floor_of_one_step(q)
    q["s_r"] = floor * chance.uniform(0, 3) + zero_or(chance, size(chance))
    after = q["s_r"] - q["eta"] * q["mu"] / 2 * q["s_r"] ** q["alpha"] + one_step_adds(q)
    if after < 0:
        return {}
    return q | {"next_v": after - floor, "errors": {"next_v": ROUNDING * (after + floor)}}


# ---- runs


def run(chance: Random, rounds: int, *, exponent_one: bool) -> Numbers:
    """Exact mean of F after the rounds, with noise +-sigma; mu is right wherever a run can be."""
    q = constants(chance)
    q["R"] = rounds
    q["eta"] = part(chance) / (18 * q["H"] * q["L"] * (1 if exponent_one else q["M"]))
    a = q["L"] * (1.0 if chance.random() < 0.5 else chance.uniform(0.01, 1))
    spread = q["zeta"] / a
    start = zero_or(chance, size(chance))
    shrink = (1 - q["eta"] * a) ** q["H"]
    noise = sum((1 - q["eta"] * a) ** (2 * j) for j in range(int(q["H"])))
    reach = sum(abs(1 - q["eta"] * a) ** j for j in range(int(q["H"]))) * q["eta"] * q["sigma"]
    mean, variance, farthest = start, 0.0, abs(start)
    far = farthest
    for _ in range(rounds):
        mean *= shrink
        variance = shrink**2 * variance + q["eta"] ** 2 * q["sigma"] ** 2 * noise / q["M"]
        far = abs(shrink) * far + reach
        farthest = max(farthest, far)
    # Centres at -spread and spread, half of the clients each; one client has none.
    if q["M"] == 1:
        q["zeta"] = spread = 0.0
    q["F_mean"] = a * (mean**2 + variance + spread**2) / 2
    q["F_start"] = a * (start**2 + spread**2) / 2
    if exponent_one:
        return q | {"mu_1": 2 * a}
    q["alpha"] = float(chance.choice([2.0, 1.5, chance.uniform(1.01, 2)]))
    largest = a * (farthest + spread) ** 2 / 2
    return q | {"mu": 2 * a * largest ** (1 - q["alpha"])} if largest > 0 else {}


def renamed(q: Numbers, start: str, end: str, *, without: tuple[str, ...] = ()) -> Numbers:
    names = {"F_start": start, "F_mean": end}
    return {names.get(n, n): x for n, x in q.items() if n not in without}


def one_round(chance: Random) -> Numbers:
    return renamed(run(chance, 1, exponent_one=False), "gap", "mean_next_gap", without=("R",))


def theorem_f2(chance: Random) -> Numbers:
    return renamed(run(chance, int(chance.choice([0, 1, 5, 400])), exponent_one=True), "f0_gap", "final_gap")


def theorem_f4(chance: Random) -> Numbers:
    return renamed(run(chance, int(chance.choice([1, 5, 400])), exponent_one=False), "f0_gap", "final_gap")


INSTANCES: dict[str, Callable[[Random], dict[str, Any]]] = {
    "fedavg_lojasiewicz.claims_of_theorem_f2.unroll": unrolled,
    "fedavg_lojasiewicz.claims_of_theorem_f2.h1end": one_step_end,
    "fedavg_lojasiewicz.claims_of_lemma_f3.eta1l": step_size_of_f3,
    "fedavg_lojasiewicz.claims_of_lemma_f3.twice_the_floor": twice_the_floor,
    "fedavg_lojasiewicz.claims_of_theorem_f4.same": floor_of_a_round,
    "fedavg_lojasiewicz.equation_41": next_excess,
    "fedavg_lojasiewicz.recursions.f4": one_round,
    "fedavg_lojasiewicz.theorem_f2": theorem_f2,
    "fedavg_lojasiewicz.theorem_f4": theorem_f4,
}
