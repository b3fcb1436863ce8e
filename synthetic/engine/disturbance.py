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
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

UNIT: Final = 2.0**-53
# In one disturbed run random moves may cancel by chance; at this scale what is left is still above roundings.
SCALE: Final = 64
_SEED: Final = 20240601

_moving: np.random.Generator | None = None
_turn: int | None = None


@contextmanager
def disturbed(turn: int = 0) -> Iterator[None]:
    """Disturb the products of the whole process, equally each time but for the turn; nothing else may run."""
    global _moving, _turn
    before, _moving, _turn = (_moving, _turn), np.random.default_rng([_SEED, turn]), turn
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
    share: Any = 2.0 * _moving.random(tuple(product.shape)) - 1.0  # as `uniform`, three times as fast
    if not isinstance(product, np.ndarray):  # who holds a tensor has imported torch
        share = sys.modules["torch"].as_tensor(share, device=product.device)
    shifted: NDArray[Any] = product + SCALE * UNIT * terms * sizes() * share
    return shifted


def moved_number(number: float) -> float:
    """As `moved`, of a single number that is rounded once; a number of Python is moved ten times as fast."""
    return number if _moving is None else number + SCALE * UNIT * abs(number) * (2.0 * _moving.random() - 1.0)


def _is_double(product: Any) -> bool:
    """Whether the entries are float64; this is asked of every product, and the name of a dtype is slow."""
    if isinstance(product, np.ndarray):
        return bool(product.dtype == np.float64)
    return str(product.dtype) == "torch.float64"
