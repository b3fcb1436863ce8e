"""What every problem answers. Points are rows: arrays (R, d)."""

from typing import Any, Protocol

from synthetic.arithmetic import Array
from synthetic.facts import Constant, Facts


class Problem(Protocol):
    """The mean of n client functions on R^d. The clients have equal weight."""

    @property
    def clients(self) -> int: ...

    @property
    def dimension(self) -> int: ...

    @property
    def exact(self) -> bool:
        """Whether the data are fractions, and values and gradients therefore exact."""
        ...

    def client_value(self, client: int, points: Array) -> Array: ...

    def client_gradient(self, client: int, points: Array) -> Array: ...

    def value(self, points: Array) -> Array: ...

    def gradient(self, points: Array) -> Array: ...

    def minimiser(self) -> Array: ...

    def minimum(self) -> Any: ...

    def facts(self) -> Facts: ...

    def constants(self) -> dict[str, Constant | None]:
        """Named constants; None for one that is infinite on this problem."""
        ...


def mean_value(problem: Problem, points: Array) -> Array:
    total = problem.client_value(0, points)
    for client in range(1, problem.clients):
        total = total + problem.client_value(client, points)
    mean: Array = total / problem.clients
    return mean


def mean_gradient(problem: Problem, points: Array) -> Array:
    total = problem.client_gradient(0, points)
    for client in range(1, problem.clients):
        total = total + problem.client_gradient(client, points)
    mean: Array = total / problem.clients
    return mean
