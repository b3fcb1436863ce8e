"""The local steps of one client in one round, on actual functions: Lemmas 1 to 4 are computed from these.

Points are arrays whose last axis is the vector; gradients answer in the shape of the points.
"""

from collections.abc import Callable
from typing import Any

from bounds.language.lazy_numpy import NDArray, np

Points = NDArray[Any]
Function = Callable[[Points], Points]


def length(vectors: Points) -> Points:
    return np.asarray(np.linalg.norm(vectors, axis=-1))


def local_iterates(gradient: Function, w: Points, eta: Any, steps: int) -> list[Points]:
    """w_{k,0}, ..., w_{k,steps}: line 7 of the listings."""
    iterates = [np.asarray(w)]
    for _ in range(steps):
        iterates.append(iterates[-1] - np.asarray(eta)[..., None] * gradient(iterates[-1]))
    return iterates
