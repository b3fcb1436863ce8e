"""Sides in 50 digits, where numbers are beyond every fraction, or where digits do not settle them."""

from dataclasses import replace

import numpy as np
import pytest

from bounds.language.lemmas.expressions import Comparison
from bounds.language.quantity import Notation
from bounds.language.statement import Paper, Statement
from fedbounds import POSITIVE, REAL, exp, index, inner, lemma, norm, number, total, vector
from verify.objects.draw import FAMILIES, Draw
from verify.objects.in_digits import Case, Unsettled, sides_in_digits
from verify.objects.mixing import mixing_matrices

i = index("i")
c, q, s, r = number("c", POSITIVE, over=i), number("q", POSITIVE), number("s", POSITIVE), number("r", REAL)
x, y = vector("x"), vector("y")


def stated(claim: Comparison, *conditions: Comparison) -> Statement:
    paper = Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())
    made: Statement = replace(lemma(paper, "it", claim, conditions=conditions), id="k.it")
    return made


def test_a_power_whose_exponent_is_a_large_number_needs_no_memory() -> None:
    """(1/8)^q + (1/8)^q, and its root of the order q: 2^(1/q) / 8; as a fraction it has 12 GB."""
    statement = stated(total(c**q) ** (1 / q) <= total(c))
    given = {"c": np.array([[0.125, 0.125]]), "q": np.array([2.0**35])}
    left, right, _ = sides_in_digits(statement, Case(objects=given, case=0, cases=1))
    assert float(left) == pytest.approx(0.125, rel=1e-10)
    assert right == 0.25


def test_a_divisor_of_which_50_digits_leave_a_rounding_takes_more() -> None:
    """||x + s y||^2 - 2 s <x, y> - ||x||^2 is s^2 ||y||^2, here 1e-60."""
    divisor = norm(x + s * y) ** 2 - 2 * inner(x, s * y) - norm(x) ** 2
    statement = stated(s**2 * norm(y) ** 2 / divisor <= r)
    given = {"x": np.array([[1.5]]), "y": np.array([[1.0]]), "s": np.array([1e-30]), "r": np.array([2.0])}
    left, right, _ = sides_in_digits(statement, Case(objects=given, case=0, cases=1))
    assert float(left) == 1
    assert float(right) == 2


def test_what_no_digits_settle_is_no_side() -> None:
    """The divisor 4 sqrt(5) - sqrt(5) - 3 sqrt(5) is a rounding in all of them, or zero."""
    statement = stated(norm(x) ** 2 / (norm(x + y) - norm(x) - norm(y)) <= r * norm(x))
    given = {"x": np.array([[1.0, 2.0]]), "y": np.array([[3.0, 6.0]]), "r": np.array([2.0])}
    with pytest.raises(Unsettled):
        sides_in_digits(statement, Case(objects=given, case=0, cases=1))


def test_some_networks_have_few_neighbors_and_all_have_their_gap() -> None:
    sparse = 0
    for seed in range(12):
        for matrix in mixing_matrices(Draw(FAMILIES[0], np.random.default_rng(seed)), 6, 0.1):
            others = np.sort(np.abs(np.linalg.eigvals(matrix)))[:-1]
            assert np.max(others) <= 0.9 + 1e-12
            assert np.allclose(matrix, matrix.T)
            assert np.allclose(matrix.sum(axis=0), 1)
            sparse += int(np.min(matrix) == 0)
    assert sparse >= 5


@pytest.mark.parametrize(
    ("condition", "length", "meets"),
    [
        (exp(-norm(x)) >= 1, 1e-300, False),  # 1 - 1e-300 is 1 in 200 digits
        (exp(-norm(x)) <= 1, 1.0, True),
        (norm(x) ** 2 < norm(x), 1.0, False),
        (norm(x) ** 2 <= norm(x), 1.0, True),
        (norm(x) ** 2 < norm(x), 0.5, True),
        (norm(x) < norm(y), 0.0, False),
    ],
)
def test_sides_that_no_digits_tell_apart_meet_no_strict_condition_and_no_exponential_one(
    condition: Comparison, length: float, meets: bool
) -> None:
    statement = stated(norm(x) + norm(y) <= r, condition)
    given = {"x": np.array([[length]]), "y": np.array([[0.0]]), "r": np.array([2.0])}
    assert sides_in_digits(statement, Case(objects=given, case=0, cases=1))[2] is meets
