"""Local gradient steps on quadratic clients in closed form: any number for the price of two products.

E steps of length eta from x on f_i(x) = 1/2 (x - c_i)^T Q_i (x - c_i) end at c_i + (I - eta Q_i)^E (x - c_i),
so the update is
    (x - T_i(x))/eta = g(Q_i) (x - c_i),   g(q) = (1 - (1 - eta q)^E)/eta.
With Q_i = U_i diag(q) U_i^T + s (I - U_i U_i^T), U_i (d, k) orthonormal, the coefficients along U_i are those
of x less those of c_i, times g(q): one product of the points (R, d) with all U_i side by side (d, n k).
"""

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, final

import numpy as np

from synthetic.arithmetic import Array, like, stacked_product
from synthetic.client_vectors import ClientVectors, InSpans
from synthetic.problems._curvature import Curvature, Diagonal, LowRank

if TYPE_CHECKING:
    from synthetic.problems._quadratic import Quadratic

ROWS = 64  # centres that are taken through the product at a time


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spectrum:
    """eigenvalues (n, k); directions U_i in the rows of bases (n k, d) and in the columns of across (d, n k).

    rest: the eigenvalue of all other directions, if there are any. places (n, k): coefficients of the centres
    counted from the first one, so that at a point where all clients rest the coefficients are exactly zero.
    """

    eigenvalues: Array
    rest: float | None
    bases: Array
    across: Array
    origin: Array
    places: Array

    def coefficients(self, points: Array) -> Array:
        """Of points (R, d) less each centre, (R, n, k)."""
        raw = stacked_product(points - like(self.origin, points), like(self.across, points))
        found = raw.reshape(len(points), *self.eigenvalues.shape)
        found -= like(self.places, points)
        return found


def local_updates(problem: "Quadratic", points: Array, *, step: float, steps: int) -> ClientVectors:
    """(x - T_i(x))/step of every client, T_i its local pass from the common points (R, d)."""
    gains, elsewhere = _gains(problem, step, steps)
    if isinstance(problem.curvature, Diagonal):
        along_coordinates: Array = _away(problem, points) * like(gains, points)[:, None]
        return along_coordinates
    known = spectrum(problem)
    coefficients = known.coefficients(points)
    coefficients *= like(gains, points)
    inside = InSpans(coefficients=coefficients, bases=known.bases)
    if not elsewhere:
        return inside
    return inside + elsewhere * _away(problem, points)


def _away(problem: "Quadratic", points: Array) -> Array:
    away: Array = points - like(problem.centers, points)[:, None]
    return away


# a problem is read-only, and every round asks for the same
@lru_cache(maxsize=64)
def _gains(problem: "Quadratic", step: float, steps: int) -> tuple[Array, float]:
    """g of the eigenvalues less g of the rest, and g of the rest."""
    if isinstance(problem.curvature, Diagonal):
        return gain(problem.curvature.entries, step, steps), 0.0
    known = spectrum(problem)
    elsewhere = 0.0 if known.rest is None else float(gain(np.array(known.rest), step, steps))
    return gain(known.eigenvalues, step, steps) - elsewhere, elsewhere


def gain(eigenvalues: Array, step: float, steps: int) -> Array:
    """(1 - (1 - step q)^steps)/step without loss of digits where the power is near 1."""
    moved = step * eigenvalues
    # log|1 - t|: for t > 1 it is log1p(t - 2), and there an odd power of 1 - t is negative
    beyond = moved > 1
    with np.errstate(divide="ignore", over="ignore"):
        powers = steps * np.log1p(np.where(beyond, moved - 2, -moved))
        gains = np.where(beyond & (steps % 2 == 1), 1 + np.exp(powers), -np.expm1(powers)) / step
    # finite, so that a client at rest stays at rest however long the steps are
    largest = np.finfo(np.float64).max
    bounded: Array = np.clip(gains, -largest, largest)
    return bounded


def spectrum(problem: "Quadratic") -> Spectrum:
    # vectors know by the identity of their bases that they can be added: several threads must get the same
    with _computing:
        return _spectrum(problem)


_computing = Lock()


@lru_cache(maxsize=16)
def _spectrum(problem: "Quadratic") -> Spectrum:
    eigenvalues, rest, directions = _decomposed(problem.curvature)
    clients, dimension, width = directions.shape
    across = np.ascontiguousarray(directions.swapaxes(0, 1).reshape(dimension, clients * width))
    origin = problem.centers[0]
    places = np.empty((clients, width))
    for first in range(0, clients, ROWS):
        # through the same product as the points: a point at a centre has coefficients zero there too
        several = stacked_product(problem.centers[first : first + ROWS] - origin, across)
        for client, row in enumerate(several, start=first):
            places[client] = row.reshape(clients, width)[client]
    return Spectrum(
        eigenvalues=eigenvalues,
        rest=rest,
        bases=np.ascontiguousarray(across.T),
        across=across,
        origin=origin,
        places=places,
    )


def _decomposed(curvature: Curvature) -> tuple[Array, float | None, Array]:
    """Eigenvalues (n, k), that of all other directions if there are others, directions (n, d, k)."""
    if isinstance(curvature, LowRank):
        directions, singular, _ = np.linalg.svd(curvature.factors, full_matrices=False)
        others = directions.shape[2] < directions.shape[1]
        return singular**2 + curvature.shift, float(curvature.shift) if others else None, directions
    eigenvalues, directions = np.linalg.eigh(curvature.matrices())
    return eigenvalues, None, directions
