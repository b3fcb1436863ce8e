"""Infima that no point attains: recognised, approached, and with sharp constants."""

from itertools import pairwise

import mpmath
import numpy as np
import pytest

from synthetic.errors import BadValue, NotAttained
from synthetic.problems.vanishing import tails

PROBLEMS = [
    {"tail": tail, **data}
    for tail in ("logistic", "exponential")
    for data in (
        {},
        {"centers": [0.0, 1.0, -2.0]},
        {"centers": [0.5, 3.0], "widths": [0.5, 2.0], "heights": [2.0, 1.0], "offsets": [1.0, -3.0]},
    )
]
every = pytest.mark.parametrize("arguments", PROBLEMS, ids=range(len(PROBLEMS)))


def definition(tail, t):
    if tail == "logistic":
        return mpmath.log1p(mpmath.exp(-t))
    return mpmath.exp(-t) if t >= 0 else 1 - t + t * t / 2


@every
def test_values_and_slopes_against_thirty_digits(arguments):
    problem = tails(**arguments)
    for x in (-700.0, -3.0, -1e-9, 0.0, 0.3, 5.0, 600.0):
        values = problem.client_values(np.array([[x]]))[:, 0]
        slopes = problem.client_gradients(np.array([[x]]))[:, 0, 0]
        with mpmath.workdps(30):
            for i in range(problem.clients):
                c, w = mpmath.mpf(problem.centers[i]), mpmath.mpf(problem.widths[i])
                h, b = problem.heights[i], problem.offsets[i]
                value = b + h * definition(problem.tail, (x - c) / w)
                slope = (
                    h
                    / w
                    * mpmath.diff(lambda t: definition(problem.tail, t), (x - c) / w, h=mpmath.mpf("1e-12"))
                )
                assert values[i] == pytest.approx(float(value), rel=1e-13)
                assert slopes[i] == pytest.approx(float(slope), rel=1e-9, abs=1e-300)


@every
def test_the_infimum_is_approached_and_never_reached(arguments):
    problem = tails(**arguments)
    gaps = [problem.value(np.array([[x]]))[0] - np.mean(problem.offsets) for x in (0.0, 5.0, 10.0, 20.0)]
    assert all(high > low > 0 for high, low in pairwise(gaps))
    assert gaps[-1] < 1e-2
    assert problem.minimum() == pytest.approx(np.mean(problem.offsets))
    assert problem.facts().bounded_below
    assert not problem.facts().minimum_attained
    with pytest.raises(NotAttained, match="not attained"):
        problem.minimiser()
    assert problem.constants()["infimum_gap"].value == 0
    assert problem.constants()["client_gaps_at_minimiser"] is None


@every
def test_smoothness_is_the_largest_curvature(arguments):
    problem = tails(**arguments)
    grid = np.linspace(-20, 20, 100_001)
    slopes = problem.client_gradients(grid[:, None])[..., 0]
    bends = (np.diff(slopes, axis=1) / (grid[1] - grid[0])).max(axis=1)
    column = problem.constants()["client_smoothness"]
    assert (bends <= np.array(column.upper) * (1 + 1e-6)).all()
    assert (bends > 0.99 * np.array(column.upper)).all()  # 0.9 of it would be caught
    if problem.facts().lipschitz is not None:
        far = np.abs(problem.client_gradients(np.array([[-1e4]]))).max()
        assert far == pytest.approx(problem.facts().lipschitz, rel=1e-9)


@every
def test_the_inequality_with_exponent_two_holds_and_is_sharp(arguments):
    problem = tails(**arguments, set_radius=6.0)
    stated = problem.facts().lojasiewicz
    assert (stated.exponent, stated.radius) == (2, 6)
    grid = np.linspace(-6, 6, 2001)[:, None]
    gaps = problem.client_values(grid) - problem.offsets[:, None]
    # an offset hides the small end of its tail
    away = gaps > 1e-3
    quotients = (problem.client_gradients(grid)[..., 0] ** 2 / gaps**2)[away]
    assert quotients.min() >= stated.constant * (1 - 1e-9)
    assert quotients.min() <= stated.constant * (1 + 1e-9)


@every
def test_divergence_bounds_hold_on_both_sides(arguments):
    problem = tails(**arguments)
    constants = problem.constants()
    slopes = problem.client_gradients(np.linspace(-200, 50, 50_001)[:, None])[..., 0]
    apart = np.abs(slopes - slopes.mean(axis=0)).max(axis=1)
    if constants["client_gradient_divergence"] is None:
        assert problem.tail == "exponential"
        assert len(set(problem.heights / problem.widths**2)) > 1
        return
    assert (apart <= np.array(constants["client_gradient_divergence"].upper) + 1e-12).all()
    assert (apart >= np.array(constants["client_gradient_divergence"].lower) - 1e-9).all()


def test_bad_data_are_refused():
    with pytest.raises(BadValue, match="logistic"):
        tails("cubic")
    with pytest.raises(BadValue, match="widths"):
        tails(widths=[-1.0])
