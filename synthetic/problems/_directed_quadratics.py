"""Quadratic clients that differ by a direction alone, of a mean with its minimum 0 at 0.

The space is that of (u, V) with u in R^r and V a matrix (s, k); client i has a direction e_i in R^k of length
1, and the directions add up to 0. With z = (u, V e_i),

    f_i(u, V) = <b, V e_i> + 1/2 <z, Q z> + m/2 (||V||^2 - ||V e_i||^2):

curvature Q in what the clients share and along their own direction, and m elsewhere. A linear part is allowed
where Q has no curvature, so that a client need not have a minimizer.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from synthetic.certified.facts import Constant, Facts, exactly
from synthetic.engine.arithmetic import Array, inner, stacked_product
from synthetic.problem import Problem, per_client


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DirectedQuadratics(Problem):
    """hessian Q (r + s, r + s), slope b (s,), directions e_i (n, k), curvature m."""

    hessian: Array
    slope: Array
    directions: Array
    curvature: float
    smoothness: float

    @property
    def clients(self) -> int:
        return int(self.directions.shape[0])

    @property
    def shared(self) -> int:
        return len(self.hessian) - len(self.slope)

    @property
    def dimension(self) -> int:
        return self.shared + len(self.slope) * int(self.directions.shape[1])

    def client_values(self, points: Array) -> Array:
        z, apart = self._seen_by_clients(points)
        own = z[..., self.shared :]
        bowls = inner(z, stacked_product(z, self.hessian)) / 2
        values: Array = bowls + (own * self.slope).sum(axis=-1)
        return values + self.curvature / 2 * (inner(apart, apart) - inner(own, own))

    def client_gradients(self, points: Array) -> Array:
        z, apart = self._seen_by_clients(points)
        bent = stacked_product(z, self.hessian)
        along = bent[..., self.shared :] + self.slope - self.curvature * z[..., self.shared :]
        turned = (along[..., :, None] * self.directions[:, None, None, :]).reshape(*z.shape[:2], -1)
        return np.concatenate([bent[..., : self.shared], self.curvature * apart + turned], axis=-1)

    def minimiser(self) -> Array:
        return np.zeros(self.dimension)

    def minimum(self) -> Any:
        return 0.0

    def constants(self) -> dict[str, Constant | None]:
        return {"smoothness": exactly(self.smoothness)}

    def facts(self) -> Facts:
        return Facts(
            clients=self.clients,
            dimension=self.dimension,
            convex=True,
            quadratic=True,
            smoothness=self.smoothness,
            strong_convexity=self.curvature,
            lipschitz=None,
            bounded_below=True,
            bounded_gradient_divergence=False,
            minimum_attained=True,
        )

    def _seen_by_clients(self, points: Array) -> tuple[Array, Array]:
        """z = (u, V e_i) of every client, (n, R, r + s), and V, (n or 1, R, s k)."""
        rows = per_client(points, self.clients, self.dimension)
        common, apart = rows[..., : self.shared], rows[..., self.shared :]
        columns = apart.reshape(*rows.shape[:2], len(self.slope), self.directions.shape[1])
        own = (columns * self.directions[:, None, None, :]).sum(axis=-1)
        common = np.broadcast_to(common, (*own.shape[:2], self.shared))
        return np.concatenate([common, own], axis=-1), apart
