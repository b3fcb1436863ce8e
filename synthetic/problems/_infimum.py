"""The infimum of a mean of convex losses of linear scores, between proved bounds.

Newton's method only suggests a point w. With g the gradient there and H the Hessian, both enclosed, let
lam > 0 be below the smallest eigenvalue of H, and let the Hessian keep the fraction exp(-s r) within distance
r of w. If r = 2||g||/lam has s r <= log 2, the function is lam/2-strongly convex on that ball, and on its
sphere the outward slope is at least (lam/2) r - ||g|| = 0. So there is a minimiser, within r of w, and
f(w) - f* <= ||g||^2/lam. (That s exists for the logistic losses: F. Bach, Self-concordant analysis for
logistic regression, Electronic Journal of Statistics 4, 2010.) A ridge alone gives r = ||g||/mu and
||g||^2/(2 mu). Directions along which the function is constant are left out of H: g has no part in them.
"""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from synthetic import enclosure
from synthetic.arithmetic import Array
from synthetic.checks import whole
from synthetic.enclosure import Ball, ball
from synthetic.errors import BadValue
from synthetic.problems._newton import newton
from synthetic.problems._objective import Objective
from synthetic.problems._separation import separating_point

LARGEST_DIMENSION = 4000  # a Hessian of 128 MB


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Minimum:
    """lower <= infimum <= upper. `distance`: from `point` to a minimiser at most, None where none is known.

    attained None: not decided. The value at the point is at most `upper` where a minimiser may exist.
    """

    lower: float
    upper: float
    point: Array
    distance: float | None
    attained: bool | None


def lowest(objective: Objective) -> Minimum:
    """The infimum of an objective whose penalty is a ridge."""
    _check_dimension(objective.dimension)
    start = np.zeros(objective.dimension)
    free = not objective.ridge
    if free and objective.intercept and (idle := objective.loss.idle_scores(objective.answers)).any():
        # through the intercept these scores sink for all samples at once, and the loss falls to the others'
        others = lowest(replace(objective, answers=objective.answers[~idle]))
        return replace(others, distance=None, attained=False)
    point = newton(objective, start, stop_where_separated=free)
    if free and objective.separated(point):
        return _not_attained(point)
    found = certified(objective, point)
    if found is not None:
        return found
    separating = separating_point(objective)
    if separating is not None:
        return _not_attained(separating)
    return undecided(0.0, objective.enclosed_value(point), point)


def certified(objective: Objective, point: Array) -> Minimum | None:
    """The theorem at the head of this file at a point; None where its conditions fail."""
    value = objective.enclosed_value(point)
    slope = ball(enclosure.norm(objective.enclosed_gradient(point)).upper)
    known = _by_ridge(objective, slope)
    # where the ridge leaves less than rounding does, the costly Hessian would add nothing
    if known is None or float(known[1].upper) > value.radius:
        known = _by_hessian(objective, point, slope) or known
    return None if known is None else minimum_near(value, known[1], point, known[0])


def minimum_near(value: Ball, descent: Ball, point: Array, distance: Ball) -> Minimum:
    """From the value at a point, and how far above the infimum and from a minimiser it is."""
    lower = max(float((value - descent).lower), 0.0)  # losses and penalties are not negative
    upper = max(float(value.upper), lower)
    return Minimum(lower=lower, upper=upper, point=point, distance=float(distance.upper), attained=True)


def undecided(lower: float, value: Ball, point: Array) -> Minimum:
    upper = max(float(value.upper), lower)
    return Minimum(lower=lower, upper=upper, point=point, distance=None, attained=None)


def _by_ridge(objective: Objective, slope: Ball) -> tuple[Ball, Ball] | None:
    """Upper bounds on the distance to the minimiser, and on how far the value is above the infimum."""
    if not objective.ridge:
        return None
    return slope / ball(objective.ridge), slope * slope / ball(2 * objective.ridge)


def _by_hessian(objective: Objective, point: Array, slope: Ball) -> tuple[Ball, Ball] | None:
    curvature = objective.curvature_below(point)
    if not curvature > 0:
        return None
    distance = 2.0 * slope / ball(curvature)
    if objective.loss.steepness * objective.reach * float(distance.upper) > 0.69:  # log 2 = 0.693...
        return None
    return distance, slope * slope / ball(curvature)


def _not_attained(point: Array) -> Minimum:
    return Minimum(lower=0.0, upper=0.0, point=point, distance=None, attained=False)


def _check_dimension(dimension: int) -> None:
    whole("number of parameters", dimension, 1)
    if dimension > LARGEST_DIMENSION:
        raise BadValue(
            asked="minimum of a linear model",
            failed="too many parameters for Newton's method",
            found=dimension,
            needed=f"at most {LARGEST_DIMENSION}",
            change="use fewer features or classes",
        )
