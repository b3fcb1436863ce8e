"""Whether a matrix of fractions is positive semidefinite, without rounding; the standard library only."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import takewhile
from math import inf, lcm, sqrt
from operator import le, mul

BITS = 60  # after the point, of a factor
SHIFTS = (2.0**-36, 2.0**-28, 2.0**-20)  # a larger one leaves more room for the rounding of large entries


def is_semidefinite(matrix: Sequence[Sequence[Fraction]]) -> bool:
    """Decide it exactly: by a square below the matrix, which is fast, or else by elimination."""
    return has_a_square_below(matrix) or _is_eliminated(matrix)


def has_a_square_below(matrix: Sequence[Sequence[Fraction]]) -> bool:
    """Whether the matrix minus F F^T is diagonally dominant, and so semidefinite, for some rational F.

    Floats propose F, the Cholesky factor of the matrix less a multiple of the identity. What is left is
    computed without rounding.
    """
    try:
        entries = [[float(entry) for entry in row] for row in matrix]
        factors = map(partial(_cholesky, entries), SHIFTS)
        return any(_is_dominant(matrix, factor) for factor in takewhile(bool, factors))
    except OverflowError:
        return False


def _cholesky(matrix: Sequence[Sequence[float]], shift: float) -> list[list[int]]:
    """F times 2^BITS with F F^T close to the matrix - shift I; without rows if this is not definite."""
    factor: list[list[float]] = []
    for i, entries in enumerate(matrix):
        row: list[float] = []
        for j, other in enumerate(factor):
            row.append((entries[j] - sum(map(mul, row, other))) / other[j])
        pivot = entries[i] - shift - sum(a * a for a in row)
        if not 0 < pivot < inf:
            return []
        factor.append([*row, sqrt(pivot)])
    return [[round(a * 2**BITS) for a in row] for row in factor]


def _is_dominant(matrix: Sequence[Sequence[Fraction]], factor: Sequence[Sequence[int]]) -> bool:
    """Whether in the matrix minus F F^T no row has more beside the diagonal than on it."""
    beside = [Fraction(0)] * len(matrix)
    diagonal = []
    for i, row in enumerate(factor):
        for j, other in enumerate(factor[: i + 1]):
            left = matrix[i][j] - Fraction(sum(map(mul, row, other)), 4**BITS)
            if i == j:
                diagonal.append(left)
            else:
                beside[i] += abs(left)
                beside[j] += abs(left)
    return all(map(le, beside, diagonal))


def _is_eliminated(matrix: Sequence[Sequence[Fraction]]) -> bool:
    """Decide by L D L^T without fractions (Bareiss): every pivot is a minor, and an integer.

    A pivot below 0 refutes it. A pivot of 0 needs a row of zeros, and its row and column drop out.
    """
    scale = lcm(1, *(entry.denominator for row in matrix for entry in row))
    rest = [[int(entry * scale) for entry in row] for row in matrix]
    before = 1
    while rest:
        pivot, row = rest[0][0], rest[0][1:]
        if pivot < 0 or (pivot == 0 and any(row)):
            return False
        below = [line[1:] for line in rest[1:]]
        if pivot:
            rest = [
                [(pivot * entry - row[i] * row[j]) // before for j, entry in enumerate(line)]
                for i, line in enumerate(below)
            ]
            before = pivot
        else:
            rest = below
    return True
