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
    """What the server holds between rounds: tau and what has been spent."""

    tau: int
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


def divergence(slopes: Floats) -> float:
    """The mean of the norms, not the norm of a mean."""
    return float(np.linalg.norm(slopes - slopes.mean(axis=0), axis=1).mean())


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Search:
    """first: tau of the first round. guard(c_b, p_b, values); privacy and communication(values, tau, n): what
    a round costs. lipschitz, smoothness(slopes of the clients): their mean. place(before, after): where xi
    is estimated. largest(values, tau): tau_m. best: the index of the chosen tau."""

    first: int = 1
    guard: Callable[[float, float, Values], bool] = lambda c, p, v: (
        c < v["communication_budget"] and p < v["privacy_budget"]
    )
    privacy: Callable[[Values, int, int], float] = lambda v, tau, n: v["privacy_cost"] * tau
    communication: Callable[[Values, int, int], float] = lambda v, tau, n: v["communication_cost"]
    lipschitz: Callable[[Floats], float] = lambda slopes: float(slopes.mean())
    smoothness: Callable[[Floats], float] = lambda slopes: float(slopes.mean())
    values_at: Callable[[Floats], Floats] = np.abs
    divergence: Callable[[Floats], float] = divergence
    place: Callable[[Floats, Floats], Floats] = lambda before, after: after
    gap: Callable[[Values, float, float, float, int], float] = gap
    bracket: Callable[[Values, float, float, float], float] = bracket
    total: Callable[[Values, float], float] = total_steps
    largest: Callable[[Values, int], int] = lambda v, tau: min(2 * tau, v["search_limit"])
    pick: Callable[[list[float]], int] = lambda values: values.index(min(values))
    adapts: bool = True

    def begin(self) -> Held:
        return Held(tau=self.first)

    def goes_on(self, held: Held, v: Values) -> bool:
        return self.guard(held.communication, held.privacy, v)


RIGHT = Search()


def estimates(search: Search, shown: Instance, models: Floats, w: Floats) -> Estimates:
    """C.rho_i and C.beta_i between each client's last model and the average that it received, as means."""
    away = np.linalg.norm(models - w, axis=1)
    away = np.where(away <= len(models) * ROUNDING * np.linalg.norm(w), 0.0, away)
    values = search.values_at(_values(shown, models) - _values(shown, np.array([w] * len(models))))
    bends = np.linalg.norm(shown.curvatures * (models - w), axis=1)
    moved = away > 0
    divisor = np.where(moved, away, 1.0)
    return Estimates(
        lipschitz=search.lipschitz(np.where(moved, values / divisor, 0.0)),
        smoothness=search.smoothness(np.where(moved, bends / divisor, 0.0)),
        known=bool(moved.any()),
    )


def _values(shown: Instance, points: Floats) -> Floats:
    away = points - shown.center
    values: Floats = (shown.slopes * away + shown.curvatures * away**2 / 2).sum(axis=1)
    return values


def renewed(
    search: Search, shown: Instance, v: Values, estimated: Estimates, held: Held, before: Floats, w: Floats
) -> Held:
    """Lines 13 and 17-21: the next tau, and what has been spent."""
    tau = held.tau
    if estimated.known and search.adapts:
        slopes = shown.slopes + shown.curvatures * (search.place(before, w) - shown.center)
        xi = search.divergence(slopes)
        rho, beta, d = estimated.lipschitz, estimated.smoothness, shown.dimension
        tried = range(1, max(1, search.largest(v, held.tau)) + 1)
        tau = 1 + search.pick([objective(search, v, t, rho, beta, xi, d) for t in tried])
    return Held(
        tau=tau,
        communication=held.communication + search.communication(v, held.tau, shown.clients),
        privacy=held.privacy + search.privacy(v, held.tau, shown.clients),
    )
