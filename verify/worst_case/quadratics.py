"""When points and gradients are those of a quadratic function with eigenvalues between m and 1.

Units in which the smoothness constant is 1. With X the points relative to x* and Y the gradients relative to
the one at x*, a symmetric matrix Q with m <= Q <= 1 and Y = Q X exists if and only if X^T Y is symmetric and

    W = (Y - m X)^T (X - Y) is positive semidefinite

(Bousselmi, Hendrickx, Glineur 2023; docs/worst_case.md derives it). W becomes one more block of the program,
whose entries equations tie to the Gram matrices.
"""

from fractions import Fraction

from verify.worst_case.checker import Form
from verify.worst_case.interpolation import Point
from verify.worst_case.vectors import Sum, Vector

HALF = Fraction(1, 2)


def quadratic_conditions(
    minimizer: Point, points: list[Point], curvature: Fraction, block: int
) -> list[Form]:
    """Equations between all points other than x*; `block` is the place of W among the Gram matrices."""
    found = [_value(minimizer, p) for p in points]
    turned = [p.gradient - minimizer.gradient for p in points]
    for j, q in enumerate(points):
        for i, p in enumerate(points[: j + 1]):
            if i < j:
                found.append(_symmetry(p, q, turned[i], turned[j]))
            found.append(_product(p, q, turned[i], turned[j], curvature, (block, i, j)))
    return found


def _value(minimizer: Point, p: Point) -> Form:
    """f(p) - f(x*) = <grad f(x*), x> + <x, y>/2."""
    found = Sum().add_value(p.value, 1)
    found.add_inner(p.x, minimizer.gradient + p.gradient, -HALF)
    return found.form(f"value at {p.name}", is_equation=True)


def _symmetry(p: Point, q: Point, y_p: Vector, y_q: Vector) -> Form:
    found = Sum().add_inner(p.x, y_q).add_inner(q.x, y_p, -1)
    return found.form(f"symmetry of {p.name} and {q.name}", is_equation=True)


def _product(
    p: Point, q: Point, y_p: Vector, y_q: Vector, curvature: Fraction, entry: tuple[int, int, int]
) -> Form:
    found = Sum().add_inner(y_p - curvature * p.x, q.x - y_q)
    found.entries[entry] = Fraction(-1)
    return found.form(f"class at {p.name} and {q.name}", is_equation=True)
