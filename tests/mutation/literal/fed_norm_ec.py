"""Fed-alpha-NormEC by hand: local passes on the line, Gaussian walks in closed form, and whole runs.

A client's data points are Huber losses of curvature a <= L with value 0 at their centres. What is sampled
comes with its standard error.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Random = np.random.Generator
Numbers = dict[str, Any]
Array = NDArray[np.float64]
RUNS = 200
ROUNDING = 1e-14  # of what a difference is taken of


def size(chance: Random, decades: float = 1.0) -> float:
    return float(10 ** chance.uniform(-decades, decades))


def part(chance: Random) -> float:
    return float(chance.choice([1 - 1e-6, chance.uniform(0.01, 1), chance.uniform(1, 4), 20.0]))


# ---- Lemmas 1 and 2, the drift


def memory(chance: Random) -> Numbers:
    """T_i(x) = -rho x or rho x on the line; the memory stands anywhere within C, or beyond."""
    rho, gamma, alpha, C = size(chance), size(chance), size(chance), size(chance)
    beta = alpha * chance.choice([1.0, chance.uniform(), 3.0, 100.0])
    eta = C * beta * gamma / ((C + alpha) * (rho + 1)) * part(chance)
    slope = -rho * chance.choice([1 - 1e-9, -1.0, 0.5, 1.8, 10.0])
    x, move = chance.normal(), eta * chance.choice([-1, 1]) * chance.choice([1 - 1e-6, 1.8, 10.0])
    before, after = (x - slope * x) / gamma, (x + move - slope * (x + move)) / gamma
    v = before - C * chance.choice([1 - 1e-6, chance.uniform(), -chance.uniform(), 1.8, 5.0])
    later = v + beta * (before - v) / (alpha + abs(before - v))
    return {
        "C": C, "alpha": alpha, "beta": beta, "gamma": gamma, "eta": eta, "rho": rho,
        "server_move": abs(move), "operator_move": abs(slope * move), "memory_error": abs(before - v),
        "next_memory_error": max(abs(after - later), abs(before - later)),
        "errors": {"next_memory_error": ROUNDING * (abs(before) + abs(after) + abs(v))},
    }  # fmt: skip


def walk(chance: Random) -> Numbers:
    """Gaussian increments from 0 in d dimensions, or no increments from anywhere."""
    beta, sigma, M, K = size(chance), size(chance), int(chance.choice([1, 5])), int(chance.choice([0, 3, 50]))
    q = {"beta": beta, "sigma": sigma, "M": M, "K": K}
    if chance.random() < 0.3:
        start = size(chance, 4)
        return q | {"initial_walk_norm": start, "increment_second_moment": 0.0, "walk_norm": start}
    d, moment = int(chance.choice([1, 200])), sigma**2 * chance.choice([1 - 1e-9, 1.9, 10.0])
    length = math.sqrt(2 / d) * math.exp(math.lgamma((d + 1) / 2) - math.lgamma(d / 2))
    end = beta * math.sqrt(moment * (K + 1) / M) * length
    return q | {"initial_walk_norm": 0.0, "increment_second_moment": moment, "walk_norm": end}


def drift_of_several_steps(chance: Random) -> Numbers:
    """docs/amended: gamma times the indicator of T other than 1 times 8 L sqrt(2 L) sqrt(Delta)."""
    q = {"gamma": size(chance), "L": size(chance), "T": int(chance.integers(1, 4)), "Delta_inf": size(chance)}
    several = 0.0 if q["T"] == 1 else 1.0
    product = 8 * q["L"] * math.sqrt(2 * q["L"]) * math.sqrt(q["Delta_inf"])
    return q | {"drift_term": q["gamma"] * several * product}


# ---- Lemmas 8 and 9: one pass over the data of every client


def passes(a: Array, b: Array, x: float, gamma: float) -> Array:
    """Iterates of every client on a (x - b)^2/2, data point after data point: (M, N + 1)."""
    points = [np.full(len(a), x)]
    for j in range(a.shape[1]):
        points.append(points[-1] - gamma / a.shape[1] * a[:, j] * (points[-1] - b[:, j]))
    return np.stack(points, axis=1)


def long_pass(chance: Random) -> Numbers:
    L, M, N = size(chance), int(chance.choice([1, 3])), int(chance.choice([2, 4, 40]))
    a = L * chance.choice([1.0, 0.0, 0.3], (M, N), p=[0.6, 0.2, 0.2])
    b = size(chance) * chance.standard_normal((M, N)) * chance.choice([0.0, 1.0])
    gamma, x = part(chance) / (2 * L), float(size(chance) * chance.normal())
    if a.sum() == 0:
        return {}
    middle = float((a * b).sum() / a.sum())
    lowest, here = (float((a * (z - b) ** 2 / 2).mean()) for z in (middle, x))
    drift = float(np.abs(passes(a, b, x, gamma)[:, :-1] - x).mean())
    own = {"L": L, "gamma": gamma, "gap": max(0.0, here - lowest), "mean_ig_drift": drift}
    return own | {"Delta_i_inf_mean": max(lowest, 1e-300)}


def two_passes(chance: Random) -> Numbers:
    """From x and from a point at most eta away, or farther; curvatures of either sign."""
    L, M, N = size(chance), int(chance.choice([1, 3])), int(chance.choice([1, 2, 40]))
    a = L * chance.choice([1.0, -1.0]) * chance.choice([1.0, chance.uniform()], (M, N))
    b = size(chance) * chance.standard_normal((M, N)) * chance.choice([0.0, 1.0])
    gamma, x, eta = part(chance) / (2 * L), float(chance.normal()), size(chance)
    move = eta * chance.choice([1 - 1e-9, 0.5, 1.9, 10.0])
    path, other = passes(a, b, x, gamma), passes(a, b, x + move, gamma)
    one_step = x - gamma * (a * (x - b)).mean(axis=1)
    return {
        "L": L, "gamma": gamma, "eta": eta, "server_move": move,
        "ig_path_move": float(np.abs(other - path)[:, :-1].mean(axis=1).max()),
        "local_result_move": float(np.abs(other - path)[:, -1].max()),
        "ig_drift": float(np.abs(path[:, :-1] - x).mean()),
        "mean_ig_operator_error": float(np.abs(path[:, -1] - one_step).mean()),
        "errors": dict.fromkeys(("ig_drift", "mean_ig_operator_error"), ROUNDING * float(np.abs(path).max())),
    }  # fmt: skip


# ---- runs of Algorithm 1


def clients(chance: Random, L: float, N: int) -> tuple[Array, Array, float]:
    """Curvatures, centres (M, N) and the radius within which the losses are quadratic."""
    M = int(chance.choice([1, 4]))
    a = np.full((M, N), L) * chance.choice([1.0, 0.1])
    b = size(chance) * chance.standard_normal((M, N)) * chance.choice([0.0, 1.0])
    return a, b - b.mean(), float(chance.choice([1e-3, 1.0, 1e9]))


def slopes(a: Array, b: Array, radius: float, x: Array) -> Array:
    return a * np.clip(x - b, -radius, radius)


def mean_loss(a: Array, b: Array, radius: float, x: float) -> float:
    z = np.abs(x - b)
    return float((a * np.where(z <= radius, z**2 / 2, radius * (z - radius / 2))).mean())


def lowest_mean_loss(a: Array, b: Array, radius: float) -> float:
    """By halving: the mean slope increases."""
    low, high = float(b.min()), float(b.max())
    for _ in range(100):
        middle = (low + high) / 2
        rises = slopes(a, b, radius, np.full_like(b, middle)).mean() > 0
        low, high = (low, middle) if rises else (middle, high)
    return mean_loss(a, b, radius, low)


def local_update(q: Numbers, a: Array, b: Array, radius: float, x: Array) -> Array:
    """(x - T_i(x))/gamma for every run and client: T steps on the mean of the data, or one pass over them."""
    at = np.repeat(x[:, None], len(a), axis=1)
    if q["incremental"]:
        for j in range(a.shape[1]):
            at = at - q["gamma"] / a.shape[1] * slopes(a[:, j], b[:, j], radius, at)
    else:
        for _ in range(int(q["T"])):
            at = at - q["gamma"] / q["T"] * slopes(a, b, radius, at[..., None]).mean(axis=-1)
    return (x[:, None] - at) / q["gamma"]


def smallest_gradient(chance: Random, q: Numbers, a: Array, b: Array, radius: float) -> tuple[float, float]:
    """The smallest mean of |f'(x^k)| over the rounds, with the standard error of that round."""
    M, runs = len(a), RUNS if q["sigma_DP"] > 0 or q["p"] < 1 else 1
    x = np.full(runs, q["start"])
    v = local_update(q, a, b, radius, x) - q["R"] * (1 - 1e-9) * chance.choice([-1, 1], M)
    server, best = v.mean(axis=1), (math.inf, 0.0)
    for _ in range(int(q["K"]) + 1):
        gradient = np.abs(slopes(a, b, radius, x[:, None, None]).mean(axis=(1, 2)))
        best = min(best, (float(gradient.mean()), float(gradient.std() / math.sqrt(runs))))
        error = local_update(q, a, b, radius, x) - v
        message = error / (q["alpha"] + np.abs(error))
        v = v + q["beta"] * message
        z = q["sigma_DP"] * chance.standard_normal((runs, M))
        taking = chance.random((runs, M)) < q["p"]
        server = server + q["beta"] / M * (taking * (message + z) / q["p"]).sum(axis=1)
        x = x - q["eta"] * np.sign(server)
    rounding = ROUNDING * float(a.max() * (abs(q["start"]) + np.abs(b).max()))
    return best[0], best[1] + rounding


def completed(chance: Random, q: Numbers, *, incremental: bool) -> Numbers:
    """With the problem, the start and what was seen."""
    q = q | {"incremental": incremental}
    a, b, radius = q.pop("problem")
    reach = q["eta"] * (q["K"] + 1)
    q["start"] = float(chance.choice([reach, size(chance), size(chance) * radius]))
    lowest = lowest_mean_loss(a, b, radius)
    q["f0_gap"] = max(0.0, mean_loss(a, b, radius, q["start"]) - lowest)
    q["min_gradient_norm"], error = smallest_gradient(chance, q, a, b, radius)
    if incremental:
        q["Delta_i_inf_mean"] = max(lowest, 1e-300)
    else:
        one_each = [lowest_mean_loss(a[i : i + 1], b[i : i + 1], radius) for i in range(len(a))]
        q["Delta_inf"] = max(0.0, lowest - sum(one_each) / len(a))
    whole = mean_loss(a, b, radius, q["start"])
    q["errors"] = {"min_gradient_norm": error, "f0_gap": ROUNDING * whole}
    return {n: x for n, x in q.items() if n not in ("incremental", "start")}


def basic(chance: Random, *, T: int, N: int) -> Numbers:
    L = size(chance)
    problem = clients(chance, L, N)
    q: Numbers = {
        "L": L,
        "T": T,
        "M": len(problem[0]),
        "K": int(chance.choice([0, 5, 60])),
        "problem": problem,
    }
    q |= {"p": 1.0, "sigma_DP": 0.0}
    if chance.random() < 0.5:
        q |= {"p": float(chance.choice([0.5, 1.0])), "sigma_DP": float(chance.choice([0.1, 1.0, 10.0]))}
    return q


def theorem(*, incremental: bool = False, plain: bool = False) -> Callable[[Random], Numbers]:
    def made(chance: Random) -> Numbers:
        T = 1 if plain else int(chance.choice([1, 2, 5]))
        q = basic(chance, T=T, N=3 if incremental else 1)
        if plain:
            q |= {"p": 1.0, "sigma_DP": 0.0}
        q |= {"R": size(chance, 3), "alpha": size(chance, 3)}
        q["beta"] = q["alpha"] * chance.choice([1.0, chance.uniform(), 1.9, 30.0])
        q["gamma"] = part(chance) / (2 * q["L"])
        q["eta"] = q["beta"] * q["R"] / (4 * q["L"] * (q["R"] + q["alpha"])) * part(chance)
        return completed(chance, q, incremental=incremental)

    return made


def power_rule(*, several: bool, incremental: bool = False) -> Callable[[Random], Numbers]:
    """Corollaries 2 and 5 (powers of an eighth), and 4 (of a sixth)."""

    def made(chance: Random) -> Numbers:
        q = basic(chance, T=int(chance.choice([2, 5, 1])) if several else 1, N=3 if incremental else 1)
        n = (q["K"] + 1) ** (1 / 8 if several else 1 / 6)
        q |= {"D_1": size(chance, 3), "alpha": size(chance, 3)}
        q["beta"] = q["alpha"] * chance.choice([1 - 1e-9, chance.uniform(), 1.9, 30.0])
        q["D_2"] = q["beta"] * n ** (5 if several else 4)
        q["R"], q["gamma"] = q["D_1"] / n, 1 / (2 * q["L"] * n) if several else 1 / (2 * q["L"])
        q["eta_hat"] = q["D_1"] * q["D_2"] / (4 * q["L"] * (q["D_1"] + q["alpha"]))
        q["eta"] = q["eta_hat"] / n ** (7 if several else 5)
        return completed(chance, q, incremental=incremental)

    return made


def private_rule(*, several: bool) -> Callable[[Random], Numbers]:
    """Corollaries 1 and 3, explicit: noise and steps as a privacy target asks."""

    def made(chance: Random) -> Numbers:
        q = basic(chance, T=int(chance.choice([2, 5])) if several else 1, N=1)
        q |= {"epsilon": size(chance, 2), "delta": 10 ** -chance.uniform(1, 6), "c": size(chance)}
        q["B_hat"] = float(chance.choice([1, q["M"]]))
        q["p"] = q["B_hat"] / q["M"]
        q["gamma"] = part(chance) / (2 * q["L"]) if several else 1 / (2 * q["L"])
        log = math.log(1 / q["delta"])
        q["sigma_DP"] = q["c"] * q["p"] * math.sqrt((q["K"] + 1) * log) / q["epsilon"]
        B_2 = 2 * q["B_hat"] * q["c"] ** 2 * log / (q["M"] * q["epsilon"] ** 2)
        a, b, radius = q["problem"]
        start = size(chance) * float(chance.choice([1.0, radius]))
        gap = mean_loss(a, b, radius, start) - lowest_mean_loss(a, b, radius)
        if gap <= 0:
            return {}
        q["beta_hat"] = math.sqrt(3) * q["M"] ** 0.25 * math.sqrt(gap) / (B_2**0.25 * math.sqrt(q["gamma"]))
        q["beta"] = q["beta_hat"] / (q["K"] + 1)
        q["R"] = q["alpha"] = q["beta"] * chance.choice([1 + 1e-9, 3.0, 0.6, 0.1])
        q["eta"] = q["R"] * q["beta_hat"] * q["gamma"] / (2 * (q["K"] + 1) * (q["R"] + q["alpha"]))
        q["start"], q["f0_gap"], q["incremental"] = start, gap, False
        q["min_gradient_norm"], error = smallest_gradient(chance, q, a, b, radius)
        lowest = lowest_mean_loss(a, b, radius)
        one_each = [lowest_mean_loss(a[i : i + 1], b[i : i + 1], radius) for i in range(len(a))]
        q |= {"Delta_inf": max(0.0, lowest - sum(one_each) / len(a)), "errors": {"min_gradient_norm": error}}
        return {n: x for n, x in q.items() if n not in ("incremental", "start", "problem")}

    return made


INSTANCES: dict[str, Callable[[Random], Numbers]] = {
    "fed_norm_ec.lemma_1": memory,
    "fed_norm_ec.lemma_2": walk,
    "fed_norm_ec.claims.drift": drift_of_several_steps,
    "fed_norm_ec.lemma_8": long_pass,
    "fed_norm_ec.lemma_9.c2": two_passes,
    "fed_norm_ec.lemma_9.c3": two_passes,
    "fed_norm_ec.lemma_9.c4": two_passes,
    "fed_norm_ec.theorem_1.main": theorem(),
    "fed_norm_ec.theorem_1.appendix": theorem(),
    "fed_norm_ec.claims.full": theorem(plain=True),
    "fed_norm_ec.theorem_2": theorem(incremental=True),
    "fed_norm_ec.corollary_1.explicit": private_rule(several=False),
    "fed_norm_ec.corollary_2": power_rule(several=True),
    "fed_norm_ec.corollary_3.explicit": private_rule(several=True),
    "fed_norm_ec.corollary_4": power_rule(several=False),
    "fed_norm_ec.corollary_5": power_rule(several=True, incremental=True),
}
