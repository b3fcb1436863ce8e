"""Estimators and search of the adaptive number of local steps, for all replicates at once.

As the listing's paper prints it, the objective is
G(tau) = 1/(T (eta phi - rho h(tau)/(tau lambda^2))) + sqrt(3)/3 with T = min(R_s tau, R_c),
h(x) = (xi + s/B)/beta ((1 + eta beta)^x - 1) + eta (xi + s)/B x and s = 2 sqrt(d) sigma C.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from synthetic.engine.arithmetic import Array, like, namespace, norm
from synthetic.problem import Problem

EPS = 2.0**-52


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimates:
    """Means over the clients, (R,); known is False where no client has moved and nothing is estimated."""

    lipschitz: Array
    smoothness: Array
    divergence: Array
    known: Array


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """noise is s = 2 sqrt(d) sigma C; rounds is R_s and steps is R_c."""

    step: float
    noise: float
    batch_size: int
    control: float
    smallest_gap: float
    rounds: float
    steps: float
    limit: int


def estimates(problem: Problem, models: Array, received: Array, average: Array) -> Estimates:
    """Slopes between each client's own model and the average that it received, divergence at the new one.

    A distance within the rounding of the average is zero: identical clients without noise stay together.
    """
    apart = norm(models - received)
    rounding = problem.clients * EPS * norm(received)
    apart = namespace(apart).where(apart <= rounding, 0.0, apart)
    values = abs(problem.client_values(models) - problem.client_values(received))
    slopes = norm(problem.client_gradients(models) - problem.client_gradients(received))
    divergence = norm(problem.client_gradients(average) - problem.gradient(average))
    known: Array = (apart > 0).sum(axis=0) > 0
    return Estimates(
        lipschitz=_ratio(values, apart),
        smoothness=_ratio(slopes, apart),
        divergence=divergence.sum(axis=0) / problem.clients,
        known=known,
    )


def _ratio(differences: Array, distances: Array) -> Array:
    where, still = namespace(distances).where, distances == 0
    ratios = where(still, 0.0, differences / where(still, 1.0, distances))
    return ratios.sum(axis=0) / len(ratios)


def best_local_steps(objective: Objective, estimated: Estimates, current: Array) -> Array:
    """The smallest minimiser of G over 1..min(2 current, limit), (R,)."""
    xp = namespace(current)
    tried = like(np.arange(1.0, objective.limit + 1.0), current)
    allowed = tried <= 2 * current[:, None]
    values = xp.where(allowed, bound_after(objective, estimated, tried), math.inf)
    best = 1.0 + xp.argmin(values, axis=1)
    # where nothing is finite the smallest argument is 0, hence one local step
    return xp.where(estimated.known, best, current)


def bound_after(objective: Objective, estimated: Estimates, tau: Array) -> Array:
    """G (R, number of taus), +inf where its denominator is not positive."""
    xp = namespace(tau)
    total = xp.where(objective.rounds * tau < objective.steps, objective.rounds * tau, objective.steps)
    growth = estimated.lipschitz[:, None] * deviation(objective, estimated, tau)
    margin = objective.step * objective.control - growth / (tau * objective.smallest_gap**2)
    bounded = margin > 0
    bound = 1.0 / (total * xp.where(bounded, margin, 1.0)) + math.sqrt(3) / 3
    return xp.where(bounded, bound, math.inf)


def deviation(objective: Objective, estimated: Estimates, tau: Array) -> Array:
    """h(tau), (R, number of taus); its limit where the smoothness is estimated as zero."""
    xp = namespace(tau)
    smoothness, divergence = estimated.smoothness[:, None], estimated.divergence[:, None]
    shift = objective.noise / objective.batch_size
    compound = xp.expm1(tau * xp.log1p(objective.step * smoothness))
    flat = smoothness == 0
    grown = xp.where(flat, objective.step * tau, compound / xp.where(flat, 1.0, smoothness))
    linear = objective.step * (divergence + objective.noise) / objective.batch_size * tau
    return (divergence + shift) * grown + linear
