"""float64 together with a bound on its rounding error (running error analysis).

Every value is a pair of arrays (computed value, bound on its distance from the exact value). The bound
grows by one unit in the last place for each correctly rounded operation and by four for library
functions, and carries the errors of the operands to first order, doubled to cover the second.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple, final

import numpy as np

ULP = float(np.finfo(np.float64).eps)
TINY = float(np.finfo(np.float64).tiny)
LIBRARY = 4.0


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


def _lost(product: Any, relative: Any) -> Any:
    """A product that left the normal range on the way has lost digits that no later factor brings back."""
    size = np.abs(product)
    return np.where((size < TINY) | np.isinf(size), np.inf, relative)


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
        product, relative = above[0].value, _relative(above[0])
        if len(above) == 1 and not below:
            return above[0]
        for pair in above[1:]:
            product = product * pair.value
            relative = _lost(product, relative + _relative(pair) + ULP)
        for pair in below:
            product = product / pair.value
            relative = _lost(product, relative + _relative(pair) + ULP)
        return self._from_relative(product, relative, [*above, *below])

    def _from_relative(self, product: Any, relative: Any, factors: Sequence[Pair]) -> Pair:
        # An exact zero factor gives an exact zero; a factor that may be zero leaves the size unknown.
        zero = np.zeros(np.shape(product), dtype=bool)
        for pair in factors:
            zero = zero | ((pair.value == 0) & (pair.error == 0))
        error = np.where(zero, 0.0, 2 * relative * np.abs(product) + TINY)
        return Pair(product, error)

    def power(self, base: Pair, exponent: Fraction) -> Pair:
        power = float(exponent)
        value = np.sqrt(base.value) if exponent == Fraction(1, 2) else np.power(base.value, power)
        carried = np.where(base.value == 0, 0.0, abs(power) * _relative(base) * np.abs(value))
        carried = np.where((base.value == 0) & (base.error > 0), np.inf, carried)
        return _rounded(value, carried, LIBRARY)

    def raise_to(self, base: Pair, exponent: Pair) -> Pair:
        value = np.power(base.value, exponent.value)
        logarithm = np.log(np.where(base.value > 0, base.value, 1.0))
        relative = np.abs(exponent.value) * _relative(base) + np.abs(logarithm) * exponent.error
        units = LIBRARY + np.abs(exponent.value * logarithm)
        return _rounded(value, relative * np.abs(value), units)

    def compound(self, u: Pair, n: Pair) -> Pair:
        return self.exp(self._times_log(u, n))

    def compound_minus_one(self, u: Pair, n: Pair) -> Pair:
        x = self._times_log(u, n)
        value = np.expm1(x.value)
        return _rounded(value, x.error * np.exp(x.value), LIBRARY)

    def _times_log(self, u: Pair, n: Pair) -> Pair:
        return self.multiply([n, self.log1p(u)], [])

    def exp(self, x: Pair) -> Pair:
        value = np.exp(x.value)
        return _rounded(value, x.error * value, LIBRARY)

    def log(self, x: Pair) -> Pair:
        return _rounded(np.log(x.value), _relative(x), LIBRARY)

    def log1p(self, x: Pair) -> Pair:
        return _rounded(np.log1p(x.value), x.error / np.abs(1 + x.value), LIBRARY)

    def maximum(self, values: Sequence[Pair]) -> Pair:
        return self._extreme(values, np.maximum)

    def minimum(self, values: Sequence[Pair]) -> Pair:
        return self._extreme(values, np.minimum)

    def _extreme(self, values: Sequence[Pair], pick: Any) -> Pair:
        value, error = values[0]
        for pair in values[1:]:
            value, error = pick(value, pair.value), np.maximum(error, pair.error)
        return Pair(value, error)

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
