"""Whether a problem is a geometric program: convex in the logarithms, so that a local minimum is the minimum.

With x = exp(u), a sum of monomials c x^a with c > 0 has a convex logarithm in u; sums, products, positive
powers and maxima of such functions have one too (log-convexity is closed under them). A monomial is the case
of equality, and 1/f of a log-convex f is log-concave. Where a condition asks f < m of a monomial m, the
difference m - f = m (1 - f/m) is positive and log-concave. What no rule covers is `UNKNOWN`, never assumed.
"""

from collections.abc import Collection, Iterable, Mapping
from enum import Enum

from sympy import Add, Expr, Float, Integer, Max, Min, Mul, Piecewise, Pow, Symbol, expand_mul
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from bounds.language.condition import Relation


class Shape(Enum):
    """The shape of the logarithm of a positive function, in the logarithms of the variables."""

    ZERO = "zero everywhere"
    AFFINE = "affine"
    CONVEX = "convex"
    CONCAVE = "concave"
    UNKNOWN = "unknown"


_CONVEX = (Shape.ZERO, Shape.AFFINE, Shape.CONVEX)
_CONCAVE = (Shape.AFFINE, Shape.CONCAVE)
_TURNED = {Shape.CONVEX: Shape.CONCAVE, Shape.CONCAVE: Shape.CONVEX, Shape.AFFINE: Shape.AFFINE}


def is_convex(
    objective: Expr,
    conditions: Iterable[tuple[Expr, Relation, Expr]],
    variables: Collection[str],
    given: Mapping[str, float],
) -> bool:
    """Whether minimising the objective inside the conditions is convex in the logarithms of `variables`.

    An integer counts from 0 or from 1, and a paper's K+1 rounds are a monomial in K+1 only: for each variable
    both x and x+1 are tried as what the logarithm is taken of.
    """
    parts = [objective, *(side for value, _, limit in conditions for side in (value, limit))]
    relations = [relation for _, relation, _ in conditions]
    everything = {symbol for part in parts for symbol in part.free_symbols}
    symbols = {symbol for symbol in everything if symbol.name in variables}
    known = {symbol: _number(given[symbol.name]) for symbol in everything - symbols}
    parts = [part.xreplace(known) for part in parts]
    for symbol in symbols:
        if symbol.is_integer:
            shifted = Symbol(f"{symbol.name}_plus_1", positive=True, integer=True)
            candidate = [part.xreplace({symbol: shifted - 1}) for part in parts]
            if not any(part.has(symbol) for part in parts) or _all_convex(candidate, relations):
                parts = candidate
    return _all_convex(parts, relations)


def _number(value: float) -> Expr:
    return Integer(int(value)) if value == int(value) and abs(value) < 1e9 else Float(value)


def _all_convex(parts: list[Expr], relations: list[Relation]) -> bool:
    objective, *sides = parts
    conditions = list(zip(sides[::2], relations, sides[1::2], strict=True))
    if not all(_is_convex_set(*condition) for condition in conditions):
        return False
    return shape(objective) in _CONVEX or shape(objective, _list_positive(conditions)) in _CONVEX


def _list_positive(conditions: Iterable[tuple[Expr, Relation, Expr]]) -> frozenset[Expr]:
    """Differences m - f that are positive, and log-concave, wherever the conditions hold.

    Powers stay as they are: a rate to the power of 10^4 rounds has as many summands.
    """
    pairs = [(value, limit) if relation.upper else (limit, value) for value, relation, limit in conditions]
    return frozenset(
        expand_mul(large - small)
        for small, large in pairs
        if shape(large) is Shape.AFFINE and shape(small) in _CONVEX
    )


def _is_convex_set(value: Expr, relation: Relation, limit: Expr) -> bool:
    if not value.free_symbols | limit.free_symbols:
        return True
    small, large = (value, limit) if relation.upper else (limit, value)
    if small.is_number and small.is_nonpositive and shape(large) is not Shape.UNKNOWN:
        return True  # nothing is asked of a positive function
    return shape(small) in _CONVEX and shape(large) in _CONCAVE


def shape(e: Expr, positive: Collection[Expr] = ()) -> Shape:
    """`positive` are expanded differences that are known to be positive and log-concave."""
    if not e.free_symbols:
        if e.is_zero:
            return Shape.ZERO
        return Shape.AFFINE if e.is_positive else Shape.UNKNOWN
    if isinstance(e, Symbol):
        return Shape.AFFINE
    if isinstance(e, Add) and positive and expand_mul(e) in positive:
        return Shape.CONCAVE
    if isinstance(e, Add | Max):
        return _sum([shape(part, positive) for part in e.args])
    if isinstance(e, Min):
        parts = [shape(part, positive) for part in e.args]
        return Shape.CONCAVE if all(part in _CONCAVE for part in parts) else Shape.UNKNOWN
    if isinstance(e, Mul):
        return _product([shape(part, positive) for part in e.args])
    if isinstance(e, Pow) and e.args[1].is_number and e.args[1].is_real:
        inner = shape(e.args[0], positive)
        return inner if e.args[1].is_positive else _TURNED.get(inner, Shape.UNKNOWN)
    if isinstance(e, Piecewise):
        return _case(e, positive)
    return Shape.UNKNOWN


def _sum(parts: list[Shape]) -> Shape:
    present = [part for part in parts if part is not Shape.ZERO]
    if len(present) == 1:
        return present[0]
    return Shape.CONVEX if all(part in _CONVEX for part in present) else Shape.UNKNOWN


def _product(parts: list[Shape]) -> Shape:
    if Shape.ZERO in parts:
        return Shape.ZERO
    bent = {part for part in parts if part is not Shape.AFFINE}
    if not bent:
        return Shape.AFFINE
    return bent.pop() if len(bent) == 1 else Shape.UNKNOWN


def _case(e: Piecewise, positive: Collection[Expr]) -> Shape:
    """The case that the given numbers choose."""
    for value, condition in e.args:
        if condition in (True, BooleanTrue()):
            return shape(value, positive)
        if condition not in (False, BooleanFalse()):
            return Shape.UNKNOWN
    return Shape.UNKNOWN
