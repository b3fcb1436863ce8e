"""Local gradient steps on quadratic clients in closed form: any number for the price of two products.

E steps of length eta from x on f_i(x) = 1/2 (x - c_i)^T Q_i (x - c_i) end at c_i + (I - eta Q_i)^E (x - c_i),
so the update is
    (x - T_i(x))/eta = g(Q_i) (x - c_i),   g(q) = (1 - (1 - eta q)^E)/eta.
With Q_i = U_i diag(q) U_i^T + s (I - U_i U_i^T), U_i (d, k) orthonormal, the coefficients along U_i are those
of x less those of c_i, times g(q): one product of the points (R, d) with all U_i side by side (d, n k).

The columns of U_i are taken times sqrt(q), and g(q) over it: half the squared length of what lies between
the two factors is then f_i(x) itself, where s is zero. So the values come with the updates.
"""

from functools import lru_cache, partial

import numpy as np

from synthetic.engine import accelerated
from synthetic.engine.arithmetic import Array, like, namespace, squared_norm, stacked_product
from synthetic.engine.client_vectors import ClientVectors, InPanels, InSpans, Summands
from synthetic.engine.per_row import fitting
from synthetic.problems.quadratics.curvature import Clients, Diagonal
from synthetic.problems.quadratics.spectrum import Spectrum, may_rest, panels, spectrum

ALIGNED = 8  # rows of 64 bytes
LARGE = 1e100


def local_updates(problem: Clients, points: Array, *, step: float | Array, steps: int) -> ClientVectors:
    """(x - T_i(x))/step of every client, T_i its local pass from the common points (R, d).

    step: one, or a column (R, 1) where the rows differ.
    """
    gains, elsewhere = _gains_at(problem, step, steps)
    if isinstance(problem.curvature, Diagonal):
        factors = like(gains, points)  # (n, d), or (R, n, d)
        factors = factors[:, None] if factors.ndim == 2 else factors.swapaxes(0, 1)
        return _away(problem, points) * factors
    if _fits_one_product(points, gains):
        inside = _multiply_once(problem, points, gains)
    else:
        known = spectrum(problem)
        away = points - like(known.origin, points)
        inside = _inside(known, away, like(gains, points), resting=may_rest(known, away))
    if not np.any(elsewhere):
        return inside
    rest: Array = fitting(elsewhere, points) * _away(problem, points)
    return inside + rest


def local_updates_in_panels(problem: Clients, points: Array, *, step: float | Array, steps: int) -> Summands:
    """The same, some clients at a time where there are enough of them.

    How many points there are does not matter: the bits of a row would depend on it.
    """
    gains, elsewhere = _gains_at(problem, step, steps)
    if isinstance(problem.curvature, Diagonal) or np.any(elsewhere):
        return local_updates(problem, points, step=step, steps=steps)
    if _fits_one_product(points, gains):
        return InPanels(panels=(slice(None),), of=lambda _: _multiply_once(problem, points, gains))
    divided = panels(problem) if type(points) is np.ndarray else ((slice(None), spectrum(problem)),)
    away = points - like(divided[0][1].origin, points)
    resting = may_rest(spectrum(problem), away)
    doubled = np.empty((len(divided), len(points))) if _values_come_along(divided[0][1], points) else None

    def of(panel: int) -> InSpans:
        clients, known = divided[panel]
        own = gains if len(divided) == 1 else np.ascontiguousarray(gains[..., clients, :])
        values = None if doubled is None else doubled[panel]
        return _inside(known, away, like(own, away), values, resting=resting)

    value = None if doubled is None else partial(_mean_value, problem, doubled)
    return InPanels(panels=tuple(clients for clients, _ in divided), of=of, value=value)


def _fits_one_product(points: Array, gains: Array) -> bool:
    """A pass over the coefficients costs a device up to half a product, so tensors get by with none.

    Not where the rows have gains of their own, or gains are so large that a product of theirs may overflow.
    """
    return namespace(points) is not np and gains.ndim == 2 and float(np.abs(gains).max(initial=0.0)) < LARGE


def _multiply_once(problem: Clients, points: Array, gains: Array) -> InSpans:
    """The coefficients of the points less those of the centers, times the gains, by one matrix."""
    known, columns = spectrum(problem), like(_columns(problem), points)
    (clients, width), dimension = gains.shape, problem.dimension
    shape = len(points), len(columns)
    filled = namespace(points).zeros(shape, dtype=points.dtype, device=points.device)
    filled[:, :dimension] = points - like(known.origin, points)
    filled[:, dimension] = -1.0
    product = stacked_product(filled, columns * like(gains, points).T.reshape(-1))
    coefficients = product.reshape(len(points), width, clients).swapaxes(1, 2)
    return InSpans(coefficients=coefficients, bases=known.bases, turned=_turned(problem))


@lru_cache(maxsize=16)
def _turned(problem: Clients) -> Array:
    """The rows of bases with the clients last: a device adds fastest along an axis that is not the last."""
    known = spectrum(problem)
    each = known.bases.reshape(*known.eigenvalues.shape, -1)
    return np.ascontiguousarray(each.swapaxes(0, 1)).reshape(known.bases.shape)


@lru_cache(maxsize=16)
def _columns(problem: Clients) -> Array:
    """Directions and places, one below the other, in columns that are turned as the rows of `_turned` are.

    Rows of zeros fill up a multiple of ALIGNED.
    """
    known = spectrum(problem)
    rows = np.concatenate([known.across, known.places.reshape(1, -1)])
    filled = np.zeros((len(rows) + -len(rows) % ALIGNED, rows.shape[1]))
    each = rows.reshape(len(rows), *known.eigenvalues.shape)
    filled[: len(rows)] = each.swapaxes(1, 2).reshape(len(rows), -1)
    return filled


def _values_come_along(known: Spectrum, points: Array) -> bool:
    """Not on a device: the product that it spares is cheaper there than one more pass over the coefficients.

    Nor in single precision, where the sum of so many squares would lose a digit more.
    """
    return type(points) is np.ndarray and points.dtype == np.float64 and not known.rest


def _mean_value(problem: Clients, doubled: Array) -> Array:
    """The mean of f_i - min f_i, from twice its sums, panel by panel."""
    return float(problem.offsets.mean()) + doubled.sum(axis=0) / (2 * problem.clients)


def _gains_at(problem: Clients, step: float | Array, steps: int) -> tuple[Array, float | Array]:
    if isinstance(step, np.ndarray):
        return _gains_of_rows(problem, step.tobytes(), steps)
    return _gains(problem, step, steps)


def _inside(
    known: Spectrum, away: Array, gains: Array, doubled: Array | None = None, *, resting: bool
) -> InSpans:
    """The updates along the U_i; doubled (R,), if given, becomes twice the sum of f_i - min f_i over them."""
    coefficients, squares = known.coefficients(away, resting=resting), None
    places = like(known.places, away)
    if accelerated.fit(gains, away):
        squares = accelerated.centred(coefficients, places, gains, doubled)
    else:
        coefficients -= places
        if doubled is not None:
            doubled[:] = squared_norm(coefficients.reshape(len(away), -1))
        coefficients *= gains
    return InSpans(coefficients=coefficients, bases=known.bases, squares=squares)


def _away(problem: Clients, points: Array) -> Array:
    return points - like(problem.centers, points)[:, None]


# a problem is read-only, and every round asks for the same
@lru_cache(maxsize=64)
def _gains(problem: Clients, step: float, steps: int) -> tuple[Array, float | Array]:
    """g of the eigenvalues less g of the rest, over the roots; and g of the rest."""
    if isinstance(problem.curvature, Diagonal):
        return gain(problem.curvature.entries, step, steps), 0.0
    known = spectrum(problem)
    inside, elsewhere = _along_and_elsewhere(known, step, steps)
    # g(0) = 0: along flat directions nobody moves
    with np.errstate(over="ignore"):
        over = np.divide(inside, known.roots, out=np.zeros_like(inside), where=known.roots > 0)
    return _bounded(over), elsewhere


def _along_and_elsewhere(known: Spectrum, step: float, steps: int) -> tuple[Array, float]:
    """g of the eigenvalues less g of the rest, and g of the rest."""
    elsewhere = 0.0 if known.rest is None else float(gain(np.array(known.rest), step, steps))
    return gain(known.eigenvalues, step, steps) - elsewhere, elsewhere


# the rows of a batch keep their steps from round to round, unless the steps are a schedule
@lru_cache(maxsize=8)
def _gains_of_rows(problem: Clients, steps_of_rows: bytes, steps: int) -> tuple[Array, Array]:
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
    return np.clip(gains, -largest, largest)
