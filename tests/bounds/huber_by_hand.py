"""Huber functions of slope 3 by hand, and how far the gradients of clients with such samples are apart."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SLOPE = 3.0


def huber(points: Array) -> Array:
    length = np.linalg.norm(points, axis=-1)
    return np.where(length <= SLOPE, length**2 / 2, SLOPE * (length - SLOPE / 2))


def pull(points: Array) -> Array:
    """Its gradient: 1-smooth, no longer than SLOPE."""
    length = np.linalg.norm(points, axis=-1, keepdims=True)
    return points * np.minimum(1.0, SLOPE / np.maximum(length, SLOPE))


def divergences(centres: Array) -> Array:
    """Lengths of grad F_i - grad F, (points of a grid, clients), of centres (clients, samples, d)."""
    out = []
    for point in np.stack(np.meshgrid(*[np.linspace(-6, 6, 25)] * 2), -1).reshape(-1, 2):
        slopes = pull(point - centres).mean(1)
        out.append(np.linalg.norm(slopes - slopes.mean(0), axis=-1))
    return np.array(out)


def largest_divergence(centres: Array) -> float:
    """The largest distance over the grid, in the mean over the clients."""
    return float(divergences(centres).mean(axis=1).max())
