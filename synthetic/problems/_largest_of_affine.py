"""Clients that are the largest of finitely many affine functions, f_i(x) = max over q of h_q + <g_q, x>.

They are convex, and the slopes of the largest functions are subgradients. `client_gradients` gives the first
of them: at a point through which the function was drawn with room to spare, the slope that was drawn.
"""

from dataclasses import dataclass
from math import inf
from typing import final

import numpy as np

from synthetic.certified.facts import Constant, Facts, exactly
from synthetic.engine.arithmetic import Array, like, on_host
from synthetic.problem import Problem, per_client


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LargestOfAffine(Problem):
    """slopes g (n, m, d) of length at most `lipschitz`, heights h (n, m); the mean has its minimum 0 at 0."""

    slopes: Array
    heights: Array
    lipschitz: float

    @property
    def clients(self) -> int:
        return int(self.slopes.shape[0])

    @property
    def dimension(self) -> int:
        return int(self.slopes.shape[2])

    def client_values(self, points: Array) -> Array:
        return like(self._pieces(points).max(axis=-1), points)

    def client_gradients(self, points: Array) -> Array:
        largest = self._pieces(points).argmax(axis=-1)
        return like(np.take_along_axis(self.slopes, largest[..., None], axis=1), points)

    def minimiser(self) -> Array:
        return np.zeros(self.dimension)

    def minimum(self) -> float:
        return 0.0

    def constants(self) -> dict[str, Constant | None]:
        return {"smoothness": None, "lipschitz": exactly(self.lipschitz)}

    def facts(self) -> Facts:
        return Facts(
            clients=self.clients,
            dimension=self.dimension,
            convex=True,
            quadratic=False,
            smoothness=inf,
            strong_convexity=0.0,
            lipschitz=self.lipschitz,
            bounded_below=True,
            bounded_gradient_divergence=True,
            minimum_attained=True,
        )

    def _pieces(self, points: Array) -> Array:
        """Every affine function of every client at its points, (n, R, m)."""
        rows = per_client(on_host(points), self.clients, self.dimension)
        return (rows[:, :, None, :] * self.slopes[:, None]).sum(axis=-1) + self.heights[:, None]


def largest_of_affine(points: Array, gradients: Array, values: Array, *, lipschitz: float) -> LargestOfAffine:
    """Clients through points and subgradients (n, m, d) and values (n, m)."""
    return LargestOfAffine(
        slopes=gradients, heights=values - (gradients * points).sum(axis=-1), lipschitz=lipschitz
    )
