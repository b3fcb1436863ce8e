"""Local passes on actual functions: what Lemmas 7 to 9 say is computed from these paths.

Points are arrays whose last axis is the vector; gradients answer in the shape of the points.
"""

from collections.abc import Callable, Sequence
from typing import Any

from bounds.language.lazy_numpy import NDArray, np

Points = NDArray[Any]
Gradient = Callable[[Points], Points]


def length(vectors: Points) -> Points:
    return np.asarray(np.linalg.norm(vectors, axis=-1))


def path(gradients: Sequence[Gradient], x: Points, step: float) -> list[Points]:
    """x and the point after each step, one gradient per step."""
    points = [np.asarray(x)]
    for gradient in gradients:
        points.append(points[-1] - step * gradient(points[-1]))
    return points


def mean_length(differences: Sequence[Points]) -> Points:
    return np.asarray(sum(length(d) for d in differences) / len(differences))


def unrolled(gradients: Sequence[Gradient], points: Sequence[Points], step: float) -> Points:
    """The largest distance of an iterate from x^k minus the steps along the gradients before it."""
    total = np.zeros_like(points[0])
    worst = np.zeros(points[0].shape[:-1])
    for gradient, here, after in zip(gradients, points, points[1:], strict=False):
        total = total + gradient(here)
        worst = np.maximum(worst, length(after - (points[0] - step * total)))
    return np.asarray(worst)
