"""Convex sets of a lemma, each with its projection in closed form."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from verify.objects import formulas
from verify.objects.draw import Draw, Points
from verify.objects.functions import SLACK, Written

Make = Callable[[Draw, int, float | None], Written]


def drawn_set(draw: Draw, d: int, diameter: float | None) -> Written:
    """The projection on a set, by whose words a reader knows it."""
    kinds = BOUNDED if diameter is not None else BOUNDED | UNBOUNDED
    names = sorted(kinds)
    return kinds[names[int(draw.random.integers(len(names)))]](draw, d, diameter)


def _width(draw: Draw, diameter: float | None) -> float:
    return draw.length() if diameter is None else diameter * draw.share()


def ball(draw: Draw, d: int, diameter: float | None) -> Written:
    centre, radius = draw.points(d, 1, scale=1.0)[0], _width(draw, diameter) / 2

    def nearest(x: Points) -> Any:
        away = x - centre
        length = np.sqrt((away * away).sum(axis=-1, keepdims=True))
        return centre + away * (radius / np.maximum(length, radius))

    away = formulas.shifted(centre[0]).strip("()") if d == 1 else f"x - {formulas.vector(centre)}"
    norm = f"|{away}|" if d == 1 else f"||{away}||"
    return Written(nearest, lambda: f"{{x: {norm} <= {formulas.number(radius)}}}")


def box(draw: Draw, d: int, diameter: float | None) -> Written:
    """Sides of which some may be points."""
    low, width = draw.points(d, 1, scale=1.0)[0], _width(draw, diameter)
    sides = width * draw.random.random(d)
    if diameter is not None:
        sides = sides / (1 if d == 1 else np.sqrt(d) * SLACK)
    high = low + sides

    def nearest(x: Points) -> Any:
        return np.minimum(np.maximum(x, low), high)

    return Written(nearest, lambda: f"{{x: {formulas.vector(low)} <= x <= {formulas.vector(high)}}}")


def point(draw: Draw, d: int, _: float | None) -> Written:
    only = draw.points(d, 1, scale=1.0)[0]
    return Written(lambda x: only + 0 * x, lambda: f"{{{formulas.vector(only)}}}")


def segment(draw: Draw, d: int, diameter: float | None) -> Written:
    start, along = draw.points(d, 1, scale=1.0)[0], draw.directions(d, 1)[0] * _width(draw, diameter)
    if diameter is not None and np.count_nonzero(along) > 1:
        along = along / SLACK

    def nearest(x: Points) -> Any:
        share = _along(x - start, along) / _along(along + 0 * x, along)
        return start + np.minimum(np.maximum(share, 0.0), 1.0) * along

    return Written(nearest, lambda: f"{{{formulas.vector(start)} + t {formulas.vector(along)}: 0 <= t <= 1}}")


def _along(x: Points, direction: Points) -> Any:
    """The inner product, in the digits of x: of two vectors of float64 it would be rounded."""
    return (x * direction).sum(axis=-1, keepdims=True)


def halfspace(draw: Draw, d: int, _: float | None) -> Written:
    normal, level = draw.directions(d, 1)[0], float(draw.points(1, 1, scale=1.0)[0, 0])

    def nearest(x: Points) -> Any:
        above = _along(x, normal) - level
        return x - np.maximum(above, 0.0) / _along(normal + 0 * x, normal) * normal

    return Written(nearest, lambda: f"{{x: <{formulas.vector(normal)}, x> <= {formulas.number(level)}}}")


def plane(draw: Draw, d: int, _: float | None) -> Written:
    normal, level = draw.directions(d, 1)[0], float(draw.points(1, 1, scale=1.0)[0, 0])

    def nearest(x: Points) -> Any:
        return x - (_along(x, normal) - level) / _along(normal + 0 * x, normal) * normal

    return Written(nearest, lambda: f"{{x: <{formulas.vector(normal)}, x> = {formulas.number(level)}}}")


def orthant(_: Draw, d: int, __: float | None) -> Written:
    return Written(lambda x: np.maximum(x, 0 * x), lambda: "{x: x >= 0}")


BOUNDED: Final[dict[str, Make]] = {"ball": ball, "box": box, "point": point, "segment": segment}
UNBOUNDED: Final[dict[str, Make]] = {"halfspace": halfspace, "plane": plane, "orthant": orthant}
