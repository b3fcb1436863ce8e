"""Row-wise vector arithmetic on arrays (R, d), in float64 or in exact fractions (object arrays).

Every operation treats a row on its own, in an order of summation that does not depend on R,
so a replicate has the same bits whether it runs alone or among thousands.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic.checks import Scalar
from synthetic.errors import BadShape, BadValue, NotRational

Array = NDArray[Any]
Schedule = Scalar | tuple[Scalar, ...]
GRID = 2.0**20


def is_exact(array: Array) -> bool:
    return bool(array.dtype == object)


def squared_norm(vectors: Array) -> Array:
    total: Array = (vectors * vectors).sum(axis=-1)
    return total


def norm(vectors: Array) -> Array:
    """Euclidean norms in float64; of exact vectors too, because a root is seldom rational."""
    squares = squared_norm(vectors)
    return np.sqrt(squares.astype(np.float64))


def rational_root(value: Fraction) -> Fraction:
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if top * top != value.numerator or bottom * bottom != value.denominator:
        raise NotRational(
            asked="exact square root",
            failed="the root is irrational",
            found=value,
            needed="a squared rational",
            change="use one dimension, or run in float64",
        )
    return Fraction(top, bottom)


def exact_norm(vectors: Array) -> Array:
    """Norms in the arithmetic of the vectors; in fractions this works wherever the root is rational."""
    squares = squared_norm(vectors)
    if not is_exact(vectors):
        return np.sqrt(squares)
    roots = np.empty(squares.shape, dtype=object)
    for index, value in np.ndenumerate(squares):
        roots[index] = rational_root(value)
    return roots


def number_like(array: Array) -> Any:
    """The conversion that keeps a float run in float64 and an exact run in fractions."""
    return Fraction if is_exact(array) else float


def as_numbers(values: object, *, exact: bool) -> Array:
    """A read-only copy as float64, or as exact fractions (a float is the rational that it stores)."""
    raw = np.asarray(values)
    if exact:
        copy: Array = np.empty(raw.shape, dtype=object)
        for index, value in np.ndenumerate(raw):
            # a numpy integer inside a Fraction would overflow silently at 64 bits: Python's own numbers only
            copy[index] = Fraction(value.item() if isinstance(value, np.generic) else value)
    else:
        copy = np.array(raw, dtype=np.float64, order="C")
        if not np.isfinite(copy).all():
            raise BadValue(
                asked="array",
                failed="holds NaN or infinity",
                found=raw,
                needed="finite entries",
                change="remove the non-finite entries",
            )
    copy.flags.writeable = False
    return copy


def holds_fractions(*values: object) -> bool:
    """Whether any of the nested sequences was written in fractions: the sign that an exact run is wanted."""
    return any(
        isinstance(entry, Fraction) for value in values for entry in np.asarray(value, dtype=object).flat
    )


def initial_state(start: object, *, replicates: int, dimension: int, exact: bool) -> Array:
    """One starting point for all replicates (d,), or one for each (R, d)."""
    point = as_numbers(start, exact=exact)
    if point.shape not in {(dimension,), (replicates, dimension)}:
        raise BadShape(
            asked="start",
            failed="wrong shape",
            found=point.shape,
            needed=f"({dimension},) or ({replicates}, {dimension})",
            change="fit start to the problem",
        )
    return np.broadcast_to(point, (replicates, dimension)).copy()


def step_at(steps: Schedule, index: int) -> Scalar:
    return steps[index] if isinstance(steps, tuple) else steps


def on_grid(values: Array) -> Array:
    """Rounded to multiples of 1/GRID: generated data whose exact rationals stay short."""
    rounded: Array = np.round(values * GRID) / GRID
    return rounded
