"""Draws of short fractions, for a counterexample that a person can check.

`PlainDraw` takes small numbers from the start; `RoundedDraw` draws what a seed draws, and rounds each number
to a few binary digits. Both feed the same recipe, so that the declared properties hold as for any draw.
"""

from typing import Any, Final, final

import numpy as np
from numpy.random import PCG64, Generator

from verify.objects.draw import CASES, Draw, Family, Points

PLAIN: Final = "plain"
MANY: Final = (8, 16, 32, 40)  # objects of an index, where there are many
SIZES: Final = (1.0, 1.0, 1.0, 2.0, 0.5, 4.0, 0.25)
ENTRIES: Final = (0.0, 0.0, 1.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0)
SHARES: Final = (1.0, 1.0, 0.5, 0.25)


@final
class _PlainNumbers(Generator):
    """What a recipe asks of the generator itself, in short fractions."""

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        return super().integers(0, 4, size=size) / 4

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        return super().choice(ENTRIES, size=size)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        return np.abs(super().choice(ENTRIES, size=size))


@final
class PlainDraw(Draw):
    """A draw of short fractions, in a given dimension, of few objects.

    Where it goes `far`, there are many objects, of which all are equal or all but one, and large numbers.
    """

    plain = True

    def __init__(self, seed: int, dimension: int, *, far: bool = False) -> None:
        family = Family(name=PLAIN, dimension=dimension, many=MANY[-1] if far else 0)
        super().__init__(family, _PlainNumbers(PCG64(seed)))
        self.far = far

    def _one_of(self, values: tuple[float, ...]) -> float:
        return float(values[int(self.random.integers(len(values)))])

    def count(self, low: int, high: int) -> int:
        return int(self.random.integers(low, min(high, low + 2) + 1))

    def share(self) -> float:
        return self._one_of(SHARES)

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self._one_of((0.5, 0.25, 0.75))

    def decades(self, low: float, high: float) -> float:
        """Take a power of two; the smallest in the range where `SIZES` has none there."""
        if self.far and self.chance(0.5):
            return float(2.0 ** self.random.integers(*np.ceil(np.array([low, high + 0.4]) / np.log10(2))))
        fit = tuple(size for size in SIZES if 10**low <= size <= 10**high)
        return self._one_of(fit) if fit else float(2.0 ** np.ceil(low * np.log2(10)))

    def length(self) -> float:
        return self._one_of((1.0, 2.0, 0.5))

    def points(self, d: int, *leading: int, scale: float = 3.0) -> Points:
        drawn = np.asarray(self.random.standard_normal((*(leading or (CASES,)), d)), dtype=float)
        return drawn[..., :1] * self._mask(d) if self.far else drawn

    def agents(self, n: int, d: int) -> Points:
        drawn = self.points(d, CASES, n)
        return drawn[:, :1] * self._mask(n)[:, None] if self.far else drawn

    def numbers(self, n: int) -> Points:
        drawn = np.asarray(self.random.exponential(size=(CASES, n)), dtype=float)
        return drawn[:, :1] * self._mask(n) if self.far else drawn

    def _mask(self, n: int) -> Points:
        """All of them, or the first alone."""
        return np.ones(n) if self.chance(0.5) else np.asarray(np.arange(n) == 0, dtype=float)

    def skew(self) -> float:
        return float(2.0 ** self.random.integers(0, 20)) if self.far else super().skew()

    def weight(self) -> float:
        return self.skew() if self.far else super().weight()

    def integer(self, low: int, high: int) -> int:
        """A power of two, or the highest, where numbers are large."""
        if not self.far:
            return super().integer(low, high)
        return int(min(high, low - 1 + 2.0 ** self.random.integers(0, 2 + np.log2(high - low + 1))))

    def entries(self, low: int, high: int | None) -> int:
        if not self.far or high is not None:
            return super().entries(low, high)
        return max(low, int(self.random.choice(MANY)))

    def directions(self, d: int, *leading: int) -> Points:
        """Along a coordinate, up or down."""
        shape = leading or (CASES,)
        place = self.random.integers(0, d, size=shape)
        sign = np.where(self.random.integers(0, 2, size=shape) == 0, 1.0, -1.0)
        return np.asarray(np.eye(d)[place] * sign[..., None])

    def basis(self, d: int) -> Points:
        return np.eye(d)[self.random.permutation(d)]


@final
class RoundedDraw(Draw):
    """A draw of a family with so many binary digits in each number."""

    plain = True

    def __init__(self, family: Family, random: Generator, digits: int) -> None:
        super().__init__(family, random)
        self.digits = digits

    def share(self) -> float:
        return float(rounded(super().share(), self.digits))

    def between(self, low: float, high: float) -> float:
        return float(np.clip(rounded(super().between(low, high), self.digits), low, high))

    def decades(self, low: float, high: float) -> float:
        return float(rounded(super().decades(low, high), self.digits))

    def points(self, d: int, *leading: int, scale: float = 3.0) -> Points:
        return rounded(super().points(d, *leading, scale=scale), self.digits)

    def agents(self, n: int, d: int) -> Points:
        return rounded(super().agents(n, d), self.digits)

    def numbers(self, n: int) -> Points:
        return rounded(super().numbers(n), self.digits)

    def basis(self, d: int) -> Points:
        """The same stream, and no rotation: a rotated matrix has no short entries."""
        super().basis(d)
        return np.eye(d)


def rounded(value: Any, digits: int) -> Points:
    """To the nearest number with so many binary digits."""
    mantissa, exponent = np.frexp(np.asarray(value, dtype=float))
    return np.asarray(np.ldexp(np.round(np.ldexp(mantissa, digits)), exponent - digits))
