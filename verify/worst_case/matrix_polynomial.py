"""Whether a symmetric matrix of polynomials is positive semidefinite on [0, 1], without rounding.

The polynomial is sum_d C(n, d) t^d (1 - t)^(n - d) S_d, with its Bernstein coefficients S_d. If all of them
are semidefinite it is, since the factors are not negative. If one is not, both halves of the interval are
looked at, with the coefficients that de Casteljau's sums give there. Integers and fractions only.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, lcm

from verify.worst_case.square_below import has_a_square_below, is_semidefinite

MOST_PIECES = 4000

Matrix = Sequence[Sequence[Fraction]]
IntegerMatrix = list[list[int]]  # times a common denominator that is kept beside it


def is_semidefinite_on_interval(coefficients: Sequence[Matrix]) -> bool:
    """False also where the pieces were too many to tell."""
    common = lcm(1, *(entry.denominator for matrix in coefficients for row in matrix for entry in row))
    waiting = [([[[int(entry * common) for entry in row] for row in m] for m in coefficients], common)]
    for _ in range(MOST_PIECES):
        if not waiting:
            return True
        piece, scale = waiting.pop()
        found = [_as_fractions(matrix, scale) for matrix in piece]
        if all(map(has_a_square_below, found)):
            continue
        if not (is_semidefinite(found[0]) and is_semidefinite(found[-1])):  # the values at both ends
            return False
        waiting += _halves(piece, scale)
    return False


def _as_fractions(matrix: IntegerMatrix, scale: int) -> Matrix:
    return [[Fraction(entry, scale) for entry in row] for row in matrix]


def _halves(piece: list[IntegerMatrix], scale: int) -> Iterator[tuple[list[IntegerMatrix], int]]:
    """Coefficients on the left and on the right half: sums of neighbors; the scale takes the halving."""
    degree, left, right, row = len(piece) - 1, list[IntegerMatrix](), list[IntegerMatrix](), piece
    for level in range(degree + 1):
        left.append(_times(row[0], 2 ** (degree - level)))
        right.append(_times(row[-1], 2 ** (degree - level)))
        row = [_plus(a, b) for a, b in pairwise(row)]
    yield left, scale * 2**degree
    yield right[::-1], scale * 2**degree


def _times(matrix: IntegerMatrix, factor: int) -> IntegerMatrix:
    return [[entry * factor for entry in row] for row in matrix]


def _plus(first: IntegerMatrix, second: IntegerMatrix) -> IntegerMatrix:
    return [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(first, second, strict=True)]


def bernstein(powers: Sequence[Fraction], degree: int) -> list[Fraction]:
    """The Bernstein coefficients on [0, 1] of a polynomial sum_k a_k t^k: sum_k C(d, k)/C(n, k) a_k."""
    found = [Fraction(a) / comb(degree, k) for k, a in enumerate(powers)]
    common = lcm(1, *(entry.denominator for entry in found))
    differences = [int(entry * common) for entry in found] + [0] * (degree + 1 - len(found))
    column = []
    for _ in range(degree + 1):
        column.append(Fraction(differences[0], common))
        differences = [a + b for a, b in pairwise([*differences, 0])]
    return column
