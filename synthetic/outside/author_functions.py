"""An author's value and gradient of one client, asked at rows of points and checked to answer in float64."""

from collections.abc import Callable
from typing import Any, final

import numpy as np

from synthetic.engine.arithmetic import Array
from synthetic.engine.disturbance import moved
from synthetic.outside.calls import broken, call


@final
class AuthorFunctions:
    """values(i, rows) and gradients(i, rows) for rows (R, d), whether or not the author's take rows."""

    def __init__(
        self,
        dimension: int,
        value: Callable[..., Any],
        gradient: Callable[..., Any],
        *,
        batched: bool,
        seconds: float,
    ) -> None:
        self._dimension, self._batched, self._seconds = dimension, batched, seconds
        self._value, self._gradient = value, gradient

    def values(self, client: int, rows: Array) -> Array:
        return self._ask(self._value, client, rows, ())

    def gradients(self, client: int, rows: Array) -> Array:
        return self._moved(self._ask(self._gradient, client, rows, (self._dimension,)))

    def gradient(self, client: int, point: Array) -> Array:
        """At a single point (d,); the shortest way for a function that takes one."""
        if self._batched or not np.isfinite(point).all():
            return self.gradients(client, point[None])[0]
        own = point.copy()
        own.flags.writeable = False
        return self._moved(self._checked(self._gradient, client, own, (self._dimension,)))

    def _moved(self, gradients: Array) -> Array:
        """Disturbed as one product of as many terms as there are coordinates: what is inside is not known."""
        return moved(gradients, self._dimension, lambda: abs(gradients))

    def _ask(self, function: Callable[..., Any], client: int, rows: Array, shape: tuple[int, ...]) -> Array:
        # a copy that cannot be written to: an author's function may forget that x is not its own
        points = np.array(rows, dtype=np.float64, order="C")
        points.flags.writeable = False
        known: Array = np.asarray(np.isfinite(points).all(axis=1))
        if self._batched:
            out = np.full((len(points), *shape), np.nan)
            if known.any():
                own = points if known.all() else points[known]
                own.flags.writeable = False
                out[known] = self._checked(function, client, own, (len(own), *shape))
            return out
        return self._row_by_row(function, client, points, known, shape)

    def _row_by_row(
        self, function: Callable[..., Any], client: int, points: Array, known: Array, shape: tuple[int, ...]
    ) -> Array:
        out = np.full((len(points), *shape), np.nan)
        for row, point in enumerate(points):
            if row and (point == points[row - 1]).all():
                out[row] = out[row - 1]  # replicates that are equal so far are computed once
            elif known[row]:
                out[row] = self._checked(function, client, point, shape)
        return out

    def _checked(
        self, function: Callable[..., Any], client: int, points: Array, shape: tuple[int, ...]
    ) -> Array:
        role = "value" if function is self._value else "gradient"
        name = f"{role} of client {client}"
        infinite = np.full(shape, np.inf)
        answer = call(name, function, client, points, overflow=infinite, seconds=self._seconds)
        if type(answer) is float and not shape:
            return np.asarray(answer)
        found = answer if isinstance(answer, np.ndarray | np.generic) else np.asarray(_number(answer))
        if found.dtype != np.float64:
            kind = type(answer).__name__ if found.dtype == object else found.dtype
            raise broken(name, function, "the answer has another type", kind, "float64")
        if found.shape != shape:
            needed = str(shape) if shape else "a single number"
            raise broken(name, function, "the answer has another shape", found.shape, needed)
        return np.asarray(found)


def _number(answer: Any) -> Any:
    """A number of Python as a float; anything else unchanged, to be refused."""
    plain = isinstance(answer, int | float) and not isinstance(answer, bool)
    return float(answer) if plain else np.array(answer, dtype=object)
