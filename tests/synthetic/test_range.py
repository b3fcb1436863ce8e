"""Data near the ends of float64: constants come out, or one sentence says why they do not."""

from fractions import Fraction

import numpy as np
import pytest

from synthetic.errors import BadValue
from synthetic.problems.component_sums import component_sum
from synthetic.problems.piecewise_quadratic import blocks
from synthetic.problems.quadratic import diagonal, ill_conditioned, low_rank, quadratic

HUGE = 1e300
CENTERS = np.arange(6.0).reshape(2, 3)
PROBLEMS = {
    "low rank": lambda: low_rank(np.array([np.eye(3) * HUGE**0.5] * 2), CENTERS),
    "one factor": lambda: low_rank(np.ones((2, 3, 1)) * HUGE**0.5, CENTERS),
    "shift": lambda: low_rank(np.ones((2, 3, 1)), CENTERS, shift=HUGE),
    "dense": lambda: quadratic(np.array([np.eye(3) * HUGE] * 2), CENTERS),
    "diagonal": lambda: diagonal(np.full((2, 3), HUGE), CENTERS * 1e5),
    "centers": lambda: quadratic(np.array([np.eye(3)] * 2), CENTERS * HUGE),
    "large and low rank": lambda: low_rank(
        np.array([np.eye(60) * 1e154] * 2), np.arange(120.0).reshape(2, 60)
    ),
    "pieces": lambda: blocks(["well", "well"], widths=[1e-300, 1.0], heights=[1e300, 1.0]),
}


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("asked", ["minimum", "minimiser", "facts", "constants"])
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_what_leaves_float64_is_told_in_one_sentence(name: str, asked: str) -> None:
    problem = PROBLEMS[name]()
    with pytest.raises(BadValue, match="they leave the range of float64") as refused:
        getattr(problem, asked)()
    assert "\n" not in str(refused.value)


def test_components_too() -> None:
    hessians = np.array([[np.eye(3)] * 2] * 2) * HUGE
    problem = component_sum(hessians, np.arange(12.0).reshape(2, 2, 3))
    with pytest.raises(BadValue, match="they leave the range of float64"):
        problem.constants()


def test_large_numbers_that_fit_are_as_exact_as_others() -> None:
    """Curvature 1e100 twice, at 0 and at 2: the minimum of the mean is 1e100/2, at 1."""
    large = diagonal([[1e100], [1e100]], [[0.0], [2.0]])
    assert (large.minimum(), large.minimiser().tolist()) == (1e100 / 2, [1.0])


def test_bounds_of_fractions_are_told_in_float64_too() -> None:
    problem = diagonal([[Fraction(10) ** 400], [Fraction(10) ** 400]], [[Fraction(0)], [Fraction(2)]])
    with pytest.raises(BadValue, match="they leave the range of float64"):
        problem.constants()
    problem = diagonal([[Fraction(10) ** 100], [Fraction(10) ** 100]], [[Fraction(0)], [Fraction(2)]])
    assert problem.minimum() == Fraction(10) ** 100 / 2


def test_a_spectrum_that_vanishes_is_refused() -> None:
    with pytest.raises(BadValue, match="smoothness / condition"):
        ill_conditioned(smoothness=5e-324)
