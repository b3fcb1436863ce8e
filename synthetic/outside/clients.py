"""The clients of a problem as an author's round sees them: values and gradients at a point.

Without `batched` a point is (d,); with it every point has a leading axis of replicates, (R, d).
"""

from collections.abc import Iterator
from typing import Any, final

import numpy as np

from synthetic.engine.arithmetic import Array
from synthetic.errors import BadShape, WrongProblem
from synthetic.outside.optimum import Optimum, refuse_in_a_round
from synthetic.problem import Problem


@final
class Client:
    """One client: value(x), gradient(x), and its data points if the problem has any."""

    __slots__ = ("_at_point", "_batched", "_dimension", "_index", "_problem")

    def __init__(self, problem: Problem, index: int, *, batched: bool) -> None:
        self._problem, self._index, self._batched = problem, index, batched
        self._dimension = problem.dimension
        self._at_point = None if batched else getattr(problem, "point_gradient", None)

    def value(self, x: Array) -> Any:
        """f_i(x): a number, or (R,)."""
        rows = _rows(x, self._dimension, self._batched)
        values = self._problem.client_value(self._index, rows)
        return values if self._batched else values[0]

    def gradient(self, x: Array) -> Array:
        """The gradient of f_i at x: (d,), or (R, d)."""
        if self._at_point is not None and type(x) is np.ndarray and x.shape == (self._dimension,):
            return self._at_point(self._index, x)
        rows = _rows(x, self._dimension, self._batched)
        gradients = self._problem.client_gradient(self._index, rows)
        return gradients if self._batched else gradients[0]

    @property
    def data_points(self) -> int:
        """How many data points the client has: f_i is the mean of as many functions."""
        return int(_adapt_data(self._problem).data_points(self._index))

    def gradients_of_data(self, x: Array) -> Array:
        """The gradient of each data point's function at x: (N, d), or (R, N, d)."""
        rows = _rows(x, self._dimension, self._batched)
        gradients: Array = _adapt_data(self._problem).data_point_gradients(self._index, rows)
        return gradients if self._batched else gradients[0]


def _adapt_data(problem: Any) -> Any:
    if not hasattr(problem, "data_point_gradients"):
        raise WrongProblem(
            asked="data points of a client",
            failed="the problem has none",
            found=type(problem).__name__,
            needed="clients that are means over data points",
            change="take a data set or component_sums.small",
        )
    return problem


@final
class Clients:
    """len(clients), clients.dimension, clients[i], and all of them at once; the optimum in an observable."""

    __slots__ = ("_batched", "_each", "_optimum", "_problem", "dimension")

    def __init__(self, problem: Problem, *, batched: bool, optimum: Optimum | None = None) -> None:
        self._problem, self._batched, self.dimension = problem, batched, problem.dimension
        self._optimum = optimum
        self._each = tuple(Client(problem, i, batched=batched) for i in range(problem.clients))

    def __len__(self) -> int:
        return len(self._each)

    def __getitem__(self, index: int) -> Client:
        return self._each[index]

    def __iter__(self) -> Iterator[Client]:
        return iter(self._each)

    def value(self, x: Array) -> Any:
        """f(x), the mean over the clients: a number, or (R,)."""
        values = self._problem.value(_rows(x, self.dimension, self._batched))
        return values if self._batched else values[0]

    def gradient(self, x: Array) -> Array:
        """The gradient of the mean: (d,), or (R, d)."""
        gradients = self._problem.gradient(_rows(x, self.dimension, self._batched))
        return gradients if self._batched else gradients[0]

    def gradients(self, x: Array) -> Array:
        """All clients at one point (d,), or each at its own point (n, d): (n, d), or (R, n, d)."""
        rows = x if self._batched else x[None]
        if rows.ndim == 3:
            if tuple(rows.shape[1:]) != (len(self), self.dimension):
                raise _bad_shape(x, f"{len(self)} points, one for each client, of {self.dimension} numbers")
            rows = rows.swapaxes(0, 1)
        else:
            rows = _rows(x, self.dimension, self._batched)
        gradients: Array = self._problem.client_gradients(rows)
        return gradients.swapaxes(0, 1) if self._batched else gradients[:, 0]

    @property
    def minimizer(self) -> Any:
        """x*, (d,), for observables alone."""
        return refuse_in_a_round("minimizer") if self._optimum is None else self._optimum.minimizer

    @property
    def minimum(self) -> float:
        """f(x*), for observables alone."""
        return refuse_in_a_round("minimum") if self._optimum is None else self._optimum.minimum

    @property
    def gradients_at_minimizer(self) -> Any:
        """The gradient of each client at x*, (n, d), for observables alone."""
        if self._optimum is None:
            refuse_in_a_round("gradients_at_minimizer")
        return self._optimum.gradients


def _rows(x: Array, dimension: int, batched: bool) -> Array:
    rows = x if batched else x[None]
    if rows.ndim != 2 or rows.shape[1] != dimension:
        raise _bad_shape(x, f"(R, {dimension})" if batched else f"({dimension},)")
    return rows


def _bad_shape(x: Array, needed: str) -> BadShape:
    return BadShape(
        asked="a point",
        failed="wrong shape",
        found=tuple(x.shape),
        needed=needed,
        change="see what `batched` says of shapes",
    )
