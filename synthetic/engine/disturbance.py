"""Products that are disturbed by what their rounding may be, to measure how a run amplifies roundings.

A product of vectors with k terms, computed in any order and with or without fused operations, is within
k u sum |a_i b_i| of the exact one, u = 2^-53 (Higham 2002, Accuracy and Stability of Numerical Algorithms,
section 3.1). Other kernels, libraries and devices round within that; additions, divisions and roots entry by
entry are the same everywhere. Inside `disturbed` every product of the engine is moved by a random share of
SCALE times that bound.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

UNIT: Final = 2.0**-53
# In one disturbed run random moves may cancel by chance; at this scale what is left is still above roundings.
SCALE: Final = 64
_DOUBLE: Final = np.dtype(np.float64)
_SEED: Final = 20240601
_AHEAD: Final = 4096  # shares that are drawn at once: a draw costs as much as a hundred numbers


@final
class _Shares:
    """Uniform numbers from -1 to 1, in the order in which one after the other would be drawn."""

    __slots__ = ("_at", "_drawn", "_random", "sizes")

    def __init__(self, turn: int) -> None:
        self.sizes: dict[int, tuple[Any, Any]] = {}  # of read-only matrices, which must live as long
        self._random = np.random.default_rng([_SEED, turn])
        self._drawn, self._at = np.empty(0), 0

    def take(self, count: int) -> NDArray[np.float64]:
        end = self._at + count
        if end > len(self._drawn):
            left = self._drawn[self._at :]
            fresh = (
                2.0 * self._random.random(max(_AHEAD, count)) - 1.0
            )  # as `uniform`, in a third of its time
            self._drawn, end = np.concatenate([left, fresh]), count
        self._at = end
        return self._drawn[end - count : end]


_moving: _Shares | None = None
_turn: int | None = None


@contextmanager
def disturbed(turn: int = 0) -> Iterator[None]:
    """Disturb the products of the whole process, equally each time but for the turn; nothing else may run."""
    global _moving, _turn
    before, _moving, _turn = (_moving, _turn), _Shares(turn), turn
    try:
        yield
    finally:
        _moving, _turn = before


def is_disturbed() -> bool:
    return _moving is not None


def turn_of_disturbance() -> int | None:
    """None where nothing is disturbed: what is kept of a run is kept for its turn alone."""
    return _turn


def moved(product: Any, terms: int, sizes: Callable[[], Any]) -> NDArray[Any]:
    """`product` itself outside of `disturbed`; `sizes` are the products of the magnitudes.

    An array of numpy or a tensor, in double precision; fractions are not rounded.
    """
    if _moving is None or not _is_double(product):
        unmoved: NDArray[Any] = product
        return unmoved
    shape = product.shape
    share: Any = _moving.take(prod(shape)).reshape(shape)
    if not isinstance(product, np.ndarray):  # who holds a tensor has imported torch
        share = sys.modules["torch"].as_tensor(share, device=product.device)
    shifted: NDArray[Any] = product + SCALE * UNIT * terms * sizes() * share
    return shifted


def magnitudes(matrix: Any) -> Any:
    """`abs(matrix)`, computed once in a disturbed run where nobody can write to the matrix."""
    fixed = type(matrix) is np.ndarray and matrix.base is None and not matrix.flags.writeable
    if _moving is None or not fixed:
        return abs(matrix)
    if id(matrix) not in _moving.sizes:
        _moving.sizes[id(matrix)] = matrix, abs(matrix)
    return _moving.sizes[id(matrix)][1]


def moved_number(number: float) -> float:
    """As `moved`, of a single number that is rounded once; a number of Python is moved ten times as fast."""
    return number if _moving is None else number + SCALE * UNIT * abs(number) * float(_moving.take(1)[0])


def _is_double(product: Any) -> bool:
    """Whether the entries are float64; this is asked of every product, and the name of a dtype is slow."""
    if isinstance(product, np.ndarray):
        return bool(product.dtype == _DOUBLE)
    return str(product.dtype) == "torch.float64"
