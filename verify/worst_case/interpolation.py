"""When values and gradients at finitely many points are those of a function of the class.

Units in which the smoothness constant is 1. The class: f is 1-smooth, and f - m/2 ||x||^2 is convex. m = 0 is
the convex class, 0 < m < 1 the strongly convex one and m = -1 the smooth one without convexity. The
conditions are necessary and sufficient (Taylor, Hendrickx, Glineur 2017); docs/worst_case.md derives them.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from verify.worst_case.checker import Form
from verify.worst_case.vectors import Sum, Vector


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A point of the run: `value` is the index of a free number, or None for the reference value 0."""

    name: str
    x: Vector
    gradient: Vector
    value: int | None


def interpolation(p: Point, q: Point, curvature: Fraction | None) -> Form:
    """f(p) is at least what the class allows below it, given value and gradient at q; None: only convex."""
    moved, turned = p.x - q.x, p.gradient - q.gradient
    found = Sum().add_value(p.value, 1).add_value(q.value, -1)
    found.add_inner(q.gradient, moved, -1)
    if curvature is None:
        return found.form(f"class at {p.name} from {q.name}")
    weight = 1 / (2 * (1 - curvature))
    found.add_inner(turned, turned, -weight)
    if curvature:
        found.add_inner(moved, moved, -weight * curvature)
        found.add_inner(turned, moved, 2 * weight * curvature)
    return found.form(f"class at {p.name} from {q.name}")


def all_interpolations(points: list[Point], curvature: Fraction | None) -> list[Form]:
    """The conditions of every ordered pair of points."""
    return [interpolation(p, q, curvature) for p in points for q in points if p is not q]


def limit_subgradients(points: list[Point]) -> list[Form]:
    """Subgradients of length at most 1: with them the class is that of convex functions with G = 1."""
    return [Sum(Fraction(1)).add_inner(p.gradient, p.gradient, -1).form(f"G at {p.name}") for p in points]


def bound_below(points: list[Point]) -> list[Form]:
    """Without convexity: no function falls below its infimum, 0, after one more gradient step."""
    half = Fraction(-1, 2)
    return [
        Sum()
        .add_value(p.value, 1)
        .add_inner(p.gradient, p.gradient, half)
        .form(f"infimum seen from {p.name}")
        for p in points
    ]
