"""Clients that have given values and gradients at given points, in the class that allows them.

f_i(x) = m/2 ||x||^2 + min over weights a >= 0 with sum 1 of sum_q a_q c_q + l/2 ||x - sum_q a_q s_q||^2, with
l = L - m, s_q = x_q - d_q/l and c_q = h_q - ||d_q||^2/(2 l), where h and d are values and gradients of f_i -
m/2 ||x||^2. This is L-smooth, and f_i - m/2 ||x||^2 is convex, whatever the data are; it passes through them
if they satisfy the conditions of interpolation (Drori and Shamir 2020, Taylor, Hendrickx and Glineur 2017).
The weights are found on the host, one point after the other, whatever device the points are on.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from synthetic.arguments import index_below
from synthetic.certified.facts import Constant, Facts, exactly
from synthetic.engine.arithmetic import Array, like, on_host
from synthetic.problem import Problem, per_client

NEGATIVE = 1e-13  # a rate of descent, relative to the size of the data, that is rounding


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThroughPoints(Problem):
    """supports (n, m, d) are the s_q and costs (n, m) the c_q of each client; a minimizer is at 0."""

    supports: Array
    costs: Array
    smoothness: float
    curvature: float
    lowest: float

    @property
    def clients(self) -> int:
        return int(self.supports.shape[0])

    @property
    def dimension(self) -> int:
        return int(self.supports.shape[2])

    def client_value(self, client: int, points: Array) -> Array:
        return like(self._client(client, on_host(points))[0], points)

    def client_gradient(self, client: int, points: Array) -> Array:
        return like(self._client(client, on_host(points))[1], points)

    def client_values(self, points: Array) -> Array:
        each = [self._client(i, rows)[0] for i, rows in enumerate(self._rows(points))]
        return like(np.stack(each), points)

    def client_gradients(self, points: Array) -> Array:
        each = [self._client(i, rows)[1] for i, rows in enumerate(self._rows(points))]
        return like(np.stack(each), points)

    def minimiser(self) -> Array:
        return np.zeros(self.dimension)

    def minimum(self) -> float:
        return self.lowest

    def constants(self) -> dict[str, Constant | None]:
        return {"smoothness": exactly(self.smoothness)}

    def facts(self) -> Facts:
        return Facts(
            clients=self.clients,
            dimension=self.dimension,
            convex=self.curvature >= 0,
            quadratic=False,
            smoothness=self.smoothness,
            strong_convexity=max(0.0, self.curvature),
            lipschitz=None,
            bounded_below=True,
            bounded_gradient_divergence=False,
            minimum_attained=self.curvature >= 0,
        )

    def _rows(self, points: Array) -> Array:
        rows = per_client(on_host(points), self.clients, self.dimension)
        return np.broadcast_to(rows, (self.clients, *rows.shape[1:]))

    def _client(self, client: int, points: Array) -> tuple[Array, Array]:
        """Values (R,) and gradients (R, d); rows that repeat are computed once."""
        index_below("client", client, self.clients)
        different, where = np.unique(points, axis=0, return_inverse=True)
        bend, width = self.curvature, self.smoothness - self.curvature
        values, gradients = [], []
        for x in different:
            weights = _best_weights(self.supports[client], self.costs[client], width, x)
            away = x - weights @ self.supports[client]
            values.append(bend / 2 * x @ x + weights @ self.costs[client] + width / 2 * away @ away)
            gradients.append(bend * x + width * away)
        return np.array(values)[where.ravel()], np.array(gradients)[where.ravel()]


def through_points(
    points: Array, gradients: Array, values: Array, *, smoothness: float, curvature: float, lowest: float
) -> ThroughPoints:
    """Clients through points and gradients (n, m, d) and values (n, m)."""
    width = smoothness - curvature
    slopes = gradients - curvature * points
    heights = values - curvature / 2 * (points * points).sum(axis=-1)
    return ThroughPoints(
        supports=points - slopes / width,
        costs=heights - (slopes * slopes).sum(axis=-1) / (2 * width),
        smoothness=smoothness,
        curvature=curvature,
        lowest=lowest,
    )


def _best_weights(supports: Array, costs: Array, width: float, x: Array) -> Array:
    """The weights of the minimum: an active set of supports that grows where the value falls fastest."""
    towards = supports - x
    single = costs + width / 2 * (towards * towards).sum(axis=1)
    active = [int(np.argmin(single))]
    weights: Any = np.zeros(len(costs))
    weights[active] = 1.0
    scale = max(1e-300, float(np.abs(single).max()))
    for _ in range(20 * len(costs)):
        slopes = costs + width * towards @ (weights @ towards)
        rates = slopes - slopes @ weights
        entering = int(np.argmin(rates))
        if rates[entering] >= -NEGATIVE * scale or entering in active:
            break
        active.append(entering)
        weights, active = _on_face(towards, costs, width, weights, active)
    return np.asarray(weights)


def _on_face(
    towards: Array, costs: Array, width: float, weights: Array, active: list[int]
) -> tuple[Array, list[int]]:
    """The minimum over the face of the active supports; supports leave as their weights reach 0."""
    while True:
        rows = towards[active]
        size = len(active)
        system = np.ones((size + 1, size + 1))
        system[:size, :size], system[size, size] = width * rows @ rows.T, 0.0
        wanted = np.linalg.lstsq(system, np.append(-costs[active], 1.0), rcond=None)[0][:size]
        held = weights[active]
        falling = wanted < 0
        if not falling.any():
            found = np.zeros_like(weights)
            found[active] = wanted
            return found, active
        share = np.min(held[falling] / (held[falling] - wanted[falling]))
        moved = held + share * (wanted - held)
        moved[falling & (moved <= 1e-16)] = 0.0
        moved[np.flatnonzero(falling)[np.argmin(moved[falling])]] = 0.0
        weights = np.zeros_like(weights)
        weights[active] = moved / moved.sum()
        active = [index for index in active if weights[index] > 0]
