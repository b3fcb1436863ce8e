"""The spectra of quadratic clients, side by side for the two products of a round: whole, and in panels."""

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, final

import numpy as np

from synthetic.arithmetic import Array, like, stacked_product
from synthetic.problems._curvature import Curvature, LowRank
from synthetic.threads import one_thread

if TYPE_CHECKING:
    from synthetic.problems._quadratic import Quadratic

ROWS = 64  # centres that are taken through the product at a time
COLUMNS = 1000  # of a panel: 2 MB of coefficients at 256 points; half and twice as many were no faster


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spectrum:
    """eigenvalues (n, k) and their roots; directions U_i, in the rows of bases (n k, d).

    across (d, n k): times the roots, in columns. rest: the eigenvalue of all other directions, if there are
    any. places (n, k): coefficients of the centres counted from the first one, so that at a point where all
    clients rest the coefficients are exactly zero.
    """

    eigenvalues: Array
    roots: Array
    rest: float | None
    bases: Array
    across: Array
    origin: Array
    places: Array

    def coefficients(self, away: Array) -> Array:
        """Of points (R, d) from which the origin is taken, (R, n, k); those of a centre are its places."""
        return stacked_product(away, like(self.across, away)).reshape(len(away), *self.eigenvalues.shape)


def spectrum(problem: "Quadratic") -> Spectrum:
    # vectors know by the identity of their bases that they can be added: several threads must get the same
    with _computing:
        return _spectrum(problem)


_computing = Lock()


@lru_cache(maxsize=16)
def _spectrum(problem: "Quadratic") -> Spectrum:
    with one_thread():
        eigenvalues, rest, directions = _decomposed(problem.curvature)
    clients, dimension, width = directions.shape
    roots, beside = np.sqrt(eigenvalues), (dimension, clients * width)
    across = np.ascontiguousarray((directions * roots[:, None]).swapaxes(0, 1).reshape(beside))
    return Spectrum(
        eigenvalues=eigenvalues,
        roots=roots,
        rest=rest,
        bases=np.ascontiguousarray(directions.swapaxes(1, 2).reshape(beside[::-1])),
        across=across,
        origin=problem.centers[0],
        places=_places(problem.centers, problem.centers[0], across, width),
    )


def _places(centers: Array, origin: Array, across: Array, width: int) -> Array:
    places = np.empty((len(centers), width))
    # through the same product as the points of a run, which has one thread, wherever this is asked first: a
    # point at a centre has coefficients zero there too
    with one_thread():
        for first in range(0, len(centers), ROWS):
            several = stacked_product(centers[first : first + ROWS] - origin, across)
            for client, row in enumerate(several, start=first):
                places[client] = row.reshape(len(centers), width)[client]
    return places


@lru_cache(maxsize=16)
def panels(problem: "Quadratic") -> tuple[tuple[slice, Spectrum], ...]:
    """The spectrum of some clients at a time; places through the product of these alone."""
    known, found = spectrum(problem), []
    clients, width = known.eigenvalues.shape
    several = max(1, COLUMNS // width)
    for first in range(0, clients, several):
        chosen = slice(first, min(first + several, clients))
        columns = slice(first * width, chosen.stop * width)
        across = np.ascontiguousarray(known.across[:, columns])
        part = Spectrum(
            eigenvalues=known.eigenvalues[chosen],
            roots=known.roots[chosen],
            rest=known.rest,
            bases=known.bases[columns],
            across=across,
            origin=known.origin,
            places=_places(problem.centers[chosen], known.origin, across, width),
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
