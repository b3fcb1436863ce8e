"""Quadratic clients f_i(x) = 1/2 (x - c_i)^T A_i (x - c_i) + b_i with A_i symmetric positive semidefinite.

The data are float64 or fractions; if any entry is a Fraction, the whole problem is exact. No constant depends
on the accuracy of a floating-point solver: those of small problems come from exact rational arithmetic on the
stored data, those of large ones are enclosed.
"""

import math
from fractions import Fraction

import numpy as np

from synthetic.arguments import Scalar, at_least, between, integer_at_least, positive
from synthetic.certified import rationals
from synthetic.engine.arithmetic import Array, as_numbers, holds_fractions, on_grid
from synthetic.errors import BadShape, NotConvex
from synthetic.problems.quadratics.curvature import Dense, Diagonal, LowRank
from synthetic.problems.quadratics.data import Quadratic as Quadratic
from synthetic.problems.quadratics.data import assembled, is_small


def quadratic(hessians: object, centers: object, offsets: object = None) -> Quadratic:
    """A problem from its data, checked: symmetric, and certified semidefinite."""
    exact = holds_fractions(hessians, centers, [] if offsets is None else offsets)
    matrices = as_numbers(hessians, exact=exact)
    _check_layout(
        "hessians", matrices, "(n, d, d)", matrices.ndim == 3 and matrices.shape[1] == matrices.shape[2]
    )
    problem = assembled(Dense(table=matrices), centers, offsets, exact=exact)
    _check_semidefinite(Dense(table=matrices), exact=exact)
    return problem


def _check_semidefinite(curvature: Dense, *, exact: bool) -> None:
    """Exact elimination decides; for large float64 matrices an enclosure of the smallest eigenvalue."""
    table = curvature.table
    if exact or is_small(*curvature.shape):
        certified = [rationals.is_positive_semidefinite(matrix) for matrix in curvature.exact_matrices()]
    else:
        certified = (curvature.extreme_eigenvalues()[0].lower >= 0).tolist()
    for client, matrix in enumerate(table):
        if not (certified[client] and (matrix == matrix.T).all()):
            raise NotConvex(
                asked=f"Hessian of client {client}",
                failed="not symmetric positive semidefinite",
                found=_excerpt(matrix),
                needed="a certificate of both",
                change="symmetrise it, lift its smallest eigenvalue above rounding, or give low-rank factors",
            )


def _excerpt(matrix: Array) -> object:
    return matrix.tolist() if matrix.size <= 9 else f"a {matrix.shape[0]} x {matrix.shape[1]} matrix"


def _check_layout(name: str, array: Array, needed: str, fits: bool) -> None:
    if not fits or 0 in array.shape:
        raise BadShape(
            asked=name,
            failed="wrong shape",
            found=array.shape,
            needed=f"{needed}, none of them 0",
            change="give one entry of the first axis per client",
        )


def diagonal(curvatures: object, centers: object, offsets: object = None) -> Quadratic:
    """Diagonal Hessians, curvatures (n, d); a zero curvature gives a flat direction."""
    exact = holds_fractions(curvatures, centers, [] if offsets is None else offsets)
    entries = as_numbers(curvatures, exact=exact)
    _check_layout("curvatures", entries, "(n, d)", entries.ndim == 2)
    if not (entries >= 0).all():
        raise NotConvex(
            asked="curvatures",
            failed="one is negative",
            found=entries.min(),
            needed="none below 0",
            change="raise it to 0",
        )
    return assembled(Diagonal(entries=entries), centers, offsets, exact=exact)


def low_rank(factors: object, centers: object, offsets: object = None, shift: Scalar = 0) -> Quadratic:
    """Hessians F_i F_i^T + shift * identity from factors (n, d, k): semidefinite whatever they are."""
    at_least("shift", shift, 0)
    exact = holds_fractions(factors, centers, shift, [] if offsets is None else offsets)
    columns = as_numbers(factors, exact=exact)
    _check_layout("factors", columns, "(n, d, k)", columns.ndim == 3)
    curvature = LowRank(factors=columns, shift=Fraction(shift) if exact else float(shift))
    return assembled(curvature, centers, offsets, exact=exact)


def gaussian_factors(
    *, clients: int = 100, dimension: int = 200, rank: int = 20, shift: float = 0.0, seed: int = 0
) -> Quadratic:
    """Hessians F_i F_i^T + shift * identity, entries of F_i normal with deviation 1/rank, centres N(0, I).

    The defaults are a published comparison of clipped and normalised private averaging.
    """
    for name, value in (("clients", clients), ("dimension", dimension), ("rank", rank)):
        integer_at_least(name, value, 1)
    random = _generator(seed)
    factors = random.standard_normal((clients, dimension, rank)) / rank
    return low_rank(factors, random.standard_normal((clients, dimension)), shift=shift)


def ill_conditioned(
    *,
    clients: int = 5,
    dimension: int = 6,
    condition: float = 1e6,
    smoothness: float = 1.0,
    infimum_gap: float = 1.0,
    shared_hessian: bool = False,
    seed: int = 0,
) -> Quadratic:
    """Client spectra geometric from smoothness down to smoothness/condition, in random directions.

    The centres are spread so that the minimum of the mean exceeds the mean of the client minima, which are
    0, by `infimum_gap`, up to rounding; identical clients if it is 0.
    """
    integer_at_least("clients", clients, 1)
    integer_at_least("dimension", dimension, 1)
    positive("smoothness", smoothness)
    between("condition", condition, 1, 1e12)
    at_least("infimum_gap", infimum_gap, 0)
    positive("smoothness / condition", smoothness / condition)
    random = _generator(seed)
    spectrum = np.geomspace(smoothness, smoothness / condition, dimension)
    hessians = np.array(
        [_turned(random.standard_normal((dimension, dimension)), spectrum) for _ in range(clients)]
    )
    if shared_hessian or infimum_gap == 0:
        hessians[:] = hessians[0]
    middle, spread = random.standard_normal(dimension), random.standard_normal((clients, dimension))
    # the gap is a quadratic form in the spread of the centres
    pulls = (hessians @ spread[..., None])[..., 0]
    best = np.linalg.solve(hessians.mean(axis=0), pulls.mean(axis=0))
    away = spread - best
    own = (away * (hessians @ away[..., None])[..., 0]).sum() / (2 * clients)
    scale = math.sqrt(infimum_gap / own) if clients > 1 else 0.0
    return quadratic(hessians, middle + scale * spread)


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
    integer_at_least("clients", clients, 1)
    integer_at_least("dimension", dimension, 1)
    at_least("heterogeneity", heterogeneity, 0)
    positive("smoothness", smoothness)
    between("strong_convexity", strong_convexity, 1e-4, smoothness)
    random = _generator(seed)
    mixing = 0.0 if shared_hessian else min(1.0, heterogeneity)
    common = _random_hessian(random, dimension, strong_convexity, smoothness)
    own = [_random_hessian(random, dimension, strong_convexity, smoothness) for _ in range(clients)]
    # a convex combination keeps the spectrum inside the interval
    hessians = [on_grid((1 - mixing) * common + mixing * hessian) for hessian in own]
    centers = random.standard_normal(dimension) + heterogeneity * random.standard_normal((clients, dimension))
    offsets = heterogeneity * random.random(clients)
    return quadratic(np.array(hessians), on_grid(centers), on_grid(offsets))


def _generator(seed: int) -> np.random.Generator:
    integer_at_least("seed", seed, 0)
    return np.random.default_rng(seed)


def _random_hessian(random: np.random.Generator, dimension: int, low: float, high: float) -> Array:
    directions = random.standard_normal((dimension, dimension))
    # both ends of the interval are attained, so that the condition number is the one asked for
    spectrum = np.concatenate(
        [[high, low][:dimension], low + (high - low) * random.random(max(0, dimension - 2))]
    )
    return _turned(directions, spectrum)


def _turned(directions: Array, spectrum: Array) -> Array:
    """A symmetric matrix with this spectrum, its eigenvectors from the directions."""
    basis, _ = np.linalg.qr(directions)
    hessian = (basis * spectrum) @ basis.T
    return (hessian + hessian.T) / 2
