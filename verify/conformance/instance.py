"""The clients that an experiment shows to a user's code: linear and quadratic functions.

f_i(x) = <slopes_i, x - center> + sum_j curvatures_ij (x_j - center_j)^2 / 2. Its gradient is constant if the
curvature is zero, so that a step count, a divisor or a participant can be read from the state. A coordinate
of a gradient depends on the others of the point only where the axes of the curvature are turned.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from synthetic.engine.arithmetic import Array, like
from synthetic.engine.randomness import Floats
from synthetic.errors import Refusal
from synthetic.problem import Problem


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Instance(Problem):
    """slopes and curvatures (n, d), center (d,); sizes: how many data points each client has.

    data: the slopes of each client's data points, (N, d), whose mean is the client's slope; None for equal
    ones. turn: an orthogonal matrix, (d, d), whose rows are the axes of the curvatures; None for those of the
    coordinates. asked: "data" as soon as the code has asked for data points or their number.
    """

    slopes: Floats
    curvatures: Floats
    center: Floats
    sizes: tuple[int, ...]
    data: tuple[Floats, ...] | None = None
    turn: Floats | None = None
    exact: bool = False
    asked: set[str] = field(default_factory=set)

    @property
    def clients(self) -> int:
        return len(self.slopes)

    @property
    def dimension(self) -> int:
        return int(self.slopes.shape[1])

    @cached_property
    def _rows(self) -> tuple[Floats, Floats]:
        return self.slopes[:, None], self.curvatures[:, None]

    def bend(self, curvatures: Array, away: Array) -> Array:
        """The Hessian with these curvatures along its axes, times each row."""
        if self.turn is None:
            bent: Array = curvatures * away
            return bent
        turn = like(self.turn, away)
        bent = (curvatures * (away @ turn.T)) @ turn
        return bent

    def _like(self, points: Array) -> tuple[Array, Array, Array]:
        """Slopes, curvatures and center as arrays of the points' kind, which they nearly always are."""
        if type(points) is np.ndarray and points.dtype == np.float64:
            return *self._rows, self.center
        slopes, curvatures = (like(table, points) for table in self._rows)
        return slopes, curvatures, like(self.center, points)

    def client_values(self, points: Array) -> Array:
        slopes, curvatures, center = self._like(points)
        away = points - center
        values: Array = (slopes * away + self.bend(curvatures, away) * away / 2).sum(-1)
        return values

    def client_gradients(self, points: Array) -> Array:
        slopes, curvatures, center = self._like(points)
        gradients: Array = slopes + self.bend(curvatures, points - center)
        return gradients

    def client_value(self, client: int, points: Array) -> Array:
        values: Array = self._alone(client).client_values(points)[0]
        return values

    def client_gradient(self, client: int, points: Array) -> Array:
        gradients: Array = self._alone(client).client_gradients(points)[0]
        return gradients

    def point_gradient(self, client: int, point: Array) -> Array:
        """The gradient of one client at a single point (d,) of numpy, as `client_gradient` has it."""
        if self.turn is not None or point.dtype != np.float64:
            turned: Array = self.client_gradient(client, point[None])[0]
            return turned
        gradient: Array = self.slopes[client] + self.curvatures[client] * (point - self.center)
        return gradient

    def _alone(self, client: int) -> "Instance":
        return self._each[client]

    @cached_property
    def _each(self) -> tuple["Instance", ...]:
        return tuple(
            Instance(
                slopes=self.slopes[i : i + 1],
                curvatures=self.curvatures[i : i + 1],
                center=self.center,
                sizes=self.sizes[i : i + 1],
                turn=self.turn,
            )
            for i in range(self.clients)
        )

    def data_points(self, client: int) -> int:
        self.asked.add("data")
        return self.sizes[client]

    def data_point_gradients(self, client: int, points: Array) -> Array:
        """Equal data points have the client's own function: a minibatch of them changes nothing."""
        self.asked.add("data")
        one = self.client_gradient(client, points)[:, None]
        if self.data is None:
            own = np.zeros((1, self.sizes[client], 1))
        else:
            own = self.data[client][None] - self.slopes[client]
        gradients: Array = one + like(own, points)
        return gradients

    def minimiser(self) -> Array:
        raise _no_minimum()

    def minimum(self) -> Any:
        raise _no_minimum()

    def facts(self) -> Any:
        raise _no_minimum()

    def constants(self) -> Any:
        raise _no_minimum()


def _no_minimum() -> Refusal:
    return Refusal(
        asked="an instance of a conformance check",
        failed="it has no minimum",
        found="linear functions",
        needed="only values and gradients",
        change="ask for these",
    )


def instance(slopes: Any, curvatures: Any = 0.0, sizes: tuple[int, ...] | None = None) -> Instance:
    """Centered at a point without symmetry; by default with data sizes that differ among the clients."""
    table = np.atleast_2d(np.asarray(slopes, dtype=np.float64))
    n, d = table.shape
    return Instance(
        slopes=table,
        curvatures=np.broadcast_to(np.asarray(curvatures, dtype=np.float64), (n, d)).copy(),
        center=0.25 + np.arange(d) % 7 / 8,
        sizes=sizes_of(n) if sizes is None else sizes,
    )


def of_data(data: tuple[Floats, ...], curvatures: Any = 0.0) -> Instance:
    """Clients whose data points have linear functions with these slopes, and one curvature for a client."""
    clients = instance(np.array([rows.mean(axis=0) for rows in data]), curvatures, tuple(map(len, data)))
    return replace(clients, data=data)


def turned(shown: Instance) -> Instance:
    """The same functions with axes of curvature that no coordinate lies along: no entry of a Hessian is 0."""
    axes = np.linalg.qr(np.random.default_rng(11).standard_normal((shown.dimension, shown.dimension)))[0]
    return replace(shown, turn=axes)


def sizes_of(clients: int) -> tuple[int, ...]:
    """How many data points each client has: 3, 6, 9, 5, 8, 4, ..."""
    return tuple(3 + 3 * i % 7 for i in range(clients))
