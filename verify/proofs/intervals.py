"""An interval that holds every value of a formula, whatever its quantities are in their domains.

Ends that are left out and infinite ends are followed exactly. A quantity counts anew at each place, so that
the interval may be larger than it has to be, and never smaller. Where a formula divides by 0 it has no value.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import inf, isfinite
from typing import Final, final

from sympy import Add, Expr, Integer, Max, Mul, Pow, Rational, Symbol, exp, expand, log
from sympy.functions.elementary.miscellaneous import MinMaxBase

from bounds.language.quantity import Domain, Quantity

MOST = 64  # of a whole exponent; of a power above it the sign alone is known
End = tuple[Fraction | float, bool]  # a number or an infinity, and whether it is in the interval


@final
@dataclass(frozen=True, slots=True)
class Interval:
    low: End
    high: End

    @property
    def is_above_0(self) -> bool:
        return self.low[0] > 0 or self.low == (0, False)

    @property
    def is_at_least_0(self) -> bool:
        return self.low[0] >= 0


EVERYTHING: Final = Interval((-inf, False), (inf, False))
NOT_BELOW_0: Final = Interval((Fraction(0), True), (inf, False))
ABOVE_0: Final = Interval((Fraction(0), False), (inf, False))


def enclose(formula: Expr, quantities: Mapping[str, Quantity]) -> Interval:
    if isinstance(formula, Rational):
        value = Fraction(int(formula.p), int(formula.q))
        return Interval((value, True), (value, True))
    if isinstance(formula, Symbol):
        return _enclose_domain(quantities[str(formula)].domain) if str(formula) in quantities else EVERYTHING
    if isinstance(formula, Add | Mul):
        join = _sum if isinstance(formula, Add) else _product
        return reduce(join, (enclose(part, quantities) for part in formula.args))
    if isinstance(formula, Pow):
        return _power(enclose(formula.base, quantities), formula.exp, quantities)
    if isinstance(formula, MinMaxBase):
        parts = [enclose(part, quantities) for part in formula.args]
        return reduce(_largest if isinstance(formula, Max) else _smallest, parts)
    if isinstance(formula, log):
        return _logarithm(enclose(formula.args[0], quantities))
    return (
        ABOVE_0 if isinstance(formula, exp) or bool(formula.is_number and formula.is_positive) else EVERYTHING
    )


def is_integer(formula: Expr, quantities: Mapping[str, Quantity]) -> bool:
    """Whether it is a whole number by its form: a sum of products of whole numbers and whole quantities."""
    symbols = formula.free_symbols
    counted = all(str(s) in quantities and quantities[str(s)].domain.integer for s in symbols)
    terms = expand(formula).as_coefficients_dict()
    return counted and all(
        isinstance(factor, Integer) and bool(term.is_polynomial(*symbols)) for term, factor in terms.items()
    )


def _enclose_domain(domain: Domain) -> Interval:
    low, high = (end if not isfinite(end) else Fraction(end) for end in (domain.lower, domain.upper))
    return Interval(
        (low, domain.lower_included and isfinite(domain.lower)),
        (high, domain.upper_included and isfinite(domain.upper)),
    )


def _sum(one: Interval, other: Interval) -> Interval:
    return Interval(_add(one.low, other.low), _add(one.high, other.high))


def _add(one: End, other: End) -> End:
    for value, _ in (one, other):
        if not isfinite(value):
            return value, False
    return one[0] + other[0], one[1] and other[1]


def _product(one: Interval, other: Interval) -> Interval:
    corners = [_times(a, b) for a in (one.low, one.high) for b in (other.low, other.high)]
    low, high = min(value for value, _ in corners), max(value for value, _ in corners)
    return Interval((low, (low, True) in corners), (high, (high, True) in corners))


def _times(one: End, other: End) -> End:
    """0 times anything is 0, also what is left out or infinite: only 0 itself decides whether 0 is there."""
    if one[0] == 0 or other[0] == 0:
        return Fraction(0), any((one[1] and other[1], one == (0, True), other == (0, True)))
    if not (isfinite(one[0]) and isfinite(other[0])):
        return inf if (one[0] > 0) == (other[0] > 0) else -inf, False
    return one[0] * other[0], one[1] and other[1]


def _largest(one: Interval, other: Interval) -> Interval:
    return Interval(*(_farther(a, b, 1) for a, b in ((one.low, other.low), (one.high, other.high))))


def _smallest(one: Interval, other: Interval) -> Interval:
    return Interval(*(_farther(a, b, -1) for a, b in ((one.low, other.low), (one.high, other.high))))


def _farther(one: End, other: End, way: int) -> End:
    """The end that is farther up, or down; if two are equal, it is included where either is."""
    if one[0] == other[0]:
        return one[0], one[1] or other[1]
    return one if (one[0] > other[0]) == (way > 0) else other


def _logarithm(inside: Interval) -> Interval:
    """Its sign alone, by which side of 1 it is taken on."""
    if inside.low[0] > 1 or inside.low == (1, False):
        return ABOVE_0
    return NOT_BELOW_0 if inside.low[0] == 1 else EVERYTHING


def _power(base: Interval, exponent: Expr, quantities: Mapping[str, Quantity]) -> Interval:
    if isinstance(exponent, Integer) and abs(int(exponent)) <= MOST:
        return _raise_to_whole_power(base, int(exponent))
    if base.is_above_0:
        return ABOVE_0
    return NOT_BELOW_0 if base.is_at_least_0 or is_integer(exponent / 2, quantities) else EVERYTHING


def _raise_to_whole_power(base: Interval, exponent: int) -> Interval:
    if exponent < 0:
        return _raise_to_whole_power(_one_over(base), -exponent)
    if exponent % 2 == 0 and not base.is_at_least_0:
        return NOT_BELOW_0
    ends = (end if not isfinite(end[0]) else (end[0] ** exponent, end[1]) for end in (base.low, base.high))
    return Interval(*ends)


def _one_over(base: Interval) -> Interval:
    if not base.is_at_least_0 or base.high[0] == 0:
        return EVERYTHING
    (low, low_included), (high, high_included) = base.low, base.high
    return Interval(
        (1 / high, high_included) if isfinite(high) else (Fraction(0), False),
        (1 / low, low_included) if low else (inf, False),
    )
