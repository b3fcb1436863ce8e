"""Local gradient steps on quadratic clients in closed form: any number for the price of two products.

E steps of length eta from x on f_i(x) = 1/2 (x - c_i)^T Q_i (x - c_i) end at c_i + (I - eta Q_i)^E (x - c_i),
so the update is
    (x - T_i(x))/eta = g(Q_i) (x - c_i),   g(q) = (1 - (1 - eta q)^E)/eta.
With Q_i = U_i diag(q) U_i^T + s (I - U_i U_i^T), U_i (d, k) orthonormal, the coefficients along U_i are those
of x less those of c_i, times g(q): one product of the points (R, d) with all U_i side by side (d, n k).

The columns of U_i are taken times sqrt(q), and g(q) over it: half the squared length of what lies between
the two factors is then f_i(x) itself, where s is zero. So the values come with the updates.
"""

from dataclasses import dataclass
from functools import lru_cache, partial
from threading import Lock
from typing import TYPE_CHECKING, final

import numpy as np

from synthetic import accelerated
from synthetic.arithmetic import Array, like, squared_norm, stacked_product
from synthetic.client_vectors import ClientVectors, InPanels, InSpans, Summands
from synthetic.per_row import fitting
from synthetic.problems._curvature import Curvature, Diagonal, LowRank
from synthetic.threads import one_thread

if TYPE_CHECKING:
    from synthetic.problems._quadratic import Quadratic

ROWS = 64  # centres that are taken through the product at a time
COLUMNS = 1000  # of a panel: 2 MB of coefficients at 256 points; half and twice as many were no faster
FEW = 128  # points, with which all coefficients fit as they are


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


def local_updates(problem: "Quadratic", points: Array, *, step: float | Array, steps: int) -> ClientVectors:
    """(x - T_i(x))/step of every client, T_i its local pass from the common points (R, d).

    step: one, or a column (R, 1) where the rows differ.
    """
    gains, elsewhere = _gains_at(problem, step, steps)
    if isinstance(problem.curvature, Diagonal):
        factors = like(gains, points)  # (n, d), or (R, n, d)
        factors = factors[:, None] if factors.ndim == 2 else factors.swapaxes(0, 1)
        along_coordinates: Array = _away(problem, points) * factors
        return along_coordinates
    known = spectrum(problem)
    inside = _inside(known, points - like(known.origin, points), like(gains, points))
    if not np.any(elsewhere):
        return inside
    rest: Array = fitting(elsewhere, points) * _away(problem, points)
    return inside + rest


def local_updates_in_panels(
    problem: "Quadratic", points: Array, *, step: float | Array, steps: int
) -> Summands:
    """The same, some clients at a time where there are enough of both clients and points."""
    gains, elsewhere = _gains_at(problem, step, steps)
    if isinstance(problem.curvature, Diagonal) or np.any(elsewhere):
        return local_updates(problem, points, step=step, steps=steps)
    large = type(points) is np.ndarray and len(points) >= FEW
    divided = _panels(problem) if large else ((slice(None), spectrum(problem)),)
    away = points - like(divided[0][1].origin, points)

    # on a device the product that it spares is cheaper than one more pass over the coefficients; and in
    # single precision the sum of so many squares would lose a digit more
    tells = type(points) is np.ndarray and points.dtype == np.float64 and not divided[0][1].rest
    doubled = np.empty((len(divided), len(points)), dtype=away.dtype) if tells else None

    def of(panel: int) -> InSpans:
        clients, known = divided[panel]
        own = gains if len(divided) == 1 else np.ascontiguousarray(gains[..., clients, :])
        return _inside(known, away, like(own, away), None if doubled is None else doubled[panel])

    panels = tuple(clients for clients, _ in divided)
    return InPanels(
        panels=panels, of=of, value=None if doubled is None else partial(_mean_value, problem, doubled)
    )


def _mean_value(problem: "Quadratic", doubled: Array) -> Array:
    """Of twice the sums of f_i - min f_i, panel by panel."""
    mean: Array = float(problem.offsets.mean()) + doubled.sum(axis=0) / (2 * problem.clients)
    return mean


def _gains_at(problem: "Quadratic", step: float | Array, steps: int) -> tuple[Array, float | Array]:
    if isinstance(step, np.ndarray):
        return _gains_of_rows(problem, step.tobytes(), steps)
    return _gains(problem, step, steps)


def _inside(known: Spectrum, away: Array, gains: Array, doubled: Array | None = None) -> InSpans:
    """The updates along the U_i; doubled (R,), if given, becomes twice the sum of f_i - min f_i over them."""
    coefficients, places, squares = known.coefficients(away), like(known.places, away), None
    if accelerated.fit(gains, away):
        squares = accelerated.centred(coefficients, places, gains, doubled)
    else:
        coefficients -= places
        if doubled is not None:
            doubled[:] = squared_norm(coefficients.reshape(len(away), -1))
        coefficients *= gains
    return InSpans(coefficients=coefficients, bases=known.bases, squares=squares)


def _away(problem: "Quadratic", points: Array) -> Array:
    away: Array = points - like(problem.centers, points)[:, None]
    return away


# a problem is read-only, and every round asks for the same
@lru_cache(maxsize=64)
def _gains(problem: "Quadratic", step: float, steps: int) -> tuple[Array, float | Array]:
    """g of the eigenvalues less g of the rest, over the roots; and g of the rest."""
    if isinstance(problem.curvature, Diagonal):
        return gain(problem.curvature.entries, step, steps), 0.0
    known = spectrum(problem)
    inside, elsewhere = _along_and_elsewhere(known, step, steps)
    # g(0) = 0: along flat directions nobody moves
    over = np.divide(inside, known.roots, out=np.zeros_like(inside), where=known.roots > 0)
    return _bounded(over), elsewhere


def _along_and_elsewhere(known: Spectrum, step: float, steps: int) -> tuple[Array, float]:
    """g of the eigenvalues less g of the rest, and g of the rest."""
    elsewhere = 0.0 if known.rest is None else float(gain(np.array(known.rest), step, steps))
    return gain(known.eigenvalues, step, steps) - elsewhere, elsewhere


# the rows of a batch keep their steps from round to round, unless the steps are a schedule
@lru_cache(maxsize=8)
def _gains_of_rows(problem: "Quadratic", steps_of_rows: bytes, steps: int) -> tuple[Array, Array]:
    """The same for each row, (R, n, k) and (R, 1)."""
    distinct, which = np.unique(np.frombuffer(steps_of_rows), return_inverse=True)
    gains, elsewhere = zip(*(_gains(problem, float(step), steps) for step in distinct), strict=True)
    return np.stack(gains)[which], np.array(elsewhere)[which, None]


def gain(eigenvalues: Array, step: float, steps: int) -> Array:
    """(1 - (1 - step q)^steps)/step without loss of digits where the power is near 1."""
    moved = step * eigenvalues
    # log|1 - t|: for t > 1 it is log1p(t - 2), and there an odd power of 1 - t is negative
    beyond = moved > 1
    with np.errstate(divide="ignore", over="ignore"):
        powers = steps * np.log1p(np.where(beyond, moved - 2, -moved))
        gains = np.where(beyond & (steps % 2 == 1), 1 + np.exp(powers), -np.expm1(powers)) / step
    return _bounded(gains)


def _bounded(gains: Array) -> Array:
    """Finite, so that a client at rest stays at rest however long the steps are."""
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
def _panels(problem: "Quadratic") -> tuple[tuple[slice, Spectrum], ...]:
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


def gain_matrices(problem: "Quadratic", step: float, steps: int) -> Array:
    """g(Q_i) of every client, (n, d, d)."""
    unit = np.eye(problem.dimension)
    if isinstance(problem.curvature, Diagonal):
        diagonals: Array = gain(problem.curvature.entries, step, steps)[:, None] * unit
        return diagonals
    known = spectrum(problem)
    inside, elsewhere = _along_and_elsewhere(known, step, steps)
    along = known.bases.reshape(*inside.shape, -1)
    matrices: Array = along.swapaxes(-1, -2) @ (along * inside[..., None]) + elsewhere * unit
    return matrices
