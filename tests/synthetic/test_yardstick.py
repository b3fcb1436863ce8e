"""What is measured of a state: a gap of rounding is zero, and a wrong minimum stays visible."""

import numpy as np
import pytest

from synthetic.measures import Yardstick, without_rounding, yardstick
from synthetic.problems import quadratic


@pytest.mark.parametrize(("minimum", "unit"), [(0.5, 1.0), (-1.0, 1.0), (1000.0, 1000.0), (-1000.0, 1000.0)])
def test_a_gap_below_zero_is_repaired_within_a_few_last_bits_only(minimum: float, unit: float) -> None:
    """10^-13 of the larger of 1 and |minimum| is rounding, 10^-11 of it is not."""
    gaps = np.array([-1e-13, -1e-11, -1e-6, -1.0, 0.0, 1e-13, 2.0]) * unit
    expected = np.array([0.0, -1e-11, -1e-6, -1.0, 0.0, 1e-13, 2.0]) * unit
    assert (without_rounding(gaps, minimum) == expected).all()


def test_a_minimum_that_is_stated_too_high_makes_a_negative_gap() -> None:
    """f(x) = (x - 3)^2/2 + 1 has the minimum 1; one part in 10^6 more would be a defect of the problem."""
    problem = quadratic.diagonal([[1.0]], [[3.0]], [1.0])
    points = np.array([[3.0], [5.0]])
    assert yardstick(problem).gap(points).tolist() == [0.0, 2.0]
    wrong = Yardstick(problem=problem, minimiser=np.array([3.0]), minimum=1 + 2.0**-20)
    assert wrong.gap(points).tolist() == [-(2.0**-20), 2 - 2.0**-20]
