"""What every problem answers. Points are rows: arrays (R, d), or one table of rows per client (n, R, d).

Arrays are numpy float64, torch float64 on any device, or numpy arrays of fractions where a problem is exact.
"""

from typing import Any, Protocol

from synthetic.arguments import index_below
from synthetic.certified.facts import Constant, Facts
from synthetic.engine.arithmetic import Array, as_numbers, like, sum_over_clients
from synthetic.errors import BadShape


class Problem(Protocol):
    """The mean of n client functions on R^d. The clients have equal weight.

    What has a body here is right for every problem; a family states it again where it knows a faster way.
    """

    __slots__ = ()

    @property
    def clients(self) -> int: ...

    @property
    def dimension(self) -> int: ...

    @property
    def exact(self) -> bool:
        """Whether the data are fractions, and values and gradients therefore exact."""
        return False

    def client_value(self, client: int, points: Array) -> Array:
        index_below("client", client, self.clients)
        return self.client_values(points)[client]

    def client_gradient(self, client: int, points: Array) -> Array:
        index_below("client", client, self.clients)
        return self.client_gradients(points)[client]

    def client_values(self, points: Array) -> Array:
        """All clients at once, (n, R): at the same points (R, d), or each at its own, (n, R, d)."""
        ...

    def client_gradients(self, points: Array) -> Array:
        """All clients at once, (n, R, d)."""
        ...

    def value(self, points: Array) -> Array:
        return mean_value(self, points)

    def gradient(self, points: Array) -> Array:
        return mean_gradient(self, points)

    def minimiser(self) -> Array: ...

    def minimum(self) -> Any: ...

    def facts(self) -> Facts: ...

    def constants(self) -> dict[str, Constant | None]:
        """Named constants; None for one that is infinite on this problem, or does not exist, or may not."""
        ...


class ComponentProblem(Problem, Protocol):
    """Clients that are means of N components each, f_i = mean over j of f_ij."""

    __slots__ = ()

    @property
    def components(self) -> int: ...

    def component_gradients(self, component: int, points: Array) -> Array:
        """The gradient of component j of every client, (n, R, d)."""
        ...


class WithCenters(Problem, Protocol):
    """Clients with a center each; centers (n, d)."""

    __slots__ = ()

    centers: Array

    @property
    def clients(self) -> int:
        return int(self.centers.shape[0])

    @property
    def dimension(self) -> int:
        return int(self.centers.shape[1])


def read_centers(centers: object, *, exact: bool) -> Array:
    middles = as_numbers(centers, exact=exact)
    if middles.ndim != 2 or 0 in middles.shape:
        raise BadShape(
            asked="centers",
            failed="not a table",
            found=middles.shape,
            needed="(n, d), n, d >= 1",
            change="give one row per client",
        )
    return middles


class AroundCenters(WithCenters, Protocol):
    """Clients that are functions of the way from their centers."""

    __slots__ = ()

    def client_value(self, client: int, points: Array) -> Array:
        index_below("client", client, self.clients)
        return self.values_at(points[None] - self.centers[client])[0]

    def client_gradient(self, client: int, points: Array) -> Array:
        index_below("client", client, self.clients)
        return self.gradients_at(points[None] - self.centers[client])[0]

    def client_values(self, points: Array) -> Array:
        return self.values_at(away_from(self.centers, points))

    def client_gradients(self, points: Array) -> Array:
        return self.gradients_at(away_from(self.centers, points))

    def values_at(self, away: Array) -> Array:
        """(n, R) from ways (n, R, d)."""
        ...

    def gradients_at(self, away: Array) -> Array: ...


def mean_value(problem: Problem, points: Array) -> Array:
    return sum_over_clients(problem.client_values(points)) / problem.clients


def mean_gradient(problem: Problem, points: Array) -> Array:
    return sum_over_clients(problem.client_gradients(points)) / problem.clients


def per_client(points: Array, clients: int, dimension: int) -> Array:
    """The points as (n, R, d), or as (1, R, d) to be broadcast where all clients share them."""
    shape = tuple(points.shape)
    if shape[-1:] == (dimension,) and (len(shape) == 2 or (len(shape) == 3 and shape[0] == clients)):
        return points if len(shape) == 3 else points[None]
    raise BadShape(
        asked="points",
        failed="wrong shape",
        found=shape,
        needed=f"(R, {dimension}) or ({clients}, R, {dimension})",
        change="give one row per replicate",
    )


def away_from(centers: Array, points: Array) -> Array:
    """points - c_i for centers (n, d), as (n, R, d)."""
    return per_client(points, *centers.shape) - like(centers, points)[:, None]
