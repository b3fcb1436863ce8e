"""Vector arithmetic along the last axis: float64 arrays of numpy or torch, or exact fractions of numpy.

Arrays are rows (R, d) of replicates, or (n, R, d), client first. A tensor is annotated as an array: the
code is the same for both, through operators, methods, and the functions of the module that owns the array.
"""

import math
import sys
import weakref
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic.checks import Scalar
from synthetic.disturbance import moved
from synthetic.errors import BadShape, BadValue, NotRational

Array = NDArray[Any]
Schedule = Scalar | tuple[Scalar, ...]
GRID = 2.0**20
TILE = 8

_converted: dict[tuple[int, Any, Any], tuple[Any, Any]] = {}
SINGLE = np.dtype(np.float32)


def namespace(array: Any) -> Any:
    """The module, numpy or torch, that owns the array. Whoever holds a tensor has imported torch."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and isinstance(array, torch.Tensor) else np


def like(data: Array, points: Any) -> Any:
    """A problem's numpy data as an array of the kind, dtype and device of the points.

    Converted once for each device, as long as the data live: problems keep theirs read-only.
    """
    module = namespace(points)
    if module is np and not (isinstance(points, np.ndarray) and points.dtype == SINGLE):
        return data
    if module is not np and type(points) is not module.Tensor:
        return _as(data, points)  # tensors that only pretend, as in tests, die with their mode
    key = (id(data), points.dtype, None if module is np else points.device)
    held = _converted.get(key)
    if held is None or held[0]() is not data:
        there = _as(data, points)
        _converted[key] = held = (weakref.ref(data, lambda _: _converted.pop(key, None)), there)
    return held[1]


def _as(data: Array, points: Any) -> Any:
    module = namespace(points)
    if module is np:
        return data.astype(points.dtype)
    # a copy first: torch does not take read-only memory without a warning
    return module.as_tensor(data.copy(), dtype=points.dtype, device=points.device)


def is_exact(array: Array) -> bool:
    return bool(array.dtype == object)


def inner(one: Array, other: Array) -> Array:
    if type(one) is type(other) is np.ndarray and one.dtype == other.dtype in (np.float64, SINGLE):
        products: Array = np.vecdot(one, other)  # one pass; numpy is slow at sums over a short last axis
        return moved(products, one.shape[-1], lambda: np.vecdot(np.abs(one), np.abs(other)))
    total: Array = (one * other).sum(axis=-1)
    return moved(total, one.shape[-1], lambda: abs(one * other).sum(axis=-1))


def squared_norm(vectors: Array) -> Array:
    return inner(vectors, vectors)


def stacked_product(rows: Array, matrix: Array) -> Array:
    """rows (..., R, k) times matrix (..., k, m). The bits of a row do not depend on the number of rows:

    a lone row, and what is left of a tile, goes to other routines, with another order of summation on some
    processors (OpenBLAS without AVX-512 does so). So there are rows of zeros up to a multiple of TILE. That
    holds for numpy in double precision and one thread, as within a plan.
    """
    if type(rows) is np.ndarray and not is_exact(rows) and (missing := -rows.shape[-2] % TILE):
        own = rows.shape[-2]
        filled = np.zeros((*rows.shape[:-2], own + missing, rows.shape[-1]), dtype=rows.dtype)
        filled[..., :own, :] = rows
        part: Array = (filled @ matrix)[..., :own, :]
        return moved(part, rows.shape[-1], lambda: np.abs(rows) @ np.abs(matrix))
    whole: Array = rows @ matrix
    return moved(whole, rows.shape[-1], lambda: abs(rows) @ abs(matrix))


def norm(vectors: Array) -> Array:
    """Euclidean norms in float64; of exact vectors too, because a root is seldom rational."""
    squares = squared_norm(vectors)
    roots: Array = namespace(squares).sqrt(squares.astype(np.float64) if is_exact(squares) else squares)
    return roots


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
    if not is_exact(vectors):
        return norm(vectors)
    squares = squared_norm(vectors)
    roots = np.empty(squares.shape, dtype=object)
    for index, value in np.ndenumerate(squares):
        roots[index] = rational_root(value)
    return roots


def number_like(array: Array) -> Any:
    """The conversion that keeps a float run in float64 and an exact run in fractions."""
    return Fraction if is_exact(array) else float


def as_numbers(values: object, *, exact: bool) -> Array:
    """A read-only copy as float64, or as exact fractions (a float is the rational that it stores)."""
    try:
        raw = np.asarray(values)
        if raw.dtype.kind not in "biufO":  # numpy would read text as numbers, and drop imaginary parts
            raise TypeError(raw.dtype)
        copy: Array = _fractions(raw) if exact else np.array(raw, dtype=np.float64, order="C")
    except (ValueError, TypeError):
        raise BadValue(
            asked="array",
            failed="not a table of numbers",
            found=repr(values),
            needed="real numbers in rows of equal length",
            change="give numbers only",
        ) from None
    if not exact and not np.isfinite(copy).all():
        raise BadValue(
            asked="array",
            failed="holds NaN or infinity",
            found=raw,
            needed="finite entries",
            change="remove the non-finite entries",
        )
    copy.flags.writeable = False
    return copy


def _fractions(raw: Array) -> Array:
    copy: Array = np.empty(raw.shape, dtype=object)
    for index, value in np.ndenumerate(raw):
        # a numpy integer inside a Fraction would overflow silently at 64 bits: Python's own numbers only
        copy[index] = Fraction(value.item() if isinstance(value, np.generic) else value)
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
