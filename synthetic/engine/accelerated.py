"""The steps between the products, computed as the plan requests: compiled passes, exponentials.

It is a matter of how, not of what, and no algorithm knows of it: so it belongs to the context, as numpy's
treatment of overflow does, and each thread that carries out a plan enters it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from typing import Any

import numpy as np

from synthetic.engine.arithmetic import Array

# Numbers in a buffer. Where a row meets a table, numpy (2.4) copies the row into a buffer of 8,192 numbers as
# often as it fits, which costs as much as the pass; into a buffer that is not longer it copies nothing.
SHORT = 1024

_compiled: ContextVar[bool] = ContextVar("compiled", default=False)
_exponentials_by_torch: ContextVar[bool] = ContextVar("exponentials_by_torch", default=False)


def available() -> bool:
    return find_spec("numba") is not None


@contextmanager
def passes(*, compiled: bool = False, exponentials_by_torch: bool = False) -> Iterator[None]:
    before = _compiled.set(compiled), _exponentials_by_torch.set(exponentials_by_torch)
    buffered = np.setbufsize(SHORT)
    try:
        yield
    finally:
        np.setbufsize(buffered)
        _compiled.reset(before[0])
        _exponentials_by_torch.reset(before[1])


def tensor_on(values: Array) -> Any | None:
    """A tensor on the same memory, if torch is asked to compute exponentials; else None."""
    if not (_exponentials_by_torch.get() and type(values) is np.ndarray):
        return None
    import torch

    return torch.from_numpy(values)


def fit(gains: Array, points: Array) -> bool:
    """Compiled passes are asked for, and fit: rows of numpy, and gains that are the same in each row."""
    return _compiled.get() and type(points) is np.ndarray and gains.ndim == 2


def centred(raw: Array, places: Array, gains: Array, before: Array | None = None) -> Array:
    """From (raw - places) gains, which takes the place of raw (R, n, k), the squared lengths (R, n).

    before (R,), if given, becomes the squared length of the whole row before the gains.
    """
    from synthetic.engine import compiled as kernels

    squares = np.empty(raw.shape[:2], dtype=raw.dtype)
    kernels.centred(raw, places, gains, squares, np.empty(len(raw), raw.dtype) if before is None else before)
    return squares


def scaled(vectors: Array, factors: Array, out: Array | None = None) -> Array:
    """vectors (R, n, k) times factors (R, n)."""
    from synthetic.engine import compiled as kernels

    out = np.empty_like(vectors) if out is None else out
    kernels.scaled(vectors, np.ascontiguousarray(factors), out)
    return out


def fill_with_normals(words: Array, out: Array) -> None:
    """From four words of 32 bits; out is flat, its length a multiple of 4."""
    from synthetic.engine import compiled as kernels

    kernels.fill_with_normals((words[2], words[3]), (words[0], words[1]), out)
