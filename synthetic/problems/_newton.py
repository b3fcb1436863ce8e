"""Newton's method on a convex objective. It only suggests a point; nothing that is proved rests on it."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from synthetic.arithmetic import Array
from synthetic.problems._objective import Objective

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
