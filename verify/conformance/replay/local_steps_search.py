"""The adaptive part of C.alg2: budgets, estimates and the search of tau, as replaceable functions.

Where the listing is silent, the estimate of a client that has not moved is 0; if no client has moved, tau
stays; and if no tau leaves the bracket of C.G positive, tau is 1.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.instance import Instance

Values = Mapping[str, Any]
ROUNDING = 2.0**-52


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What the server holds between rounds: tau, tau as it was found last, and what has been spent."""

    tau: int
    found: int
    communication: float = 0.0
    privacy: float = 0.0


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Estimates:
    lipschitz: float
    smoothness: float
    known: bool


def total_steps(v: Values, tau: float) -> float:
    """C.T with the budgets in rounds and in local steps."""
    rounds = v["communication_budget"] / v["communication_cost"]
    return float(min(rounds * tau, v["privacy_budget"] / v["privacy_cost"]))


def gap(v: Values, tau: float, beta: float, xi: float, d: int) -> float:
    """h of C.eq11."""
    return first_term(v, tau, beta, xi, d) + second_term(v, tau, xi, d)


def first_term(v: Values, power: float, beta: float, xi: float, d: int) -> float:
    """The first term of h; at beta = 0 its limit."""
    eta = v["step"]
    growth = eta * power if beta == 0 else ((eta * beta + 1) ** power - 1) / beta
    return float((xi + noise_term(v, d) / v["batch_size"]) * growth)


def second_term(v: Values, tau: float, xi: float, d: int) -> float:
    return float(v["step"] * (xi + noise_term(v, d)) / v["batch_size"] * tau)


def noise_term(v: Values, d: int) -> float:
    """s in h: 2 sqrt(d) sigma C."""
    return float(2 * math.sqrt(d) * v["noise_multiplier"] * v["clip_threshold"])


def bracket(v: Values, tau: float, rho: float, h: float) -> float:
    return float(v["step"] * v["control"] - rho * h / (tau * v["smallest_gap"] ** 2))


def objective(search: "Search", v: Values, tau: int, rho: float, beta: float, xi: float, d: int) -> float:
    """G of C.G; its constant sqrt(3)/3 moves no minimum."""
    positive = search.bracket(v, tau, rho, search.gap(v, tau, beta, xi, d))
    return 1 / (search.total(v, tau) * positive) if positive > 0 else math.inf


def by_size(sizes: Floats) -> Floats:
    weights: Floats = sizes / sizes.sum()
    return weights


def equal_weights(sizes: Floats) -> Floats:
    """Estimates of clients are averaged alike, whatever their numbers of data points."""
    weights: Floats = np.full(len(sizes), 1 / len(sizes))
    return weights


def distances(gradients: Floats) -> Floats:
    """How far each client's gradient is from their mean."""
    lengths: Floats = np.linalg.norm(gradients - gradients.mean(axis=0), axis=1)
    return lengths


def quotients(values: Floats, away: Floats, gradients: Floats) -> Floats:
    """C.rho_i: the difference of the values over the distance; gradients: those at the average."""
    ratios: Floats = values / away
    return ratios


def bends_over(bends: Floats, away: Floats) -> Floats:
    """C.beta_i: the difference of the gradients over the distance."""
    ratios: Floats = bends / away
    return ratios


Mean = Callable[[Floats, Floats], float]  # of one number for each client, and their weights


def mean(estimates: Floats, weights: Floats) -> float:
    return float(weights @ estimates)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Search:
    """first: tau of the first round. guard(c_b, p_b, values); privacy and communication(values, tau, n): what
    a round costs. paid(tau, the next): the local steps that privacy is counted for. lipschitz, smoothness,
    divergence: the means of the clients' numbers under their weights, which slope(value differences,
    distances, gradients), bend(gradient differences, distances) and apart(gradients) give.
    ordered(rho, beta). place(before, after): where xi is estimated. least, largest(values, tau): the first
    tau that is tried, and tau_m. pick: the index of the chosen tau. none(tau, least): tau if no bracket is
    positive. late: whether the next round still has the tau of before. fresh: whether the estimates are those
    of this round's models; between(before, after): the average that they are taken to; ended(models, the
    average that these started from): the points that they are taken from."""

    first: int = 1
    guard: Callable[[float, float, Values], bool] = lambda c, p, v: (
        c < v["communication_budget"] and p < v["privacy_budget"]
    )
    privacy: Callable[[Values, int, int], float] = lambda v, tau, n: v["privacy_cost"] * tau
    communication: Callable[[Values, int, int], float] = lambda v, tau, n: v["communication_cost"]
    paid: Callable[[int, int], int] = lambda tau, found: tau
    estimate_weights: Callable[[Floats], Floats] = equal_weights
    divergence_weights: Callable[[Floats], Floats] = equal_weights
    lipschitz: Mean = mean
    smoothness: Mean = mean
    divergence: Mean = mean
    values_at: Callable[[Floats], Floats] = np.abs
    slope: Callable[[Floats, Floats, Floats], Floats] = quotients
    bend: Callable[[Floats, Floats], Floats] = bends_over
    ordered: Callable[[float, float], tuple[float, float]] = lambda rho, beta: (rho, beta)
    apart: Callable[[Floats], Floats] = distances
    place: Callable[[Floats, Floats], Floats] = lambda before, after: after
    gap: Callable[[Values, float, float, float, int], float] = gap
    bracket: Callable[[Values, float, float, float], float] = bracket
    total: Callable[[Values, float], float] = total_steps
    least: int = 1
    largest: Callable[[Values, int], int] = lambda v, tau: min(2 * tau, v["search_limit"])
    pick: Callable[[list[float]], int] = lambda values: values.index(min(values))
    none: Callable[[int, int], int] = lambda tau, least: least
    adapts: bool = True
    late: bool = False
    fresh: bool = False
    between: Callable[[Floats, Floats], Floats] = lambda before, after: after
    ended: Callable[[Floats, Floats], Floats] = lambda models, before: models

    def begin(self) -> Held:
        return Held(tau=self.first, found=self.first)

    def goes_on(self, held: Held, v: Values) -> bool:
        return self.guard(held.communication, held.privacy, v)


RIGHT = Search()


def estimates(search: Search, shown: Instance, models: Floats, w: Floats) -> Estimates:
    """C.rho_i and C.beta_i between each client's last model and the average that it received, as means."""
    away = np.linalg.norm(models - w, axis=1)
    away = np.where(away <= len(models) * ROUNDING * np.linalg.norm(w), 0.0, away)
    values = search.values_at(_values(shown, models) - _values(shown, np.array([w] * len(models))))
    bends = np.linalg.norm(shown.bend(shown.curvatures, models - w), axis=1)
    moved = away > 0
    divisor = np.where(moved, away, 1.0)
    weights = search.estimate_weights(np.array(shown.sizes, dtype=np.float64))
    gradients = shown.slopes + shown.bend(shown.curvatures, w - shown.center)
    slopes = search.slope(values, divisor, gradients)
    rho = search.lipschitz(np.where(moved, slopes, 0.0), weights)
    beta = search.smoothness(np.where(moved, search.bend(bends, divisor), 0.0), weights)
    rho, beta = search.ordered(rho, beta)
    return Estimates(lipschitz=rho, smoothness=beta, known=bool(moved.any()))


def _values(shown: Instance, points: Floats) -> Floats:
    away = points - shown.center
    values: Floats = (shown.slopes * away + shown.bend(shown.curvatures, away) * away / 2).sum(axis=1)
    return values


def renewed(
    search: Search, shown: Instance, v: Values, estimated: Estimates, held: Held, before: Floats, w: Floats
) -> Held:
    """Lines 13 and 17-21: the next tau, and what has been spent."""
    found = held.found
    if estimated.known and search.adapts:
        slopes = shown.slopes + shown.bend(shown.curvatures, search.place(before, w) - shown.center)
        weights = search.divergence_weights(np.array(shown.sizes, dtype=np.float64))
        xi = search.divergence(search.apart(slopes), weights)
        rho, beta, d = estimated.lipschitz, estimated.smoothness, shown.dimension
        tried = range(search.least, max(search.least, search.largest(v, held.found)) + 1)
        values = [objective(search, v, t, rho, beta, xi, d) for t in tried]
        possible = any(map(math.isfinite, values))
        found = search.least + search.pick(values) if possible else search.none(held.found, search.least)
    return Held(
        tau=held.found if search.late else found,
        found=found,
        communication=held.communication + search.communication(v, held.tau, shown.clients),
        privacy=held.privacy + search.privacy(v, search.paid(held.tau, found), shown.clients),
    )
