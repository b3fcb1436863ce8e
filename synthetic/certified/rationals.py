"""Exact linear algebra on small problems, and the way back to certified float64 bounds.

A float64 is a rational number, so minimisers, gaps and bounds on eigenvalues can be computed without
any rounding at all. Meant for small dimensions, since the digits grow: the bounds on
eigenvalues take about a second for five clients in dimension 20.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from synthetic.certified.facts import Constant, exactly, joined
from synthetic.engine.arithmetic import Array, as_numbers

Vector = list[Fraction]
Matrix = list[Vector]


def to_matrix(array: Array) -> Matrix:
    return [list(row) for row in as_numbers(array, exact=True)]


def to_vector(array: Array) -> Vector:
    return list(as_numbers(array, exact=True))


def dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def times(matrix: Matrix, vector: Vector) -> Vector:
    return [dot(row, vector) for row in matrix]


def minus(left: Vector, right: Vector) -> Vector:
    return [a - b for a, b in zip(left, right, strict=True)]


def mean(values: Vector) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def mean_of(vectors: list[Vector]) -> Vector:
    return [mean(list(column)) for column in zip(*vectors, strict=True)]


def mean_matrix(matrices: list[Matrix]) -> Matrix:
    return [mean_of(list(rows)) for rows in zip(*matrices, strict=True)]


def gram(rows: Matrix) -> Matrix:
    """The matrix times its transpose."""
    return [[dot(left, right) for right in rows] for left in rows]


def solve(matrix: Matrix, right: Vector) -> Vector:
    """One solution of a consistent system; unknowns that the system leaves free are 0."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    pivots: list[int] = []
    for column in range(size):
        found = next((r for r in range(len(pivots), size) if rows[r][column] != 0), None)
        if found is None:
            continue
        rank = len(pivots)
        rows[rank], rows[found] = rows[found], rows[rank]
        rows[rank] = [entry / rows[rank][column] for entry in rows[rank]]
        for other in range(size):
            factor = rows[other][column]
            if other != rank and factor != 0:
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[rank], strict=True)]
        pivots.append(column)
    solution = [Fraction(0)] * size
    for rank, column in enumerate(pivots):
        solution[column] = rows[rank][size]
    return solution


def is_positive_semidefinite(matrix: Matrix) -> bool:
    """Symmetric elimination: every pivot is non-negative, and a zero pivot has a zero row."""
    rows = [list(row) for row in matrix]
    size = len(rows)
    for k in range(size):
        pivot = rows[k][k]
        tail = rows[k][k + 1 :]
        if pivot < 0 or (pivot == 0 and any(tail)):
            return False
        if pivot > 0:
            for i in range(k + 1, size):
                factor = rows[k][i] / pivot
                for j in range(k + 1, size):
                    rows[i][j] -= factor * rows[k][j]
    return True


def shifted(matrix: Matrix, scale: int, shift: Fraction) -> Matrix:
    """scale * matrix + shift * identity."""
    return [
        [scale * entry + (shift if i == j else 0) for j, entry in enumerate(row)]
        for i, row in enumerate(matrix)
    ]


def smallest_eigenvalue_bounds(matrix: Matrix) -> tuple[Fraction, Fraction]:
    low, high = largest_eigenvalue_bounds(shifted(matrix, -1, Fraction(0)))
    return -high, -low


def largest_eigenvalue_bounds(matrix: Matrix) -> tuple[Fraction, Fraction]:
    """Below by an exact Rayleigh quotient, above by an exact semidefiniteness test.

    The floating-point eigenvector only suggests; neither bound trusts it.
    """
    diagonal = [row[i] for i, row in enumerate(matrix)]
    if all(entry == 0 for i, row in enumerate(matrix) for j, entry in enumerate(row) if i != j):
        return max(diagonal), max(diagonal)
    floats = np.array([[float(entry) for entry in row] for row in matrix])
    suggested = to_vector(np.linalg.eigh(floats)[1][:, -1])
    low = dot(suggested, times(matrix, suggested)) / dot(suggested, suggested)
    radius = max(abs(entry) for row in matrix for entry in row) / 2**50
    while not is_positive_semidefinite(shifted(matrix, -1, low + radius)):
        radius *= 4
    return low, low + radius


def float_below(value: Fraction) -> float:
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)


def float_above(value: Fraction) -> float:
    return -float_below(-value)


def constant(low: Fraction, high: Fraction, *, exact: bool) -> Constant:
    """A number known to lie in [low, high]: exact where possible, else certified float64 bounds around it.

    In an exact problem a known rational stays a fraction; in a float64 problem it becomes the nearest
    float64 with its certified neighbours.
    """
    if exact and low == high:
        return exactly(low)
    lower, upper = float_below(low), float_above(high)
    if lower == upper:
        return exactly(lower)
    value = min(max(float((low + high) / 2), lower), upper)
    return Constant(value=value, lower=lower, upper=upper, provenance="enclosed")


def point(value: Fraction, *, exact: bool) -> Constant:
    return constant(value, value, exact=exact)


def points(values: Vector, *, exact: bool) -> Constant:
    return joined([point(value, exact=exact) for value in values])


def root_bounds(square: Fraction) -> tuple[Fraction, Fraction]:
    """Rational bounds on a square root, equal when the root is rational; at least 100 correct bits."""
    product = square.numerator * square.denominator
    root = math.isqrt(product)
    if root * root == product:
        return Fraction(root, square.denominator), Fraction(root, square.denominator)
    digits = math.isqrt(product << 200)
    scale = square.denominator << 100
    return Fraction(digits, scale), Fraction(digits + 1, scale)


def maximum_of(bounds: list[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    return max(low for low, _ in bounds), max(high for _, high in bounds)


def mean_of_bounds(bounds: list[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    lows, highs = zip(*bounds, strict=True)
    return mean(list(lows)), mean(list(highs))
