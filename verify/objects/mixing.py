"""Symmetric doubly stochastic matrices, of a spectral gap by construction."""

import numpy as np

from verify.objects.draw import CASES, Draw, Points


def mixing_matrices(draw: Draw, n: int, gap: float) -> Points:
    """(CASES, n, n): `gap` times the average of all and the rest of it times a mean of exchanges in pairs.

    Of the latter no eigenvalue is larger than one in size: without a rest of their own, the gap is just so.
    """
    return np.stack([_mixing(draw, n, gap) for _ in range(CASES)])


def _mixing(draw: Draw, n: int, gap: float) -> Points:
    kind = draw.count(0, 4)
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
    return gap * average + (1 - gap) * rest


def _exchange(draw: Draw, n: int) -> Points:
    """The exchange of random pairs, in which some entry may stay alone."""
    order = draw.random.permutation(n)
    matrix = np.eye(n)
    for one, other in zip(order[::2], order[1::2], strict=False):
        matrix[[one, other]] = matrix[[other, one]]
    return matrix
