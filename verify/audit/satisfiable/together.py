"""One point and one problem together: the conditions hold at numbers that the problem allows."""

import math
from collections.abc import Mapping

import numpy as np

from bounds.errors import Misuse
from bounds.evaluation.resolve import resolve
from bounds.language.statement import Statement
from synthetic.problem import Problem
from verify.matching.constants.offered import offer_constants
from verify.parameters.region import region
from verify.parameters.valid import UnsolvableCondition
from verify.search.smallest import Point, smallest

Ends = Mapping[str, tuple[float, float]]


def holds_at(statement: Statement, point: Point) -> bool:
    """Every condition is decided and holds."""
    try:
        return statement.evaluate(**point).applicable is True
    except Misuse:  # a quantity is missing, or is none of its own
        return False


def point_with(statement: Statement, problem: Problem, known: Point) -> Point | None:
    """A point at which all conditions hold, with every constant on the safe side of the problem's.

    The point that is known comes first, then the same with the problem's own constants, then a search.
    """
    ends, own = _list_ends(statement, problem)
    tried = [known, known | own]
    found = next((point for point in tried if _is_allowed(ends, point) and holds_at(statement, point)), None)
    if found is not None:
        return found
    try:
        _, last = smallest(region(statement), lambda points: _distance(ends, points), enough=0.0, restarts=1)
    except UnsolvableCondition:
        return None
    return last if last is not None and _is_allowed(ends, last) and holds_at(statement, last) else None


def _is_allowed(ends: Ends, point: Point) -> bool:
    return all(low <= point[name] <= high for name, (low, high) in ends.items() if name in point)


def _list_ends(statement: Statement, problem: Problem) -> tuple[Ends, Point]:
    """What the problem allows for each constant that is an input, and the value of its own."""
    resolved, quantities = resolve(statement), statement.notation.quantities
    ends, own = dict[str, tuple[float, float]](), dict[str, float]()
    for name, offer in offer_constants(statement, problem).items():
        part = quantities[name].part
        if offer.value is None or part is None or name not in resolved.required | resolved.optional:
            continue
        own[name] = offer.value
        below = -math.inf if part.lower else offer.value
        above = offer.value if part.lower else math.inf
        if part.within and offer.lower is not None and offer.upper is not None:
            below, above = offer.lower, offer.upper
        ends[name] = below, above
    return ends, own


def _distance(ends: Ends, points: Mapping[str, np.ndarray]) -> np.ndarray:
    """How far constants are from what the problem allows, in decades; 0 where all of them are allowed."""
    total = np.zeros(len(next(iter(points.values()), np.zeros(1))))
    for name, (low, high) in ends.items():
        if name in points:
            x = np.asarray(points[name], dtype=float)
            outside = np.maximum(low - x, 0) + np.maximum(x - high, 0)
            total = total + np.log1p(outside / (abs(low) if math.isfinite(low) and low else 1.0))
    return total
