"""Symmetric doubly stochastic matrices, of a spectral gap by construction."""

from typing import Final

import numpy as np

from verify.objects.draw import CASES, Draw, Points

SPARSE: Final = 4  # from this kind on, no more of the average than the gap asks


def mixing_matrices(draw: Draw, n: int, gap: float) -> Points:
    """(CASES, n, n): a mean of exchanges in pairs, and of the average of all as much as the gap asks."""
    return np.stack([_mixing(draw, n, gap) for _ in range(CASES)])


def _mixing(draw: Draw, n: int, gap: float) -> Points:
    kind = draw.count(0, 5)
    parts = {0: 0, 1: 1, 2: 1}.get(kind, draw.count(2, 4))
    shares = [1.0, 1.0] if kind == 2 else [1.0] * max(parts, 1)
    rest = np.zeros((n, n))
    for place, share in enumerate(shares):
        alone = kind == 0 or (kind == 2 and place == 0)
        rest += share * (np.eye(n) if alone else _exchange(draw, n))
    rest /= sum(shares)
    if gap == 0 or n == 1:
        return rest
    average = np.full((n, n), 1 / n)
    share = gap if kind < SPARSE else _share_of_average(rest - average, gap)
    return share * average + (1 - share) * rest


def _share_of_average(others: Points, gap: float) -> float:
    """The least that leaves the gap: none for a network that mixes as well by itself, of few neighbors.

    `others` is the rest without its first eigenvalue. Of no mean of exchanges is another one larger than one,
    so `gap` itself is always enough; and all entries are neighbors then.
    """
    slowest = float(np.max(np.abs(np.linalg.eigvalsh(others))))
    return min(gap, max(0.0, 1 - (1 - gap) / slowest)) if slowest > 0 else 0.0


def _exchange(draw: Draw, n: int) -> Points:
    """The exchange of random pairs, in which some entry may stay alone."""
    order = draw.random.permutation(n)
    matrix = np.eye(n)
    for one, other in zip(order[::2], order[1::2], strict=False):
        matrix[[one, other]] = matrix[[other, one]]
    return matrix
