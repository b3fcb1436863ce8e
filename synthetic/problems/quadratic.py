"""Quadratic clients f_i(x) = 1/2 (x - c_i)^T A_i (x - c_i) + b_i with A_i symmetric positive semidefinite.

The data are float64 or fractions. Every constant comes from exact rational arithmetic on the stored data,
so none depends on the accuracy of a floating-point solver.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

import numpy as np

from synthetic import rational
from synthetic.arithmetic import Array, as_numbers, holds_fractions, on_grid
from synthetic.checks import Scalar, at_least, between, positive, whole
from synthetic.errors import BadShape, NotConvex
from synthetic.facts import Constant, Facts, certified_lower, certified_upper, single
from synthetic.problems._quadratic_constants import (
    ExactData,
    constants_of,
    exact_data,
    gradient_bound_on_ball,
)
from synthetic.problems.interface import mean_gradient, mean_value


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quadratic:
    """hessians (n, d, d), centers (n, d), offsets (n,); all in float64 or all in fractions."""

    hessians: Array
    centers: Array
    offsets: Array

    @property
    def clients(self) -> int:
        return int(self.centers.shape[0])

    @property
    def dimension(self) -> int:
        return int(self.centers.shape[1])

    @property
    def exact(self) -> bool:
        return bool(self.centers.dtype == object)

    def client_value(self, client: int, points: Array) -> Array:
        offset = points - self.centers[client]
        value: Array = (offset * self._curved(client, offset)).sum(axis=-1) / 2 + self.offsets[client]
        return value

    def client_gradient(self, client: int, points: Array) -> Array:
        return self._curved(client, points - self.centers[client])

    def value(self, points: Array) -> Array:
        return mean_value(self, points)

    def gradient(self, points: Array) -> Array:
        return mean_gradient(self, points)

    def minimiser(self) -> Array:
        """The minimiser of the mean; if there are many, the one whose undetermined coordinates are 0."""
        return as_numbers(self._data().minimiser, exact=self.exact)

    def minimum(self) -> Any:
        return single(rational.point(self._data().minimum, exact=self.exact).value)

    def constants(self) -> dict[str, Constant | None]:
        return constants_of(self._data(), exact=self.exact)

    def facts(self) -> Facts:
        known = {name: constant for name, constant in self.constants().items() if constant is not None}
        return Facts(
            clients=self.clients,
            dimension=self.dimension,
            convex=True,
            quadratic=True,
            smoothness=single(certified_upper("smoothness", known["smoothness"])),
            strong_convexity=single(certified_lower("strong_convexity", known["strong_convexity"])),
            lipschitz=None if any(self.hessians.flat) else 0.0,
            bounded_below=True,
            bounded_gradient_divergence="gradient_divergence" in known,
        )

    def gradient_bound_on_ball(self, radius: Scalar) -> Constant:
        """An upper bound on every client's gradient norm within `radius` of the minimiser of the mean."""
        at_least("radius", radius, 0)
        return gradient_bound_on_ball(self._data(), Fraction(radius))

    def _data(self) -> ExactData:
        return _exact_data(self)

    def _curved(self, client: int, offset: Array) -> Array:
        # column by column: works for fractions, and the bits of a row do not depend on the number of rows
        hessian = self.hessians[client]
        total: Array = offset[:, :1] * hessian[0]
        for j in range(1, self.dimension):
            total = total + offset[:, j : j + 1] * hessian[j]
        return total


# the data are read-only and a run asks for the minimiser, the minimum and the constants one by one
@lru_cache(maxsize=32)
def _exact_data(problem: Quadratic) -> ExactData:
    return exact_data(problem.hessians, problem.centers, problem.offsets)


def quadratic(hessians: object, centers: object, offsets: object = None) -> Quadratic:
    """A problem from its data, checked: symmetric, and semidefinite by an exact certificate.

    If any entry is a Fraction, the whole problem is exact.
    """
    exact = holds_fractions(hessians, centers, [] if offsets is None else offsets)
    middles = as_numbers(centers, exact=exact)
    matrices = as_numbers(hessians, exact=exact)
    shifts = as_numbers([0] * len(middles) if offsets is None else offsets, exact=exact)
    _check_shapes(matrices, middles, shifts)
    for client, matrix in enumerate(matrices):
        if not ((matrix == matrix.T).all() and rational.is_positive_semidefinite(rational.to_matrix(matrix))):
            raise NotConvex(
                asked=f"Hessian of client {client}",
                failed="not symmetric positive semidefinite",
                found=matrix.tolist(),
                needed="an exact certificate of both",
                change="symmetrise it, or raise its smallest eigenvalue above the rounding",
            )
    return Quadratic(hessians=matrices, centers=middles, offsets=shifts)


def _check_shapes(hessians: Array, centers: Array, offsets: Array) -> None:
    clients, dimension = centers.shape if centers.ndim == 2 else (0, 0)
    fits = hessians.shape == (clients, dimension, dimension) and offsets.shape == (clients,)
    if clients == 0 or dimension == 0 or not fits:
        raise BadShape(
            asked="quadratic",
            failed="shapes disagree",
            found=f"hessians {hessians.shape}, centers {centers.shape}, offsets {offsets.shape}",
            needed="(n, d, d), (n, d), (n,) with n, d >= 1",
            change="fit the three arrays",
        )


def diagonal(curvatures: object, centers: object, offsets: object = None) -> Quadratic:
    """Diagonal Hessians, curvatures (n, d); a zero curvature gives a flat direction."""
    exact = holds_fractions(curvatures, centers, [] if offsets is None else offsets)
    entries = as_numbers(curvatures, exact=exact)
    if entries.ndim != 2:
        raise BadShape(
            asked="curvatures",
            failed="not a table",
            found=entries.shape,
            needed="(n, d)",
            change="give one row of curvatures per client",
        )
    clients, dimension = entries.shape
    hessians = np.zeros((clients, dimension, dimension), dtype=entries.dtype)
    hessians[:] = as_numbers(np.zeros((dimension, dimension)), exact=exact)
    hessians[:, range(dimension), range(dimension)] = entries
    return quadratic(hessians, centers, offsets)


def small(
    *,
    clients: int = 5,
    dimension: int = 4,
    heterogeneity: float = 1.0,
    smoothness: float = 1.0,
    strong_convexity: float = 0.1,
    shared_hessian: bool = False,
    seed: int = 0,
) -> Quadratic:
    """A random problem, client spectra within [strong_convexity, smoothness] up to the rounding to the grid.

    heterogeneity 0 gives identical clients. It scales the spread of the centres and of the client minima,
    and moves each Hessian from a common one (0) to an independent one (1 and above), unless shared.
    """
    whole("clients", clients, 1)
    whole("dimension", dimension, 1)
    at_least("heterogeneity", heterogeneity, 0)
    positive("smoothness", smoothness)
    between("strong_convexity", strong_convexity, 1e-4, smoothness)
    random = np.random.default_rng(seed)
    mixing = 0.0 if shared_hessian else min(1.0, heterogeneity)
    common = _random_hessian(random, dimension, strong_convexity, smoothness)
    own = [_random_hessian(random, dimension, strong_convexity, smoothness) for _ in range(clients)]
    # a convex combination keeps the spectrum inside the interval
    hessians = [on_grid((1 - mixing) * common + mixing * hessian) for hessian in own]
    centers = random.standard_normal(dimension) + heterogeneity * random.standard_normal((clients, dimension))
    offsets = heterogeneity * random.random(clients)
    return quadratic(np.array(hessians), on_grid(centers), on_grid(offsets))


def _random_hessian(random: np.random.Generator, dimension: int, low: float, high: float) -> Array:
    basis, _ = np.linalg.qr(random.standard_normal((dimension, dimension)))
    # both ends of the interval are attained, so that the condition number is the one asked for
    spectrum = np.concatenate(
        [[high, low][:dimension], low + (high - low) * random.random(max(0, dimension - 2))]
    )
    hessian = (basis * spectrum) @ basis.T
    symmetric: Array = (hessian + hessian.T) / 2
    return symmetric
