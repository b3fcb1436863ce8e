"""The infimum of a mean of convex losses of linear scores, between proved bounds.

Newton's method only suggests a point w. With g the gradient there and H the Hessian, both enclosed, let
lam > 0 be below the smallest eigenvalue of H, and let the Hessian keep the fraction exp(-s r) within distance
r of w. If r = 2||g||/lam has s r <= log 2, the function is lam/2-strongly convex on that ball, and on its
sphere the outward slope is at least (lam/2) r - ||g|| = 0. So there is a minimiser, within r of w, and
f(w) - f* <= ||g||^2/lam. (That s exists for the logistic losses: F. Bach, Self-concordant analysis for
logistic regression, Electronic Journal of Statistics 4, 2010.) A ridge alone gives r = ||g||/mu and
||g||^2/(2 mu). Directions along which the function is constant are left out of H: g has no part in them.
"""

from dataclasses import replace

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_array, hstack

from synthetic.arguments import integer_at_least
from synthetic.certified import enclosures
from synthetic.certified.enclosures import Ball, ball
from synthetic.engine.arithmetic import Array
from synthetic.errors import BadValue
from synthetic.problems.linear_models.objective import Minimum, Objective

LARGEST_DIMENSION = 4000  # a Hessian of 128 MB


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
    slope = ball(enclosures.norm(objective.enclosed_gradient(point)).upper)
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
    integer_at_least("number of parameters", dimension, 1)
    if dimension > LARGEST_DIMENSION:
        raise BadValue(
            asked="minimum of a linear model",
            failed="too many parameters for Newton's method",
            found=dimension,
            needed=f"at most {LARGEST_DIMENSION}",
            change="use fewer features or classes",
        )


ITERATIONS = 200


def newton(objective: Objective, start: Array, *, stop_where_separated: bool) -> Array:
    """Damped Newton steps while they pay, then full ones while the gradient shrinks."""
    point = start
    for _ in range(ITERATIONS):
        if stop_where_separated and objective.separated(point):
            return point
        step = _step(objective, point)
        gain = float(objective.gradient(point) @ step)
        if not gain > 1e-12 * objective.value(point):
            break
        moved = _shortened(objective, point, step, gain)
        if moved is point:
            break
        point = moved
    for _ in range(5):
        moved = point - _step(objective, point)
        if not np.linalg.norm(objective.gradient(moved)) < np.linalg.norm(objective.gradient(point)):
            break
        point = moved
    return point


def _step(objective: Objective, point: Array) -> Array:
    hessian = objective.hessian(point) + objective.constant_directions()
    # the least shift that keeps a singular Hessian solvable; only the path depends on it
    shift = 1e-14 * np.trace(hessian) + np.finfo(float).tiny
    try:
        factor = cho_factor(hessian + shift * np.eye(len(point)))
        step: Array = cho_solve(factor, objective.gradient(point))
    except (np.linalg.LinAlgError, ValueError):  # not positive definite, or not finite
        return np.zeros_like(point)
    return step if np.isfinite(step).all() else np.zeros_like(point)


def _shortened(objective: Objective, point: Array, step: Array, gain: float) -> Array:
    """The first of the halved steps that lowers the value enough; the point itself if none does."""
    value, length = objective.value(point), 1.0
    while length > 1e-12:
        moved = point - length * step
        if objective.value(moved) <= value - 1e-4 * length * gain:
            return moved
        length /= 2
    return point


PIVOTS = 20_000  # of the simplex method: a budget that is the same on every machine


def separating_point(objective: Objective) -> Array | None:
    """From the linear programme max t, margins >= t, parameters in [-1, 1]; its answer is checked."""
    from scipy.optimize import linprog  # loaded on use: a replay needs no optimizer

    rows = objective.loss.margin_rows(objective.features, objective.answers)
    if rows is None:
        return None
    table = hstack([-rows, csr_array(np.ones((rows.shape[0], 1)))])
    cost = np.append(np.zeros(objective.dimension), -1.0)
    bounds = [(-1.0, 1.0)] * objective.dimension + [(None, 1.0)]
    limits = {"maxiter": PIVOTS}
    found = linprog(cost, A_ub=table, b_ub=np.zeros(rows.shape[0]), bounds=bounds, options=limits)
    if found.x is None or not objective.separated(found.x[:-1]):
        return None
    return found.x[:-1]
