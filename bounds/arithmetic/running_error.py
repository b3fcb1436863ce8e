"""float64 together with a bound on its rounding error (running error analysis).

Every value is a pair of arrays (computed value, bound on its distance from the exact value). The bound
grows by one unit in the last place for each correctly rounded operation and by four for library
functions, and carries the errors of the operands to first order, doubled to cover the second. The doubling
covers it while the relative error stays below a tenth; beyond that the bound is infinite.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple, final

import numpy as np

from bounds.arithmetic.program import add_up, list_whole_numbers

ULP = float(np.finfo(np.float64).eps)
TINY = float(np.finfo(np.float64).tiny)
LIBRARY = 4.0
FIRST_ORDER = 0.1


class Pair(NamedTuple):
    value: Any
    error: Any


def _rounded(value: Any, carried: Any, units: float = 1.0) -> Pair:
    return Pair(value, 2 * carried + units * ULP * np.abs(value) + TINY)


def _relative(pair: Pair) -> Any:
    """Relative error; infinite where the value may be zero."""
    size = np.abs(pair.value)
    exact = pair.error == 0
    safe = np.where(pair.error < 0.5 * size, size, np.nan)
    return np.where(exact, 0.0, np.where(np.isnan(safe), np.inf, pair.error / safe))


def _first_order(relative: Any) -> Any:
    return np.where(relative > FIRST_ORDER, np.inf, relative)


def _lost(product: Any, factors: Sequence[Pair]) -> Any:
    """A product that left the normal range on the way has lost digits that no later factor brings back."""
    nonzero = reduce(np.logical_and, [pair.value != 0 for pair in factors])
    return ((np.abs(product) < TINY) & nonzero) | np.isinf(product)


@final
class RunningError:
    def number(self, value: Fraction) -> Pair:
        rounded = float(value)
        return Pair(rounded, 0.0 if Fraction(rounded) == value else ULP * abs(rounded))

    def add(self, values: Sequence[Pair], signs: Sequence[int]) -> Pair:
        total, error = signs[0] * values[0].value, values[0].error
        for pair, sign in zip(values[1:], signs[1:], strict=True):
            total = total + sign * pair.value
            error = error + pair.error + ULP * np.abs(total)
        return Pair(total, error)

    def multiply(self, above: Sequence[Pair], below: Sequence[Pair]) -> Pair:
        if len(above) == 1 and not below:
            return above[0]
        product, relative, lost = above[0].value, _relative(above[0]), np.bool_(False)
        largest = np.abs(above[0].value) + above[0].error
        for pair in above[1:]:
            product, relative = product * pair.value, relative + _relative(pair) + ULP
            largest = largest * (np.abs(pair.value) + pair.error)
            lost = lost | _lost(product, [*above, *below])
        for pair in below:
            product, relative = product / pair.value, relative + _relative(pair) + ULP
            largest = largest / np.maximum(np.abs(pair.value) - pair.error, 0)
            lost = lost | _lost(product, [*above, *below])
        # Where a factor may be zero the product is only known to be at most the largest in absolute value.
        error = np.where(relative < FIRST_ORDER, 2 * relative * np.abs(product) + TINY, 2 * largest)
        exactly_zero = reduce(np.logical_or, [(p.value == 0) & (p.error == 0) for p in above])
        return Pair(product, np.where(exactly_zero, 0.0, np.where(lost, np.inf, error)))

    def power(self, base: Pair, exponent: Fraction) -> Pair:
        power = float(exponent)
        value = np.sqrt(base.value) if exponent == Fraction(1, 2) else np.power(base.value, power)
        carried = _first_order(abs(power) * _relative(base)) * np.abs(value)
        if power > 0:
            # Near zero: |x^p - y^p| <= max(|x|, |y|)^p.
            near_zero = np.power(np.abs(base.value) + base.error, power)
            carried = np.where(np.isfinite(carried), carried, near_zero)
        rounded = _rounded(value, carried, LIBRARY)
        zero = (base.value == 0) & (base.error == 0) & (power > 0)
        return Pair(value, np.where(zero, 0.0, rounded.error))

    def raise_to(self, base: Pair, exponent: Pair) -> Pair:
        value = np.power(base.value, exponent.value)
        logarithm = np.log(np.where(base.value > 0, base.value, 1.0))
        relative = np.abs(exponent.value) * _relative(base) + np.abs(logarithm) * exponent.error
        units = LIBRARY + np.abs(exponent.value * logarithm)
        return _rounded(value, _first_order(relative) * np.abs(value), units)

    def compound(self, u: Pair, n: Pair) -> Pair:
        return self.exp(self._times_log(u, n))

    def compound_minus_one(self, u: Pair, n: Pair) -> Pair:
        x = self._times_log(u, n)
        value = np.expm1(x.value)
        return _rounded(value, _first_order(x.error) * np.exp(x.value), LIBRARY)

    def _times_log(self, u: Pair, n: Pair) -> Pair:
        return self.multiply([n, self.log1p(u)], [])

    def exp(self, x: Pair) -> Pair:
        value = np.exp(x.value)
        return _rounded(value, _first_order(x.error) * value, LIBRARY)

    def log(self, x: Pair) -> Pair:
        return _rounded(np.log(x.value), _first_order(_relative(x)), LIBRARY)

    def log1p(self, x: Pair) -> Pair:
        return _rounded(np.log1p(x.value), _first_order(x.error / np.abs(1 + x.value)), LIBRARY)

    def cos(self, x: Pair) -> Pair:
        return _rounded(np.cos(x.value), x.error, LIBRARY)  # no steeper than 1

    def sin(self, x: Pair) -> Pair:
        return _rounded(np.sin(x.value), x.error, LIBRARY)

    def pi(self) -> Pair:
        return Pair(np.pi, ULP)

    def maximum(self, values: Sequence[Pair]) -> Pair:
        return self._extreme(values, np.maximum)

    def minimum(self, values: Sequence[Pair]) -> Pair:
        return self._extreme(values, np.minimum)

    def _extreme(self, values: Sequence[Pair], pick: Any) -> Pair:
        value = reduce(pick, [pair.value for pair in values])
        # The extreme of the lower ends and of the upper ends, not the largest error of any operand.
        low = reduce(pick, [pair.value - pair.error for pair in values])
        high = reduce(pick, [pair.value + pair.error for pair in values])
        exact = reduce(np.logical_and, [pair.error == 0 for pair in values])
        error = np.maximum(value - low, high - value) + 2 * ULP * np.abs(value)
        return Pair(value, np.where(exact, 0.0, error))

    def compare(self, left: Pair, right: Pair, relation: str) -> Any:
        compare = {
            "<": np.less,
            "<=": np.less_equal,
            ">": np.greater,
            ">=": np.greater_equal,
            "==": np.equal,
            "!=": np.not_equal,
        }[relation]
        certain = (np.abs(left.value - right.value) > left.error + right.error) | (
            (left.error == 0) & (right.error == 0)
        )
        return compare(left.value, right.value), certain

    def select(self, condition: Any, value: Pair, otherwise: Pair) -> Pair:
        chosen, certain = condition
        picked = np.where(chosen, value.value, otherwise.value)
        error = np.where(chosen, value.error, otherwise.error)
        return Pair(picked, np.where(certain, error, np.inf))

    def total(self, low: Pair, high: Pair, summand: Callable[[Any], Any]) -> Pair:
        ends = np.min(low.value - low.error), np.max(high.value + high.error)
        total: Pair = add_up(self, (low, high), list_whole_numbers(*map(float, ends)), summand)
        return total
