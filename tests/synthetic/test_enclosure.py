"""Enclosures hold the true number: against fractions for the arithmetic, against mpmath for the functions."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic.certified import enclosures
from synthetic.certified.enclosures import Ball, ball, between

numbers = st.floats(-1e6, 1e6, allow_subnormal=False)
radii = st.floats(0, 1.0)
pairs = st.tuples(numbers, radii)


def one(pair):
    return Ball(np.array(pair[0]), np.array(pair[1]))


def inside(pair, where):
    """A rational point of the ball, from -1 (one end) to 1 (the other)."""
    return Fraction(pair[0]) + Fraction(pair[1]) * where


def holds(enclosed, value):
    return Fraction(float(enclosed.lower)) <= value <= Fraction(float(enclosed.upper))


ENDS = [Fraction(-1), Fraction(0), Fraction(1, 3), Fraction(1)]


@given(pairs, pairs)
def test_sums_differences_and_products_hold_every_pair_of_points(left, right):
    a, b = one(left), one(right)
    for x in (inside(left, where) for where in ENDS):
        for y in (inside(right, where) for where in ENDS):
            assert holds(a + b, x + y)
            assert holds(a - b, x - y)
            assert holds(a * b, x * y)


@given(pairs, st.tuples(st.floats(1.5, 1e6), radii))
def test_quotients_hold_every_pair_of_points(left, right):
    quotient = one(left) / one(right)
    for x in (inside(left, where) for where in ENDS):
        assert all(holds(quotient, x / inside(right, where)) for where in ENDS)


@given(st.lists(pairs, min_size=1, max_size=8), st.integers(0, 2**16))
def test_sums_and_matrix_products_hold(row, seed):
    random = np.random.default_rng(seed)
    matrix = random.standard_normal((len(row), 3)) * 10.0 ** random.integers(-3, 4, (len(row), 3))
    balls = Ball(np.array([[a for a, _ in row]]), np.array([[r for _, r in row]]))
    product, total = balls @ matrix, balls.sum(axis=1)
    for where in ENDS:
        xs = [inside(pair, where) for pair in row]
        assert holds(total[0], sum(xs))
        for column in range(3):
            exact = sum(x * Fraction(float(entry)) for x, entry in zip(xs, matrix[:, column], strict=True))
            assert holds(product[0, column], exact)


@given(st.floats(-30, 30), st.floats(0, 0.5))
def test_functions_hold_the_true_values(middle, radius):
    argument = one((middle, radius))
    positive = one((abs(middle) + 1.0, radius))
    with mpmath.workdps(40):
        for where in (-1, 0, 1):
            x = mpmath.mpf(middle) + mpmath.mpf(radius) * where
            y = mpmath.mpf(abs(middle) + 1.0) + mpmath.mpf(radius) * where
            cases = [
                (enclosures.exp(argument), mpmath.exp(x)),
                (enclosures.log(positive), mpmath.log(y)),
                (enclosures.log1p(positive), mpmath.log1p(y)),
                (enclosures.sqrt(positive), mpmath.sqrt(y)),
                (positive**2.7, y ** mpmath.mpf(2.7)),
            ]
            for enclosed, value in cases:
                assert float(enclosed.lower) <= value <= float(enclosed.upper)


def test_enclosures_are_not_much_wider_than_the_rounding():
    random = np.random.default_rng(0)
    left, right = random.standard_normal((2, 30, 30))
    product = ball(left) @ right
    assert product.radius.max() < 1e-12
    assert enclosures.exp(ball(1.0)).radius < 1e-14
    assert enclosures.constant(ball(0.0)).provenance == "exact"


def test_an_exact_zero_stays_one():
    nothing = ball(np.zeros(3))
    for result in (nothing * between(0.5, 0.7), nothing + 0.0, nothing.sum(axis=0), nothing / ball(3.0)):
        assert (result.lower == 0).all()
        assert (result.upper == 0).all()


@pytest.mark.parametrize("size", [1, 2, 5, 12])
def test_eigenvalues_are_enclosed_also_where_they_meet(size):
    random = np.random.default_rng(size)
    basis, _ = np.linalg.qr(random.standard_normal((size, size)))
    for spectrum in (np.ones(size), np.geomspace(1e-12, 1, size), np.arange(size) - 2.0):
        table = (basis * spectrum) @ basis.T
        table = (table + table.T) / 2
        smallest, largest = enclosures.extreme_eigenvalues(ball(table))
        with mpmath.workdps(40):
            values = mpmath.eigsy(mpmath.matrix(table.tolist()), eigvals_only=True)
        assert float(smallest.lower) <= min(values) <= float(smallest.upper)
        assert float(largest.lower) <= max(values) <= float(largest.upper)
        assert largest.radius < 1e-12 * size


def test_a_ball_of_matrices_holds_the_eigenvalues_of_each():
    random = np.random.default_rng(3)
    table = random.standard_normal((4, 4))
    table = table + table.T
    smallest, largest = enclosures.extreme_eigenvalues(Ball(table, np.full((4, 4), 0.1)))
    for _ in range(50):
        change = random.uniform(-0.1, 0.1, (4, 4))
        spectrum = np.linalg.eigvalsh(table + (change + change.T) / 2)
        assert smallest.lower <= spectrum[0] <= smallest.upper
        assert largest.lower <= spectrum[-1] <= largest.upper


def test_a_lost_rounding_error_would_be_caught():
    """The planted defect: without the unit roundoff the radius of a product would be 0."""
    exact = Fraction(0.1) * Fraction(0.3)
    assert holds(ball(0.1) * ball(0.3), exact)
    assert not holds(Ball(np.array(0.1 * 0.3), np.array(0.0)), exact)


def test_dividing_by_what_may_be_zero_is_refused():
    with pytest.raises(ZeroDivisionError):
        ball(1.0) / between(-0.1, 1.0)


def test_upper_bounds_carry_their_lower_ones():
    column = enclosures.at_most([2.0, 3.0], lower=[1.0, 4.0])
    assert column.value == column.upper == (2.0, 3.0)
    assert column.lower == (1.0, 3.0)
    assert enclosures.constant(between(-1.0, 2.0), low=0.0).lower == 0
    assert enclosures.constant(between(1.0, 2.0), guess=1.75).value == 1.75
