"""A random generator whose draws are coordinates of a point in the unit cube.

A recipe in `verify.objects.recipes` that draws its objects at random becomes a search space: the k-th
coordinate is what the recipe is given when it asks for the k-th time. Where an array is asked for with one
entry per case, the coordinates make its first case; other cases, and whatever is asked for beyond the last
coordinate, come from the seed, so that equal points and seeds make equal objects.
"""

from collections.abc import Sequence
from typing import Any, Final, final

import numpy as np
from numpy.random import PCG64, Generator
from scipy.special import ndtri

from verify.objects.draw import CASES

LARGEST_ARRAY: Final = 24  # coordinates that one array may take
INSIDE: Final = 1e-9  # a normal coordinate is at most six deviations from its mean


@final
class Choices(Generator):
    """Methods that are not here draw from the seed; those here take what recipes give them."""

    def __init__(self, coordinates: Sequence[float], seed: int) -> None:
        super().__init__(PCG64(seed))
        self.coordinates, self.taken = coordinates, 0

    def _next(self) -> float:
        position, self.taken = self.taken, self.taken + 1
        return float(self.coordinates[position]) if position < len(self.coordinates) else super().random()

    def _uniform(self, size: Any) -> Any:
        if size is None:
            return self._next()
        shape = (size,) if isinstance(size, int | np.integer) else tuple(size)
        drawn = super().random(shape)
        first = drawn[0] if shape and shape[0] == CASES and len(shape) > 1 else drawn
        flat = first.reshape(-1)
        for place in range(min(flat.size, LARGEST_ARRAY)):
            flat[place] = self._next()
        if first is not drawn:
            drawn[0] = flat.reshape(first.shape)
            return drawn
        return flat.reshape(shape)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        return self._uniform(size)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        return low + (high - low) * self._uniform(size)

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        return ndtri(np.clip(self._uniform(size), INSIDE, 1 - INSIDE))

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        return -scale * np.log1p(-np.minimum(self._uniform(size), 1 - INSIDE))

    def integers(self, low: Any, high: Any = None, size: Any = None, **more: Any) -> Any:  # type: ignore[override]  # an overload for each dtype
        if size is not None or more:
            return super().integers(low, high, size=size, **more)
        low, high = (0, low) if high is None else (low, high)
        return int(low + min(int(self._next() * (high - low)), high - low - 1))

    def choice(self, a: Any, size: Any = None, *more: Any, **named: Any) -> Any:
        if size is not None or more or named:
            return super().choice(a, size, *more, **named)
        return a[self.integers(0, len(a))] if not isinstance(a, int | np.integer) else self.integers(0, a)
