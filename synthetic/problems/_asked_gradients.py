"""Clients without functions: each new question for a gradient is answered by the next of given vectors.

What an algorithm makes of the answers shows where it asks. A client that is asked again at a point where it
was asked before gives the same answer.
"""

from collections.abc import Callable
from typing import final

import numpy as np

from synthetic.certified.facts import Constant, Facts
from synthetic.engine.arithmetic import Array, like, on_host
from synthetic.errors import UnknownMinimum
from synthetic.problem import Problem, per_client

SAME = 1e-12  # of the largest coordinate: points that differ by less are one point


@final
class AskedGradients(Problem):
    """`answer(q)` is the vector (d,) of question q < `most`; `asked` has client and point of each of these.

    Further questions are only noted: whoever reads the run has to refuse it. So are questions for values,
    which say more than gradients.
    """

    def __init__(self, clients: int, dimension: int, *, most: int, answer: Callable[[int], Array]) -> None:
        self._clients, self._dimension, self._vector = clients, dimension, answer
        self.most = most
        self.asked: list[tuple[int, Array]] = []
        self._of_client: dict[int, list[tuple[int, Array]]] = {}
        self.has_run_out = False
        self.was_asked_for_values = False

    @property
    def clients(self) -> int:
        return self._clients

    @property
    def dimension(self) -> int:
        return self._dimension

    def client_values(self, points: Array) -> Array:
        self.was_asked_for_values = True
        rows = per_client(points, self.clients, self.dimension)
        return like(np.zeros((self.clients, rows.shape[1])), points)

    def client_gradients(self, points: Array) -> Array:
        rows = per_client(on_host(points), self.clients, self.dimension)
        rows = np.broadcast_to(rows, (self.clients, *rows.shape[1:]))
        return like(np.stack([self._answer(i, own) for i, own in enumerate(rows)]), points)

    def client_gradient(self, client: int, points: Array) -> Array:
        return like(self._answer(client, on_host(points)), points)

    def minimiser(self) -> Array:
        raise self._refuse("minimizer")

    def minimum(self) -> float:
        raise self._refuse("minimum")

    def _refuse(self, what: str) -> UnknownMinimum:
        return UnknownMinimum(
            asked=f"the {what}",
            failed="there are no functions",
            found="vectors in place of gradients",
            needed="functions",
            change="measure the state alone",
        )

    def constants(self) -> dict[str, Constant | None]:
        return {}

    def facts(self) -> Facts:
        """Nothing is known of functions that do not exist."""
        return Facts(
            clients=self.clients,
            dimension=self.dimension,
            convex=False,
            quadratic=False,
            smoothness=np.inf,
            strong_convexity=0.0,
            lipschitz=None,
            bounded_below=False,
            bounded_gradient_divergence=False,
            minimum_attained=False,
        )

    def _answer(self, client: int, rows: Array) -> Array:
        return np.stack([self._vector(self._number(client, row)) for row in rows])

    def _number(self, client: int, point: Array) -> int:
        for number, place in self._of_client.setdefault(client, []):
            if np.abs(place - point).max() <= SAME * np.abs(point).max():
                return number
        if len(self.asked) == self.most:
            self.has_run_out = True
            return 0
        self.asked.append((client, point.copy()))
        self._of_client[client].append((len(self.asked) - 1, self.asked[-1][1]))
        return len(self.asked) - 1
