"""What the rounding of an iterate may change in a measurement of it: near a minimizer that is all there is.

A sum that is as large as the minimizer or the start is known up to a share of that, however near to the
minimizer the exact iterate comes. Disturbed products (`synthetic.engine.disturbance`) do not show it: the sum
itself is rounded.
"""

from math import isfinite, sqrt
from typing import Any, Final

import numpy as np

from synthetic.errors import Refusal
from synthetic.problem import Problem

# A share of the largest point around: a few hundred sums, far below any effect.
OF_A_POINT: Final = 1e-13
# A value of f is known up to this share of the largest one around: see `synthetic.measures.without_rounding`.
OF_A_GAP: Final = 1e-12


def rounding_of(measured: str, size: float, problem: Problem, start: Any, lowest: float) -> float:
    """The amount for a measurement of this size; 0 for an observable of an author's own."""
    if measured.endswith("gap"):
        return OF_A_GAP * max(1.0, abs(lowest))
    if not isfinite(size) or measured not in ("squared_distance", "gradient_norm", "squared_gradient_norm"):
        return 0.0
    moved = OF_A_POINT * _largest_point(problem, start)
    if measured != "squared_distance":
        smoothness = float(problem.facts().smoothness)
        moved = moved * smoothness if isfinite(smoothness) else 0.0
    if measured == "gradient_norm":
        return moved
    return moved * (2 * sqrt(size) + moved)


def _largest_point(problem: Problem, start: Any) -> float:
    largest = float(np.linalg.norm(np.asarray([float(x) for x in start], dtype=np.float64)))
    try:
        return max(largest, float(np.linalg.norm(np.asarray(problem.minimiser(), dtype=np.float64))))
    except Refusal:
        return largest
