"""The facts of a class of functions and of vectors: each returns an expression that is at least 0.

A function has the properties that its declaration names; a fact of another class is refused.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verify.proofs.algebra import NON_NEGATIVE, POSITIVE, Polynomial, Vector, add, need, number
from verify.proofs.reader import Point, Reader

EQUAL, AT_LEAST, ABOVE = "= 0", ">= 0", "> 0"
Proved = tuple[Polynomial, str]  # an expression, and its relation to 0
MINUS = number(-1)
HALF = number(Fraction(1, 2))
# A fact about two points or about one, and the properties of the function that it needs.
OF_TWO = {
    "convex": ("convex",),
    "strongly_convex": ("strongly_convex",),
    "smooth": ("smooth",),
    "smooth_below": ("smooth",),
    "lipschitz_gradient": ("smooth",),
    "co_coercive": ("convex", "smooth"),
    "co_coercive_strongly": ("strongly_convex", "smooth"),
    "interpolation": ("smooth",),
}
OF_ONE = {
    "lowest_value": ("lowest",),
    "lowest_value_by_gradient": ("lowest", "smooth"),
    "bounded_gradient": ("lipschitz",),
}
PROPERTIES = ("convex", "smooth", "strongly_convex", "lowest", "lipschitz")


@dataclass(slots=True)
class Known:
    """Declarations and claims that are proved so far."""

    reader: Reader = field(default_factory=Reader)
    proved: dict[str, Proved] = field(default_factory=dict)

    def known(self, reference: Any) -> Proved:
        """What a reference proves: an earlier claim or a hypothesis by name, or a fact with its arguments."""
        if isinstance(reference, str):
            need(reference in self.proved, f"{reference[:80]!r} is neither given nor proved before")
            return self.proved[reference]
        need(type(reference) is list and len(reference) > 1 and type(reference[0]) is str, "a fact is a list")
        return fact(self.reader, reference[0], reference[1:]), AT_LEAST


def fact(reader: Reader, name: str, arguments: list[Any]) -> Polynomial:
    """The expression of a named fact for these arguments."""
    if name == "cauchy_schwarz":
        return _cauchy_schwarz(reader, arguments)
    need(name in OF_TWO or name in OF_ONE, f"{name[:80]!r} is not a fact")
    known = all(type(p) is str and p in reader.points for p in arguments)
    need(known and len(arguments) == (2 if name in OF_TWO else 1), f"{name} takes declared points")
    points = [reader.points[p] for p in arguments]
    function = points[0].function
    need(all(p.function == function for p in points), f"{name} is about points of one function")
    have = reader.functions[function]
    for needed in OF_TWO.get(name, ()) + OF_ONE.get(name, ()):
        need(needed in have, f"{name} is not a fact of {function}, which is not declared {needed}")
    constants = {p: reader.scalar(have[p]) for p in have if p != "convex"}
    return (
        _of_two(reader, name, points, constants)
        if name in OF_TWO
        else _of_one(reader, name, points[0], constants)
    )


def _cauchy_schwarz(reader: Reader, arguments: list[Any]) -> Polynomial:
    """n m - <u, v>, where n and m are at least 0 and have the squares of the norms of u and v."""
    need(len(arguments) == 4, "cauchy_schwarz takes two vectors, each with its norm")
    u, v = reader.vector(arguments[0]), reader.vector(arguments[2])
    n, m = reader.scalar(arguments[1]), reader.scalar(arguments[3])
    for vector, norm in ((u, n), (v, m)):
        need(reader.algebra.sign(norm) in (POSITIVE, NON_NEGATIVE), "a norm has no sign")
        square = reader.algebra.times(norm, norm)
        need(square == reader.algebra.inner(vector, vector), "the square of a norm is not that of its vector")
    return add(reader.algebra.times(n, m), reader.algebra.inner(u, v), -1)


def _of_two(reader: Reader, name: str, points: list[Point], constants: dict[str, Polynomial]) -> Polynomial:
    """About the values at two points, by the gradient at the second."""
    algebra, (p, q) = reader.algebra, points
    along = algebra.combined(p.at, q.at, MINUS)
    turn = algebra.combined(p.gradient, q.gradient, MINUS)
    above = add(
        add(p.value, q.value, -1), algebra.inner(q.gradient, along), -1
    )  # f(p) - f(q) - <grad f(q), p - q>

    def square(u: Vector, scale: Polynomial) -> Polynomial:
        return algebra.times(algebra.times(HALF, scale), algebra.inner(u, u))

    if name == "convex":
        return above
    if name == "strongly_convex":
        return add(above, square(along, constants["strongly_convex"]), -1)
    smooth = constants["smooth"]
    if name in ("smooth", "smooth_below"):
        return add(square(along, smooth), above, 1 if name == "smooth_below" else -1)
    if name == "lipschitz_gradient":
        both = algebra.times(algebra.times(smooth, smooth), algebra.inner(along, along))
        return add(both, algebra.inner(turn, turn), -1)
    if name == "co_coercive":
        return add(above, square(turn, algebra.inverse(smooth)), -1)
    if name == "co_coercive_strongly":
        # f - mu/2 |.|^2 is convex and (L - mu)-smooth; times L - mu, so that L = mu needs no case of its own
        mu = constants["strongly_convex"]
        room = add(smooth, mu, -1)
        bent = algebra.combined(turn, along, algebra.times(MINUS, mu))
        return add(algebra.times(room, add(above, square(along, mu), -1)), square(bent, number(1)), -1)
    middle = algebra.times(HALF, algebra.inner(algebra.combined(p.gradient, q.gradient, number(1)), along))
    gap = add(add(p.value, q.value, -1), middle, -1)
    less = algebra.times(HALF, add(square(turn, algebra.inverse(smooth)), square(along, smooth), -1))
    return add(gap, less, -1)


def _of_one(reader: Reader, name: str, point: Point, constants: dict[str, Polynomial]) -> Polynomial:
    algebra = reader.algebra
    squared = algebra.inner(point.gradient, point.gradient)
    if name == "bounded_gradient":
        return add(algebra.times(constants["lipschitz"], constants["lipschitz"]), squared, -1)
    gap = add(point.value, constants["lowest"], -1)
    if name == "lowest_value":
        return gap
    return add(gap, algebra.times(algebra.times(HALF, algebra.inverse(constants["smooth"])), squared), -1)
