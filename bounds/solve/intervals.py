"""Programs over float64 intervals: what a bound cannot reach anywhere on a range of its parameters.

An interval is a pair of arrays, every end moved outwards by more than the rounding of the operation that made
it. Where an operation has no value on part of an interval the result is the whole line, so that nothing is
excluded by accident. An end may be infinite: the tail of all larger integers is one interval.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, final

import numpy as np

from bounds.arithmetic.program import add_up, list_whole_numbers
from bounds.arithmetic.running_error import TINY, ULP

OUTWARDS = 8 * ULP
ONE_BY_ONE = 1000


class Interval(NamedTuple):
    low: Any
    high: Any


def _outward(low: Any, high: Any) -> Interval:
    low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    unknown = np.isnan(low) | np.isnan(high)
    low = np.where(np.isfinite(low), low - OUTWARDS * np.abs(low) - TINY, low)
    high = np.where(np.isfinite(high), high + OUTWARDS * np.abs(high) + TINY, high)
    return Interval(np.where(unknown, -np.inf, low), np.where(unknown, np.inf, high))


def _monotone(call: Callable[[Any], Any], x: Interval, least: float = -np.inf) -> Interval:
    """An increasing function; below `least` it has no value."""
    outside = x.high < least
    low, high = call(np.maximum(x.low, least)), call(np.maximum(x.high, least))
    return _outward(np.where(outside, np.nan, low), high)


def _product(a: Interval, b: Interval) -> Interval:
    ends = [x * y for x in a for y in b]
    # The infinite end of a range stands for arbitrarily large numbers: zero times each of them is zero.
    stacked = np.stack(np.broadcast_arrays(*(np.where(np.isnan(end), 0.0, end) for end in ends)))
    return _outward(stacked.min(axis=0), stacked.max(axis=0))


def _reciprocal(x: Interval) -> Interval:
    across = (x.low < 0) & (x.high > 0) | (x.low == 0) & (x.high == 0)
    low = np.where(x.high == 0, -np.inf, 1 / np.where(x.high == 0, 1.0, x.high))
    high = np.where(x.low == 0, np.inf, 1 / np.where(x.low == 0, 1.0, x.low))
    return _outward(np.where(across, -np.inf, low), np.where(across, np.inf, high))


@final
class IntervalArithmetic:
    """Runs a program; inputs are intervals, and so are the results."""

    def number(self, value: Fraction) -> Interval:
        rounded = float(value)
        return Interval(rounded, rounded) if Fraction(rounded) == value else _outward(rounded, rounded)

    def add(self, values: Sequence[Interval], signs: Sequence[int]) -> Interval:
        low: Any = 0.0
        high: Any = 0.0
        for x, sign in zip(values, signs, strict=True):
            low, high = _outward(
                low + (x.low if sign > 0 else -x.high), high + (x.high if sign > 0 else -x.low)
            )
        return Interval(low, high)

    def multiply(self, above: Sequence[Interval], below: Sequence[Interval]) -> Interval:
        factors = [*above, *(_reciprocal(x) for x in below)]
        first = factors[0]
        for x in factors[1:]:
            first = _product(first, x)
        return first

    def power(self, base: Interval, exponent: Fraction) -> Interval:
        power = float(exponent)
        if exponent.denominator == 1 and exponent.numerator % 2 == 0:
            left, right = np.abs(base.low), np.abs(base.high)
            smallest = np.where((base.low <= 0) & (base.high >= 0), 0.0, np.minimum(left, right))
            return _outward(smallest**power, np.maximum(left, right) ** power)
        if exponent.denominator == 1:
            return _monotone(lambda x: x**power, base)
        return _monotone(lambda x: x**power, base, least=0.0)

    def raise_to(self, base: Interval, exponent: Interval) -> Interval:
        return self._or_signed(self.exp(_product(exponent, self.log(base))), base, exponent)

    def compound(self, u: Interval, n: Interval) -> Interval:
        return self._or_signed(self.exp(_product(n, self.log1p(u))), self._add_one(u, 1), n)

    def compound_minus_one(self, u: Interval, n: Interval) -> Interval:
        found = _monotone(np.expm1, _product(n, self.log1p(u)))
        base = self._add_one(u, 1)
        signed = self._add_one(self._or_signed(self._add_one(found, 1), base, n), -1)
        return Interval(*(np.where(base.low < 0, a, b) for a, b in zip(signed, found, strict=True)))

    def _add_one(self, x: Interval, sign: int) -> Interval:
        return self.add([x, self.number(Fraction(1))], (1, sign))

    def _or_signed(self, found: Interval, base: Interval, exponent: Interval) -> Interval:
        """A whole power of a negative number has a value, of either sign, and no logarithm shows it."""
        left, right = np.abs(base.low), np.abs(base.high)
        near = np.where((base.low <= 0) & (base.high >= 0), 0.0, np.minimum(left, right))
        size = self.exp(_product(exponent, self.log(Interval(near, np.maximum(left, right))))).high
        negative = base.low < 0
        low = np.where(negative, -size, found.low)
        return Interval(low, np.where(negative, size, found.high))

    def exp(self, x: Interval) -> Interval:
        return _monotone(np.exp, x)

    def log(self, x: Interval) -> Interval:
        return _monotone(np.log, x, least=0.0)

    def log1p(self, x: Interval) -> Interval:
        return _monotone(np.log1p, x, least=-1.0)

    def cos(self, x: Interval) -> Interval:
        """Its ends, or 1 and -1 where a multiple of pi lies between them; the margin covers that of pi."""
        margin = OUTWARDS * (1 + np.maximum(np.abs(x.low), np.abs(x.high)))
        tops, bottoms = (
            np.floor((x.high + margin - at) / (2 * np.pi)) > np.floor((x.low - margin - at) / (2 * np.pi))
            for at in (0.0, np.pi)
        )
        wide = np.logical_not(x.high - x.low < 2 * np.pi)
        ends = [np.cos(np.where(wide, 0.0, end)) for end in x]  # an end that is infinite has no cosine
        low = np.where(wide | bottoms, -1.0, np.minimum(*ends) - margin)
        high = np.where(wide | tops, 1.0, np.maximum(*ends) + margin)
        return Interval(low, high)

    def sin(self, x: Interval) -> Interval:
        right_angle = self.multiply([self.pi(), self.number(Fraction(1, 2))], [])
        return self.cos(self.add([right_angle, x], (1, -1)))

    def pi(self) -> Interval:
        return _outward(np.pi, np.pi)

    def maximum(self, values: Sequence[Interval]) -> Interval:
        return self._extreme(values, np.maximum)

    def minimum(self, values: Sequence[Interval]) -> Interval:
        return self._extreme(values, np.minimum)

    def _extreme(self, values: Sequence[Interval], pick: Callable[[Any, Any], Any]) -> Interval:
        low, high = values[0]
        for x in values[1:]:
            low, high = pick(low, x.low), pick(high, x.high)
        return Interval(low, high)

    def compare(self, left: Interval, right: Interval, relation: str) -> tuple[Any, Any]:
        """(certainly true, certainly false)."""
        if relation in (">", ">="):
            return self.compare(right, left, "<" if relation == ">" else "<=")
        if relation == "<":
            return left.high < right.low, left.low >= right.high
        if relation == "<=":
            return left.high <= right.low, left.low > right.high
        apart = (left.high < right.low) | (left.low > right.high)
        same = (left.low == left.high) & (right.low == right.high) & (left.low == right.low)
        return (same, apart) if relation == "==" else (apart, same)

    def select(self, condition: tuple[Any, Any], value: Interval, otherwise: Interval) -> Interval:
        yes, no = condition
        low = np.where(yes, value.low, np.where(no, otherwise.low, np.minimum(value.low, otherwise.low)))
        high = np.where(yes, value.high, np.where(no, otherwise.high, np.maximum(value.high, otherwise.high)))
        return Interval(low, high)

    def total(self, low: Interval, high: Interval, summand: Callable[[Any], Any]) -> Interval:
        """So many summands one by one; of any further ones each lies where the summand is on all of them."""
        first, last = float(np.min(low.low)), float(np.max(high.high))
        near = min(last, first + ONE_BY_ONE)
        total: Interval = add_up(self, (low, high), list_whole_numbers(first, near), summand)
        if near == last:
            return total
        further = Interval(0.0, np.maximum(high.high - near, 0.0))
        return self.add([total, _product(further, summand(Interval(near, last)))], (1, 1))
