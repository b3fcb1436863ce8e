"""Runs whose normal draws are given, so that the caller sees how a run depends on its noise.

A run on quadratic clients is often quadratic in it; its mean then follows from few runs.
"""

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from synthetic.outside.followed import Course, CourseGenerator

Floats = NDArray[np.float64]


@final
@dataclass(slots=True)
class Noise(Course):
    """The standard normals that a replicate, or each row of a block, is given; zeros beyond them.

    given: (numbers,) for a replicate, (rows, numbers) for a block of them. drawn: how many each has taken.
    """

    given: Floats
    drawn: int = 0

    def source(self) -> "NoiseSource":
        return NoiseSource(self)

    def take(self, size: Any) -> Any:
        """The next of them; a block is drawn for as a whole, by an array with a row for each replicate."""
        shape = () if size is None else tuple(np.atleast_1d(size).tolist())
        rows = self.given.shape[:-1]
        if shape[: len(rows)] != rows:
            self.leave("normals that the rows of a block share")
        count = int(np.prod(shape[len(rows) :]))
        place, self.drawn = self.drawn, self.drawn + count
        asked = self.given[..., place : place + count]
        filled = np.zeros((*rows, count))
        filled[..., : asked.shape[-1]] = asked
        return float(filled[0]) if size is None else filled.reshape(shape)


@final
class NoiseSource:
    """A source of `generators` of given normals."""

    def __init__(self, noise: Noise) -> None:
        self._noise = noise
        self.random = Hander(noise)

    def drew(self) -> bool:
        return self._noise.drawn > 0


DRAWN_AS_NORMALS: Final = ("normal", "standard_normal")


@final
class Hander(CourseGenerator):
    """Hands out the normals of its course; any other draw is `Unlisted`."""

    _listed = DRAWN_AS_NORMALS
    _course: Noise

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        if np.dtype(dtype) != np.float64 or out is not None:
            self._course.leave("normals of another type, or into an array")
        return self._course.take(size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        if np.any(np.asarray(scale) < 0):
            raise ValueError("scale < 0")
        shape = np.broadcast_shapes(np.shape(loc), np.shape(scale))
        return loc + scale * self._course.take(size if size is not None else shape or None)
