"""The spectra of quadratic clients, side by side for the two products of a round: whole, and in panels."""

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import final

import numpy as np

from synthetic.engine.arithmetic import Array, like, rows_of_a_product, stacked_product
from synthetic.engine.threads import one_thread
from synthetic.problems.quadratics.curvature import Clients, Curvature, LowRank

COLUMNS = 1000  # of a panel: 2 MB of coefficients at 256 points; half and twice as many were no faster
FEW = 16_000  # coefficients of one product; a panel with fewer is over before the next call is made
# Multiplications: up to so many, OpenBLAS with AVX-512 multiplies without a copy of the matrix, and the copy
# takes most of the time of a product of few rows.
SMALL = 100**3


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spectrum:
    """eigenvalues (n, k) and their roots; directions U_i, in the rows of bases (n k, d).

    across (d, n k): times the roots, in columns. rest: the eigenvalue of all other directions, if there are
    any. centers (n, d): counted from the origin, the first of them. places (n, k): their coefficients.
    """

    eigenvalues: Array
    roots: Array
    rest: float | None
    bases: Array
    across: Array
    origin: Array
    centers: Array
    places: Array

    def coefficients(self, away: Array, *, resting: bool) -> Array:
        """Coefficients (R, n, k) of points (R, d) less the origin; at a client's center its places.

        resting: whether some point may be the center of a client.
        """
        product = stacked_product(away, like(self.across, away))
        raw = product.reshape(len(away), *self.eigenvalues.shape)
        if resting:
            _place_at_rest(raw, away, like(self.centers, away), like(self.places, away))
        return raw


def may_rest(known: Spectrum, away: Array) -> bool:
    """Whether a point shares its first coordinate with the center of a client; on a device nobody rests.

    Nearly always none does, and asking once takes a fraction of the time of a search in each panel.
    """
    if type(away) is not np.ndarray:
        return False
    return bool((away[:, :1] == like(known.centers, away)[:, 0].copy()).any())


def _place_at_rest(raw: Array, away: Array, centers: Array, places: Array) -> None:
    """Replace the coefficients of a client at a point that is its center by its places.

    Rounding would move such a client, and a normalization would stretch that to its full length. The product
    of the center need not have the bits of the product of the point, so no subtraction would be exactly zero.
    """
    rows, clients = np.nonzero(away[:, :1] == centers[:, 0])
    same = (away[rows] == centers[clients]).all(axis=-1)
    raw[rows[same], clients[same]] = places[clients[same]]


def spectrum(problem: Clients) -> Spectrum:
    # vectors know by the identity of their bases that they can be added: several threads must get the same
    with _computing:
        return _spectrum(problem)


_computing = Lock()


@lru_cache(maxsize=16)
def _spectrum(problem: Clients) -> Spectrum:
    with one_thread():
        eigenvalues, rest, directions = _decomposed(problem.curvature)
    clients, dimension, width = directions.shape
    roots, beside = np.sqrt(eigenvalues), (dimension, clients * width)
    across = np.ascontiguousarray((directions * roots[:, None]).swapaxes(0, 1).reshape(beside))
    centers = problem.centers - problem.centers[0]
    return Spectrum(
        eigenvalues=eigenvalues,
        roots=roots,
        rest=rest,
        bases=np.ascontiguousarray(directions.swapaxes(1, 2).reshape(beside[::-1])),
        across=across,
        origin=problem.centers[0],
        centers=centers,
        places=(centers[:, None] * directions.swapaxes(1, 2)).sum(axis=-1) * roots,
    )


def panels(problem: Clients) -> tuple[tuple[slice, Spectrum], ...]:
    """The spectrum of some clients at a time: how many is a matter of the problem and the plan alone."""
    rows = rows_of_a_product()
    several, each = FEW // rows, rows * problem.dimension
    copied = each * several > SMALL >= each * COLUMNS
    return _panels(problem, COLUMNS if copied else max(COLUMNS, several))


@lru_cache(maxsize=16)
def _panels(problem: Clients, columns: int) -> tuple[tuple[slice, Spectrum], ...]:
    known, found = spectrum(problem), []
    clients, width = known.eigenvalues.shape
    several = max(1, columns // width)
    for first in range(0, clients, several):
        chosen = slice(first, min(first + several, clients))
        own = slice(first * width, chosen.stop * width)
        part = Spectrum(
            eigenvalues=known.eigenvalues[chosen],
            roots=known.roots[chosen],
            rest=known.rest,
            bases=known.bases[own],
            across=np.ascontiguousarray(known.across[:, own]),
            origin=known.origin,
            centers=known.centers[chosen],
            places=known.places[chosen],
        )
        found.append((chosen, part))
    return tuple(found)


def _decomposed(curvature: Curvature) -> tuple[Array, float | None, Array]:
    """Eigenvalues (n, k), that of all other directions if there are others, directions (n, d, k)."""
    if isinstance(curvature, LowRank):
        directions, singular, _ = np.linalg.svd(curvature.factors, full_matrices=False)
        others = directions.shape[2] < directions.shape[1]
        return singular**2 + curvature.shift, float(curvature.shift) if others else None, directions
    eigenvalues, directions = np.linalg.eigh(curvature.matrices())
    # certified semidefinite: what is below zero is rounding
    return np.maximum(eigenvalues, 0.0), None, directions
