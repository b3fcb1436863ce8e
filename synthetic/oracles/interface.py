"""What every oracle answers. Its errors have mean zero and are independent over places and clients."""

from typing import Protocol

from synthetic.engine.arithmetic import Array
from synthetic.engine.randomness import Numbers, Place
from synthetic.problem import Problem


class Oracle(Protocol):
    __slots__ = ()

    def gradients(self, problem: Problem, points: Array, numbers: Numbers, place: Place) -> Array:
        """Every client's stochastic gradient, (n, R, d), at common points (R, d) or each at its own."""
        ...


class AdditiveOracle(Oracle, Protocol):
    """The gradient plus noise whose law does not depend on the point."""

    __slots__ = ()

    def noise(self, numbers: Numbers, place: Place, dimension: int, clients: int | None = None) -> Array:
        """(R, d), or one for each client, (n, R, d)."""
        ...

    def gradients(self, problem: Problem, points: Array, numbers: Numbers, place: Place) -> Array:
        noise = self.noise(numbers, place, problem.dimension, problem.clients)
        return problem.client_gradients(points) + noise
