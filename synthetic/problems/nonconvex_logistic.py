"""Binary logistic regression with the non-convex penalty strength * sum_k w_k^2/(1 + w_k^2).

With r(w) = w^2/(1 + w^2): r' = 2 w/(1 + w^2)^2, at most 3 sqrt(3)/8 (at w^2 = 1/3), and
r'' = (2 - 6 w^2)/(1 + w^2)^3, between -1/2 (at w^2 = 1) and 2 (at 0), decreasing in w^2 below 1; and
r''' = 24 w (w^2 - 1)/(1 + w^2)^4. With t = w^2, its square is largest where 5 t^2 - 10 t + 1 = 0: at
t = 1 - 2/sqrt(5), where it is below 4.6686^2.

The infimum lies between that of the logistic part and the lowest value found. Where the penalty is strong it
is known closely: at a point w of value F every w' with f(w') <= F has r(w'_k) <= b = (F - inf of the
logistic part)/strength, that is w'_k^2 <= b/(1 - b) = s. If b < 1/4, so s < 1/3, the function is convex on
that box, with curvature at least mu = strength (2 - 6 s)/(1 + s)^3; then f(w) - f* <= ||grad f(w)||^2/(2
mu), and the minimiser lies within ||grad f(w)||/mu of w.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from synthetic.arguments import positive
from synthetic.certified import enclosures
from synthetic.certified.enclosures import Ball, ball
from synthetic.engine.arithmetic import Array
from synthetic.problems.linear_models.infimum import minimum_near, newton, undecided
from synthetic.problems.linear_models.model import LinearModel
from synthetic.problems.linear_models.objective import Minimum, Objective
from synthetic.problems.linear_models.ridge import NO_PENALTY, Ridge
from synthetic.problems.logistic import Logistic, drawn, signed

RIDGES = (2.0, 0.5, 0.1)  # times the strength: convex problems whose minimisers start the search


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Saturating:
    strength: float

    @property
    def curvatures(self) -> tuple[float, float]:
        return -self.strength / 2, 2 * self.strength

    @property
    def slope(self) -> float:
        return self.strength * 0.6496  # above 3 sqrt(3)/8 = 0.64951...

    @property
    def third_derivative(self) -> float:
        return self.strength * 4.6686  # above 4.66858...

    def values(self, points: Array) -> Array:
        squares = points * points
        return self.strength * (squares / (1 + squares)).sum(axis=-1)

    def gradients(self, points: Array) -> Array:
        return 2 * self.strength * points / (1 + points * points) ** 2

    def enclosed_value(self, point: Array) -> Ball:
        squares = ball(point) * point
        return (squares / (squares + 1.0)).sum(axis=-1) * self.strength

    def enclosed_gradient(self, point: Array) -> Ball:
        below = ball(point) * point + 1.0
        return ball(point) * (2 * self.strength) / (below * below)

    def lowest(self, objective: Objective) -> Minimum:
        part = NO_PENALTY.lowest(replace(objective, penalty=NO_PENALTY))
        point = _lowest_found(objective)
        value = objective.enclosed_value(point)
        share = (value - part.lower) / ball(self.strength)
        if not float(share.upper) <= 0.25:
            return undecided(part.lower, value, point)
        square = share.clip(0.0) / (1.0 - share.clip(0.0))
        cube = (square + 1.0) * (square + 1.0) * (square + 1.0)
        curvature = float(((2.0 - 6.0 * square) * self.strength / cube).lower)
        if not curvature > 0:
            return undecided(part.lower, value, point)
        slope = ball(enclosures.norm(objective.enclosed_gradient(point)).upper)
        descent = slope * slope / ball(2 * curvature)
        return minimum_near(value, descent, point, slope / ball(curvature))


def _lowest_found(objective: Objective) -> Array:
    """The best of a few local searches; that none is lower is not proved."""
    from scipy.optimize import minimize  # loaded on use: a replay needs no optimizer

    starts = [np.zeros(objective.dimension)]
    for factor in RIDGES:
        eased = replace(objective, penalty=Ridge(strength=factor * objective.penalty.curvatures[1] / 2))
        starts.append(newton(eased, starts[0], stop_where_separated=False))
    found = [
        minimize(objective.value, start, jac=objective.gradient, method="BFGS", options={"gtol": 1e-12}).x
        for start in starts
    ]
    return min(found, key=objective.value)


def nonconvex_logistic(
    features: Sequence[object], labels: Sequence[object], *, strength: float = 0.1
) -> LinearModel:
    """One (m_i, d) and one (m_i,) per client; the labels are -1 and 1."""
    positive("strength", strength)
    penalty = Saturating(strength=float(strength))
    return LinearModel(samples=signed(features, labels), loss=Logistic(), penalty=penalty)


def small(
    *,
    clients: int = 5,
    samples: int = 20,
    dimension: int = 4,
    heterogeneity: float = 1.0,
    strength: float = 0.1,
    seed: int = 0,
) -> LinearModel:
    """The samples of `logistic.small`."""
    features, labels = drawn(clients, samples, dimension, heterogeneity, seed)
    return nonconvex_logistic(features, labels, strength=strength)
