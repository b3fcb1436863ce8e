"""Constants of a problem on the safe side, and cells held to them.

A cell that understates the smoothness of its problem would refute a true statement. So every parameter that
is a constant of the problem is compared with the certified one before a run, also when a record is replayed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, sqrt
from typing import final

import numpy as np
from numpy.typing import NDArray

from synthetic.certified import facts
from synthetic.errors import Refusal
from synthetic.problem import Problem

RESOLVED = 2.0**-26  # the root of the rounding of float64
PARTS = 10**18  # of a unit, to which a root that is not rational is bounded


def upper(problem: Problem, name: str) -> float:
    return float(facts.upper(problem.constants(), name))


def lower(problem: Problem, name: str) -> float:
    return float(facts.lower(problem.constants(), name))


def exact_upper(problem: Problem, name: str) -> Fraction:
    return Fraction(facts.upper(problem.constants(), name))


def exact_lower(problem: Problem, name: str) -> Fraction:
    return Fraction(facts.lower(problem.constants(), name))


def uppers(problem: Problem, name: str) -> list[float]:
    """A constant that has one entry per client."""
    column = facts.certified_upper(name, facts.known(problem.constants(), name))
    return [float(entry) for entry in (column if isinstance(column, tuple) else (column,))]


@final
@dataclass(frozen=True, slots=True)
class Requirement:
    """`parameter` must lie in [at_least, at_most]; an end that binds nothing is None."""

    parameter: str
    value: float | Fraction
    at_least: float | Fraction | None = None
    at_most: float | Fraction | None = None
    because: str | None = None  # where the limit is not a constant of the problem


def unfit(requirements: Sequence[Requirement]) -> str | None:
    """The first parameter that is not on the safe side of its certified constant."""
    for r in requirements:
        # an end without a value, NaN, is met by nothing
        below = r.at_least is not None and not r.value >= r.at_least
        above = r.at_most is not None and not r.value <= r.at_most
        if r.because is not None and (below or above):
            return f"{r.parameter} = {float(r.value):.6g}: {r.because}"
        if r.at_least is not None and below:
            return f"{r.parameter} = {float(r.value):.6g} is below the problem's {float(r.at_least):.6g}"
        if r.at_most is not None and above:
            return f"{r.parameter} = {float(r.value):.6g} is above the problem's {float(r.at_most):.6g}"
    return None


def as_points(start: Sequence[Fraction]) -> NDArray[np.object_]:
    """One point of an exact problem, as its functions take it."""
    point = np.empty((1, len(start)), dtype=object)
    point[0] = [Fraction(x) for x in start]
    return point


def distance(problem: Problem, start: Sequence[float]) -> float:
    """The float64 distance of the start to the minimizer; parameters exceed its rounding by a factor."""
    offsets = (float(a) - float(b) for a, b in zip(start, problem.minimiser(), strict=True))
    return sqrt(sum(x * x for x in offsets))


def blurred(problem: Problem, start: Sequence[object] | None) -> str | None:
    """A sentence if a float64 start is so near the minimizer that steps are lost; else None.

    A gap is then the square of a rounding. A start at the minimizer is not blurred.
    """
    if problem.exact or start is None or not all(isinstance(x, float) for x in start):
        return None
    try:
        best = np.asarray(problem.minimiser(), dtype=np.float64)
    except Refusal:
        return None
    at = np.asarray(start, dtype=np.float64)
    apart, far = np.max(np.abs(at - best)), max(np.max(np.abs(at)), np.max(np.abs(best)))
    if apart == 0 or apart >= RESOLVED * far:
        return None
    return f"the start is {apart:.3g} from the minimizer, {far:.3g} from 0: too near for float64"


def rational_root(square: Fraction, *, below: bool) -> Fraction:
    """The root where it is rational, else a little less or a little more."""
    above, under = isqrt(square.numerator), isqrt(square.denominator)
    if above * above == square.numerator and under * under == square.denominator:
        return Fraction(above, under)
    parts = isqrt(square.numerator * PARTS * PARTS // square.denominator)
    return Fraction(parts if below else parts + 1, PARTS)


def squared_distance(problem: Problem, start: Sequence[Fraction]) -> Fraction:
    """The squared distance of the start to the minimiser of an exact problem."""
    offsets = (Fraction(a) - Fraction(b) for a, b in zip(start, problem.minimiser(), strict=True))
    return sum((x * x for x in offsets), Fraction(0))
