"""Vector arithmetic along the last axis: float64 arrays of numpy or torch, or exact fractions of numpy.

Arrays are rows (R, d) of replicates, or (n, R, d), client first. A tensor is annotated as an array: the
code is the same for both, through operators, methods, and the functions of the module that owns the array.
"""

import math
import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic.arguments import Scalar
from synthetic.engine.disturbance import magnitudes, moved
from synthetic.errors import BadShape, BadValue, NotRational

Array = NDArray[Any]
Schedule = Scalar | tuple[Scalar, ...]
GRID = 2.0**20
ROWS = 16  # of every product of floats, unless a plan names another number

_converted: dict[tuple[int, Any, Any], tuple[Any, Any]] = {}
_rows: ContextVar[int] = ContextVar("rows", default=ROWS)
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


def on_host(points: Any) -> Array:
    """The numbers as a numpy array, wherever they are."""
    return points if namespace(points) is np else points.detach().cpu().numpy()


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


def sum_over_clients(vectors: Array) -> Array:
    """The sum over the first axis, the clients. A device adds in another order than a processor."""
    total: Array = vectors.sum(axis=0)
    return moved(total, len(vectors), lambda: abs(vectors).sum(axis=0))


def squared_norm(vectors: Array) -> Array:
    return inner(vectors, vectors)


@contextmanager
def rows_of_products(count: int) -> Iterator[None]:
    """Every product of floats made inside has this many rows; a part of the plan that is carried out."""
    before = _rows.set(count)
    try:
        yield
    finally:
        _rows.reset(before)


def rows_of_a_product() -> int:
    return _rows.get()


def stacked_product(rows: Array, matrix: Array) -> Array:
    """rows (..., R, k) times matrix (..., k, m), as products that all have the plan's number of rows.

    Libraries choose their routine, and with it the order of summation, by the shape of the whole product:
    for a lone row, for what is left of a tile, and on some processors (OpenBLAS with AVX-512) for every size.
    With one shape for all, the bits of a row depend on its own data and its place in its block alone.
    """
    xp = namespace(rows)
    if xp is np and (type(rows) is not np.ndarray or is_exact(rows)):  # balls, and what is not rounded
        return rows @ matrix
    count, size = rows.shape[-2], rows_of_a_product()
    filled = _fill_up(rows, -count % size)
    if filled.shape[-2] == size:
        product = multiply(filled, matrix)
    elif xp is np:
        blocks = filled.reshape(*filled.shape[:-2], -1, size, filled.shape[-1])
        each = multiply(blocks, matrix[..., None, :, :])
        product = each.reshape(*each.shape[:-3], -1, each.shape[-1])
    else:
        # one call for each block: torch would fold them into one product again
        starts = range(0, filled.shape[-2], size)
        product = xp.concatenate(
            [multiply(filled[..., first : first + size, :], matrix) for first in starts], axis=-2
        )
    return product[..., :count, :]


def multiply(rows: Array, matrix: Array) -> Array:
    """The library's product of each pair of matrices in the last two axes; every round goes through here."""
    return moved(rows @ matrix, rows.shape[-1], lambda: abs(rows) @ magnitudes(matrix))


def _fill_up(rows: Array, missing: int) -> Array:
    """Append as many rows of zeros."""
    if not missing:
        return rows
    xp, shape = namespace(rows), (*rows.shape[:-2], missing, rows.shape[-1])
    zeros = xp.zeros(shape, dtype=rows.dtype, **({} if xp is np else {"device": rows.device}))
    return xp.concatenate([rows, zeros], axis=-2)


def norm(vectors: Array) -> Array:
    """Euclidean norms in float64; of exact vectors too, because a root is seldom rational."""
    if namespace(vectors) is not np:  # one pass, without a table of the squares
        lengths: Array = namespace(vectors).linalg.vector_norm(vectors, dim=-1)
        return moved(lengths, vectors.shape[-1], lambda: lengths)
    squares = squared_norm(vectors)
    return np.sqrt(squares.astype(np.float64) if is_exact(squares) else squares)


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
        isinstance(entry, Fraction)
        for value in values
        if not (isinstance(value, np.ndarray) and value.dtype != object)  # an array of floats has none
        for entry in np.asarray(value, dtype=object).flat
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
    return np.round(values * GRID) / GRID
