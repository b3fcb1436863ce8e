"""What the lemmas compute from actual vectors and functions.

Outcomes of a random vector stand on the axis before the last and are equally likely, so that E is their mean.
"""

from collections.abc import Callable, Sequence
from typing import Any

from bounds.language.lazy_numpy import NDArray, np

Array = NDArray["np.float64"]
Function = Callable[[Any], Any]


def norm(vectors: Any) -> Array:
    length: Array = np.linalg.norm(vectors, axis=-1)
    return length


def inner(first: Any, second: Any) -> Array:
    product: Array = (np.asarray(first) * second).sum(-1)
    return product


def mean(outcomes: Any) -> Array:
    """E of a number, whose outcomes are on the last axis."""
    average: Array = np.asarray(outcomes).mean(-1)
    return average


def weighted_mean(functions: Sequence[Function], weights: Any) -> Function:
    """sum_i D_i F_i / D, of losses or of gradients; weights, on the last axis, may differ between cases."""
    sizes = np.moveaxis(np.asarray(weights), -1, 0)

    def mean_at(points: Any) -> Any:
        values = np.stack([np.asarray(function(points)) for function in functions])
        each = sizes.reshape((*sizes.shape, *[1] * (values.ndim - sizes.ndim)))
        return (each * values).sum(axis=0) / each.sum(axis=0)

    return mean_at


def auxiliary_step(gradient: Function, v: Any, noise: Any, eta: Any) -> Array:
    """v(t+1) = v(t) - eta (grad F(v(t)) + n), with one noise for each v."""
    v = np.asarray(v, dtype=float)
    moved: Array = v - np.asarray(eta, dtype=float)[..., None] * (gradient(v) + noise)
    return moved


def independent_steps(gradient: Function, v: Any, noise: Any, eta: Any) -> Array:
    """The step from every outcome of v with every outcome of the noise: the two are independent.

    All pairs are outcomes of v(t+1), equally likely, on the axis before the last.
    """
    v, noise = np.asarray(v, dtype=float), np.asarray(noise, dtype=float)
    pairs = np.broadcast_shapes((*v.shape[:-2], 1, 1, 1), (*noise.shape[:-2], 1, 1, 1))[:-3]
    pairs = (*pairs, v.shape[-2], noise.shape[-2], v.shape[-1])
    before = np.broadcast_to(v[..., :, None, :], pairs)
    step = np.asarray(eta, dtype=float)[..., None, None]
    after = auxiliary_step(gradient, before, noise[..., None, :, :], step)
    return after.reshape(*pairs[:-3], -1, pairs[-1])


def per_coordinate_deviation(noise: Any) -> Array:
    """The standard deviation sigma of which E||n||^2 = sigma^2 d."""
    noise = np.asarray(noise, dtype=float)
    deviation: Array = np.sqrt(mean(inner(noise, noise)) / noise.shape[-1])
    return deviation
