"""Smooth maxima f_i(x) = s log(sum over j of exp((a_ij . x - b_ij)/s)) + l2/2 ||x||^2 of m affine pieces.

The temperature s > 0 smooths the maximum. The gradient is a mean of the rows a_ij with weights p that depend
on x, the Hessian their covariance under p divided by s, plus l2. Hence, with D_i the largest distance between
two rows of client i, no eigenvalue exceeds D_i^2/(4 s) + l2 (a variance is at most a quarter of the squared
range), and along a move of length r no weight shrinks by more than exp(-D_i r/s). The third derivative along
h is the third central moment of the a_ij . h under p, over s^2. Of numbers in [0, r] with the mean m it is
linear in the law, so it is largest on the concave envelope of x^3 - 3 m x^2, which is concave up to m and
convex from there: with two numbers, whose third central moment is q (1 - q) (1 - 2 q) times the cube of their
distance, at most r^3/(6 sqrt(3)). So the Hessian is D_i^3/(6 sqrt(3) s^2)-Lipschitz.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, final

import numpy as np

from synthetic.arguments import Scalar, at_least, index_below, integer_at_least, positive
from synthetic.certified.enclosures import functions_for
from synthetic.certified.facts import Constant, Facts, known, single, upper
from synthetic.engine.arithmetic import Array, as_numbers, like, on_grid, stacked_product
from synthetic.errors import BadShape
from synthetic.problem import Problem, per_client
from synthetic.problems._log_sum_exp_constants import constants_near, near_minimiser


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogSumExp(Problem):
    """rows (n, m, d), levels (n, m)."""

    rows: Array
    levels: Array
    temperature: float
    l2: float

    @property
    def clients(self) -> int:
        return int(self.rows.shape[0])

    @property
    def dimension(self) -> int:
        return int(self.rows.shape[2])

    def client_value(self, client: int, points: Array) -> Array:
        return self.of(client).client_values(points)[0]

    def client_gradient(self, client: int, points: Array) -> Array:
        return self.of(client).client_gradients(points)[0]

    def client_values(self, points: Array) -> Array:
        where = self._placed(points)
        scores, highest = self._scores(where)
        functions = functions_for(points)
        total = functions.log(functions.exp(scores - highest[..., None]).sum(axis=-1)) + highest
        return self.temperature * total + self.l2 / 2 * (where * where).sum(axis=-1)

    def client_gradients(self, points: Array) -> Array:
        where = self._placed(points)
        weights = self._weights(where)
        return stacked_product(weights, like(self.rows, points)) + self.l2 * where

    def weights(self, points: Array) -> Array:
        """Weights of the pieces, (n, R, m)."""
        return self._weights(self._placed(points))

    def minimiser(self) -> Array:
        return _known(self)[0]

    def minimum(self) -> Any:
        return single(known(self.constants(), "minimum").value)

    def constants(self) -> dict[str, Constant | None]:
        return dict(_known(self)[1])

    def facts(self) -> Facts:
        constants = self.constants()
        return Facts(
            clients=self.clients,
            dimension=self.dimension,
            convex=True,
            quadratic=False,
            smoothness=upper(constants, "smoothness"),
            strong_convexity=self.l2,
            lipschitz=None if constants["lipschitz"] is None else upper(constants, "lipschitz"),
            bounded_below=True,
            minimum_attained=True,
            bounded_gradient_divergence=True,
        )

    def of(self, client: int) -> "LogSumExp":
        index_below("client", client, self.clients)
        only = slice(client, client + 1)
        return replace(self, rows=self.rows[only], levels=self.levels[only])

    def heated(self, temperature: float) -> "LogSumExp":
        return replace(self, temperature=temperature)

    def _placed(self, points: Array) -> Array:
        return per_client(points, self.clients, self.dimension)

    def _scores(self, where: Array) -> tuple[Array, Array]:
        """The pieces over the temperature, (n, R, m), and the highest of them, (n, R)."""
        rows = like(self.rows, where).swapaxes(-1, -2)
        scores = (stacked_product(where, rows) - like(self.levels, where)[:, None]) / self.temperature
        return scores, functions_for(where).amax(scores, -1)

    def _weights(self, where: Array) -> Array:
        scores, highest = self._scores(where)
        raised = functions_for(where).exp(scores - highest[..., None])
        return raised / raised.sum(axis=-1)[..., None]


# a run asks for the minimiser, the minimum and the constants one by one
@lru_cache(maxsize=32)
def _known(problem: LogSumExp) -> tuple[Array, dict[str, Constant | None]]:
    point = as_numbers(near_minimiser(problem), exact=False)
    return point, constants_near(problem, point)


def log_sum_exp(rows: object, levels: object, temperature: Scalar = 1.0, l2: Scalar = 0.0) -> LogSumExp:
    """From rows (n, m, d) and levels (n, m). Refused if a client or the mean has no certified minimiser:

    with l2 = 0 the rows of each client must have the origin inside their convex hull.
    """
    positive("temperature", temperature)
    at_least("l2", l2, 0)
    pieces, heights = as_numbers(rows, exact=False), as_numbers(levels, exact=False)
    if pieces.ndim != 3 or 0 in pieces.shape or heights.shape != pieces.shape[:2]:
        raise BadShape(
            asked="log_sum_exp",
            failed="shapes disagree",
            found=f"rows {pieces.shape}, levels {heights.shape}",
            needed="(n, m, d) and (n, m), none of them 0",
            change="give m rows and m levels per client",
        )
    problem = LogSumExp(rows=pieces, levels=heights, temperature=float(temperature), l2=float(l2))
    _known(problem)
    return problem


def coordinates(*, clients: int = 2, dimension: int = 4, temperature: float = 0.01) -> LogSumExp:
    """The largest |x_j|, smoothed, of clients that are alike: no slope is above 1, the minimizer is 0."""
    integer_at_least("clients", clients, 1)
    integer_at_least("dimension", dimension, 1)
    rows = np.concatenate([np.eye(dimension), -np.eye(dimension)])
    return log_sum_exp(np.stack([rows] * clients), np.zeros((clients, 2 * dimension)), temperature)


def small(
    *,
    clients: int = 3,
    dimension: int = 2,
    pieces: int = 8,
    temperature: float = 1.0,
    l2: float = 0.0,
    heterogeneity: float = 1.0,
    seed: int = 0,
) -> LogSumExp:
    """Random rows that sum to zero for each client, and random levels; heterogeneity 0: identical clients."""
    integer_at_least("clients", clients, 1)
    integer_at_least("dimension", dimension, 1)
    integer_at_least("pieces", pieces, dimension + 1)
    at_least("heterogeneity", heterogeneity, 0)
    integer_at_least("seed", seed, 0)
    random = np.random.default_rng(seed)
    rows = random.standard_normal((pieces, dimension)) + heterogeneity * random.standard_normal(
        (clients, pieces, dimension)
    )
    rows = on_grid(rows - rows.mean(axis=1, keepdims=True))
    # exact on the grid: with equal weights the origin is in the hull, inside it if the rows span the space
    rows[:, -1] = -rows[:, :-1].sum(axis=1)
    levels = random.standard_normal(pieces) + heterogeneity * random.standard_normal((clients, pieces))
    return log_sum_exp(rows, levels, temperature, l2)
