"""Exact linear algebra and certified enclosures, checked through their defining properties."""

from fractions import Fraction

import numpy as np
import pytest

from synthetic.certified import rationals


def characteristic(matrix, value):
    """det(matrix - value I) for a 2 x 2 matrix, without rounding."""
    (a, b), (c, d) = matrix
    return (a - value) * (d - value) - b * c


def test_irrational_eigenvalues_are_enclosed():
    matrix = [[Fraction(1), Fraction(1)], [Fraction(1), Fraction(2)]]
    low, high = rationals.largest_eigenvalue_bounds(matrix)
    assert characteristic(matrix, low) <= 0 <= characteristic(matrix, high)
    assert 0 < high - low < Fraction(1, 2**40)
    assert low > Fraction(3, 2)
    low, high = rationals.smallest_eigenvalue_bounds(matrix)
    assert characteristic(matrix, high) <= 0 <= characteristic(matrix, low)
    assert 0 < low <= high < Fraction(3, 2)


def test_eigenvalue_bounds_do_not_trust_the_floating_point_eigenvector(monkeypatch):
    matrix = [[Fraction(1), Fraction(1)], [Fraction(1), Fraction(2)]]
    monkeypatch.setattr(np.linalg, "eigh", lambda matrix: (np.zeros(2), np.array([[0.0, 1.0], [1.0, 0.1]])))
    low, high = rationals.largest_eigenvalue_bounds(matrix)
    assert characteristic(matrix, low) <= 0 <= characteristic(matrix, high)
    assert low > Fraction(3, 2) / 2


@pytest.mark.parametrize("seed", range(5))
def test_eigenvalue_bounds_agree_with_a_floating_point_solver(seed):
    half = np.random.default_rng(seed).standard_normal((5, 5))
    matrix = (half + half.T) / 2
    expected = np.linalg.eigvalsh(matrix)
    exact = rationals.to_matrix(matrix)
    assert float(rationals.largest_eigenvalue_bounds(exact)[0]) == pytest.approx(expected[-1], abs=1e-13)
    assert float(rationals.smallest_eigenvalue_bounds(exact)[1]) == pytest.approx(expected[0], abs=1e-13)


@pytest.mark.parametrize(
    ("rows", "semidefinite"),
    [
        ([[1, 2], [2, 4]], True),
        ([[1, 2], [2, 3]], False),
        ([[0, 1], [1, 5]], False),
        ([[0, 0], [0, 5]], True),
        ([[-1, 0], [0, 5]], False),
        ([[2, 1, 1], [1, 2, -1], [1, -1, 2]], True),
        ([[2, 1, 1], [1, 2, -1], [1, -1, Fraction(1999, 1000)]], False),
    ],
)
def test_semidefiniteness_is_decided_exactly(rows, semidefinite):
    assert (
        rationals.is_positive_semidefinite([[Fraction(entry) for entry in row] for row in rows])
        is semidefinite
    )


def test_a_singular_consistent_system_is_solved():
    matrix = [[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]]
    solution = rationals.solve(matrix, [Fraction(3), Fraction(6)])
    assert rationals.times(matrix, solution) == [3, 6]
    assert solution == [3, 0]


def test_a_system_that_needs_row_exchange_is_solved():
    matrix = [[Fraction(0), Fraction(2)], [Fraction(3), Fraction(1)]]
    assert rationals.solve(matrix, [Fraction(4), Fraction(5)]) == [1, 2]


@pytest.mark.parametrize("square", [Fraction(2), Fraction(1, 3), Fraction(10**40 + 1), Fraction(7, 10**60)])
def test_roots_are_enclosed_tightly(square):
    low, high = rationals.root_bounds(square)
    assert low**2 <= square <= high**2
    assert high - low <= low / 2**90


def test_rational_roots_are_exact():
    assert rationals.root_bounds(Fraction(9, 4)) == (Fraction(3, 2), Fraction(3, 2))
    assert rationals.root_bounds(Fraction(0)) == (0, 0)


def test_floats_are_rounded_outwards():
    third = Fraction(1, 3)
    assert Fraction(rationals.float_below(third)) < third < Fraction(rationals.float_above(third))
    assert rationals.float_below(Fraction(1, 4)) == rationals.float_above(Fraction(1, 4)) == 0.25
    constant = rationals.point(third, exact=False)
    assert constant.provenance == "enclosed"
    assert Fraction(constant.lower) < third < Fraction(constant.upper)
    assert rationals.point(third, exact=True).value == third


def test_gram_matrices_and_means():
    rows = [[Fraction(1), Fraction(2)], [Fraction(0), Fraction(1, 3)], [Fraction(-1), Fraction(1)]]
    table = np.array([[float(entry) for entry in row] for row in rows])
    np.testing.assert_allclose(np.array(rationals.gram(rows), dtype=float), table @ table.T, rtol=1e-15)
    assert rationals.mean([Fraction(1), Fraction(2), Fraction(4)]) == Fraction(7, 3)
