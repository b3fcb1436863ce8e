"""Float64 arrays with a proved radius: every entry of the true array lies within `radius` of `middle`.

Sums, products and matrix products rest on IEEE arithmetic alone: the error of a sum of k products is at most
gamma_k times the sum of their absolute values, in whatever order it is taken, fused or not (Higham,
Accuracy and Stability of Numerical Algorithms, section 3.1). exp, log and powers assume in addition that
numpy is within LIBRARY_ULPS units in the last place of the true function.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

UNIT = 2.0**-53
SMALLEST = 2.0**-1000  # above anything that underflow can lose in the sums met here
LIBRARY_ULPS = 4


def _above(value: Floats, operations: int = 1, *, underflow: bool = True) -> Floats:
    """A computed radius, raised over the rounding of its own computation from non-negative numbers.

    Where no product was taken nothing can underflow, and a radius of 0 stays 0.
    """
    raised = value * (1 + (operations + 8) * 2 * UNIT) + SMALLEST
    return raised if underflow else np.where(value == 0, 0.0, raised)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ball:
    """middle and radius of the same shape; arrays and numbers that meet a ball are taken as exact."""

    middle: Floats
    radius: Floats

    __array_ufunc__ = None  # numpy's arrays leave the operators below to the ball on their right

    @property
    def shape(self) -> tuple[int, ...]:
        return self.middle.shape

    @property
    def ndim(self) -> int:
        return self.middle.ndim

    @property
    def lower(self) -> Floats:
        return np.where(self.radius == 0, self.middle, np.nextafter(self.middle - self.radius, -np.inf))

    @property
    def upper(self) -> Floats:
        return np.where(self.radius == 0, self.middle, np.nextafter(self.middle + self.radius, np.inf))

    @property
    def magnitude(self) -> Floats:
        """An upper bound on the absolute values."""
        size = np.abs(self.middle)
        return np.where(self.radius == 0, size, np.nextafter(size + self.radius, np.inf))

    def __getitem__(self, index: Any) -> "Ball":
        return Ball(self.middle[index], self.radius[index])

    def reshape(self, *shape: int) -> "Ball":
        return Ball(self.middle.reshape(*shape), self.radius.reshape(*shape))

    def swapaxes(self, first: int, second: int) -> "Ball":
        return Ball(self.middle.swapaxes(first, second), self.radius.swapaxes(first, second))

    def __neg__(self) -> "Ball":
        return Ball(-self.middle, self.radius)

    def __add__(self, other: Any) -> "Ball":
        right = ball(other)
        middle = self.middle + right.middle
        spread = self.radius + right.radius + UNIT * np.abs(middle)
        return Ball(middle, _above(spread, underflow=False))

    def __sub__(self, other: Any) -> "Ball":
        return self + -ball(other)

    def __mul__(self, other: Any) -> "Ball":
        right = ball(other)
        middle = self.middle * right.middle
        spread = np.abs(self.middle) * right.radius + self.radius * right.magnitude
        radius = _above(spread + UNIT * np.abs(middle))
        return Ball(middle, np.where((self.magnitude == 0) | (right.magnitude == 0), 0.0, radius))

    def __truediv__(self, other: Any) -> "Ball":
        """The divisor must certainly be positive."""
        right = ball(other)
        if not (right.lower > 0).all():
            raise ZeroDivisionError("the divisor is not certainly positive")
        ends = [end / side for end in (self.lower, self.upper) for side in (right.lower, right.upper)]
        low, high = np.minimum.reduce(ends), np.maximum.reduce(ends)
        # a quotient that is 0 and exact has nothing to lose
        nothing = self.magnitude == 0
        return between(
            np.where(nothing, 0.0, np.nextafter(low, -np.inf)),
            np.where(nothing, 0.0, np.nextafter(high, np.inf)),
        )

    def __matmul__(self, other: Any) -> "Ball":
        right = ball(other)
        length = self.shape[-1]
        left_size, right_size = np.abs(self.middle), np.abs(right.middle)
        spread = (length + 2) * UNIT * (left_size @ right_size)
        if self.radius.any() or right.radius.any():
            spread = spread + left_size @ right.radius + self.radius @ (right_size + right.radius)
        return Ball(self.middle @ right.middle, _above(spread, length + 2))

    def __pow__(self, exponent: float) -> "Ball":
        """A non-negative exponent, of the part of the ball that is not negative."""
        return monotone(lambda ends: np.maximum(ends, 0.0) ** exponent, self, LIBRARY_ULPS)

    def __radd__(self, other: Any) -> "Ball":
        return ball(other) + self

    def __rsub__(self, other: Any) -> "Ball":
        return ball(other) - self

    def __rmul__(self, other: Any) -> "Ball":
        return ball(other) * self

    def __rmatmul__(self, other: Any) -> "Ball":
        return ball(other) @ self

    def sum(self, axis: int) -> "Ball":
        length = self.shape[axis]
        spread = self.radius.sum(axis=axis) + length * UNIT * np.abs(self.middle).sum(axis=axis)
        return Ball(self.middle.sum(axis=axis), _above(spread, length, underflow=False))

    def clip(self, low: float, high: float = math.inf) -> "Ball":
        return between(np.clip(self.lower, low, high), np.clip(self.upper, low, high))


def ball(value: Any) -> Ball:
    """A ball as it is; float64 numbers as balls of radius 0."""
    if isinstance(value, Ball):
        return value
    middle = np.asarray(value, dtype=np.float64)
    return Ball(middle, np.zeros_like(middle))


def between(lower: Any, upper: Any) -> Ball:
    low, high = np.asarray(lower, dtype=np.float64), np.asarray(upper, dtype=np.float64)
    middle = low + (high - low) / 2
    return Ball(middle, _above(np.maximum(high - middle, middle - low), underflow=False))


def monotone(
    function: Callable[[Floats], Floats], argument: Ball, ulps: int, floor: float = SMALLEST
) -> Ball:
    """An increasing function from the ends of its argument."""
    low, high = function(argument.lower), function(argument.upper)
    slack = 2 * ulps * 2 * UNIT
    return between(low - slack * np.abs(low) - floor, high + slack * np.abs(high) + floor)
