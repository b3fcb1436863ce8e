"""Whether the values of a function that somebody gives are those of its class: tried at midpoints.

A lemma that takes no gradient is given none. Of a mu-strongly convex f, f(m) at the middle m of a and b is at
least mu/8 ||a - b||^2 below the mean of f(a) and f(b); L-smooth f differ by L/8 ||a - b||^2 at most.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
CLEAR: Final = 1e-6  # of the largest number that is compared: values may be of single precision


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Class:
    """Constants of a class, None where it has none; `curved` is the least curvature, negative if weak."""

    curved: tuple[str, float] | None
    smooth: float | None
    lipschitz: float | None
    quasi_convex: bool


def find_broken(name: str, value: Callable[[Array], Any], asked: Class, points: list[Array]) -> Iterator[str]:
    for a, b in combinations(points, 2):
        first, second, middle = (float(np.asarray(value(p))) for p in (a, b, (a + b) / 2))
        distance, size = float(np.linalg.norm(a - b)), abs(first) + abs(second) + abs(middle)
        for what, excess, limit in _compare(asked, first, second, middle, distance):
            if excess - limit > CLEAR * (size + abs(limit)):
                yield f"{name} is not {what}: see {show(a)} and {show(b)}"


def _compare(
    asked: Class, first: float, second: float, middle: float, distance: float
) -> Iterator[tuple[str, float, float]]:
    """What the class says, a number, and its limit."""
    sag = (first + second) / 2 - middle
    if asked.curved is not None:
        words, mu = asked.curved
        yield words, -sag, -mu / 8 * distance**2
    if asked.smooth is not None:
        yield f"smooth with the constant {asked.smooth:g}", abs(sag), asked.smooth / 8 * distance**2
    if asked.lipschitz is not None:
        words = f"Lipschitz with the constant {asked.lipschitz:g}"
        yield words, abs(first - second), asked.lipschitz * distance
    if asked.quasi_convex:
        yield "quasi-convex", middle, max(first, second)


def show(point: Array) -> str:
    return f"({', '.join(f'{x:.4g}' for x in point[:4])}{', ...' if point.size > 4 else ''})"
