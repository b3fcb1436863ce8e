"""Smooth maxima: minima against 40-digit arithmetic, curvature and slopes against what points attain."""

import mpmath
import numpy as np
import pytest

from synthetic.errors import BadShape, BadValue, UnknownMinimum
from synthetic.problems.log_sum_exp import log_sum_exp, small

PROBLEMS = [
    {"seed": 0},
    {"seed": 1, "clients": 1, "l2": 0.3},
    {"seed": 2, "dimension": 1, "pieces": 3, "temperature": 0.2},
    {"seed": 3, "dimension": 3, "pieces": 12, "heterogeneity": 0.3},
]
every = pytest.mark.parametrize("arguments", PROBLEMS)


def precise(problem, clients):
    """The minimum of the mean of these clients by Newton in 40 digits, from the definition."""
    s, l2 = mpmath.mpf(problem.temperature), mpmath.mpf(problem.l2)
    d = problem.dimension
    rows = [[mpmath.matrix(list(map(float, row))) for row in problem.rows[i]] for i in clients]
    levels = [list(map(mpmath.mpf, map(float, problem.levels[i]))) for i in clients]

    def at(x):
        total, slope, bend = l2 / 2 * (x.T * x)[0], l2 * x, l2 * mpmath.eye(d)
        for pieces, heights in zip(rows, levels, strict=True):
            raised = [mpmath.exp(((a.T * x)[0] - b) / s) for a, b in zip(pieces, heights, strict=True)]
            weights = [r / sum(raised) for r in raised]
            center = sum((w * a for w, a in zip(weights, pieces, strict=True)), mpmath.zeros(d, 1))
            total += s * mpmath.log(sum(raised)) / len(rows)
            slope = slope + center / len(rows)
            for w, a in zip(weights, pieces, strict=True):
                bend = bend + w * (a - center) * (a - center).T / (s * len(rows))
        return total, slope, bend

    x = mpmath.matrix(problem.minimiser().tolist() if len(rows) > 1 or problem.clients == 1 else [0.0] * d)
    for _ in range(60):
        value, slope, bend = at(x)
        if mpmath.norm(slope) < mpmath.mpf(10) ** -30:
            break
        step = mpmath.lu_solve(bend, slope)
        length = mpmath.mpf(1)
        while at(x - length * step)[0] > value:
            length /= 2
            if length < mpmath.mpf(10) ** -30:
                break
        x = x - length * step
    return at(x)[0], x


@every
def test_minima_against_forty_digits(arguments):
    problem = small(**arguments)
    constants = problem.constants()
    with mpmath.workdps(40):
        value, place = precise(problem, range(problem.clients))
        assert constants["minimum"].lower <= value <= constants["minimum"].upper
        sides = zip(constants["minimiser"].lower, place, constants["minimiser"].upper, strict=True)
        assert all(low <= x <= high for low, x, high in sides)
        own = precise(problem, [0])[0]
        assert constants["client_minima"].lower[0] <= own <= constants["client_minima"].upper[0]
    assert constants["minimum"].upper - constants["minimum"].lower < 1e-11


@every
def test_smoothness_is_bounded_from_both_sides_by_differences_of_gradients(arguments):
    problem = small(**arguments)
    column = problem.constants()["client_smoothness"]
    random = np.random.default_rng(0)
    points = random.standard_normal((20_000, problem.dimension)) * 10.0 ** random.uniform(-1, 1, (20_000, 1))
    others = points + 1e-3 * random.standard_normal(points.shape)
    change = np.linalg.norm(problem.client_gradients(points) - problem.client_gradients(others), axis=2)
    ratios = (change / np.linalg.norm(points - others, axis=1)).max(axis=1)
    assert (ratios <= np.array(column.upper) * (1 + 1e-9)).all()
    # the certified lower bound is a curvature that exists, so a search comes near it or exceeds it
    assert (ratios >= 0.5 * np.array(column.lower)).all()
    assert (np.array(column.lower) <= np.array(column.upper)).all()


def test_a_smoothness_too_small_by_a_tenth_would_be_caught():
    """Two opposite rows: the curvature at 0 is the bound itself."""
    problem = log_sum_exp([[[2.0], [-2.0]]], [[0.0, 0.0]], temperature=0.5)
    bound = problem.constants()["smoothness"]
    assert bound.upper == pytest.approx(8.0, rel=1e-14)
    assert bound.lower == pytest.approx(8.0, rel=1e-9)
    slope = np.diff(problem.client_gradient(0, np.array([[-1e-4], [1e-4]]))[:, 0])[0] / 2e-4
    assert 0.9 * bound.upper < slope <= bound.upper


def test_the_lipschitz_constant_is_approached_far_out():
    problem = small(seed=4)
    longest = problem.rows[np.unravel_index(np.linalg.norm(problem.rows, axis=2).argmax(), (3, 8))]
    far = 1e4 * longest[None]
    slopes = np.linalg.norm(problem.client_gradients(far), axis=2).max()
    assert slopes == pytest.approx(problem.constants()["lipschitz"].upper, rel=1e-9)
    assert small(l2=0.1).constants()["lipschitz"] is None


def test_identical_clients_do_not_diverge():
    constants = small(heterogeneity=0.0).constants()
    assert constants["largest_gradient_divergence"].upper == 0
    assert constants["infimum_gap"].upper < 1e-12


def test_rows_that_do_not_surround_the_origin_are_refused():
    with pytest.raises(UnknownMinimum, match="client 0"):
        log_sum_exp([[[1.0], [2.0]], [[1.0], [-1.0]]], [[0.0, 0.0], [0.0, 0.0]])
    # on the boundary of the hull: the infimum is not attained
    with pytest.raises(UnknownMinimum):
        log_sum_exp([[[0.0], [1.0]]], [[0.0, 0.0]])
    assert log_sum_exp([[[1.0], [2.0]]], [[0.0, 0.0]], l2=0.5).facts().minimum_attained


def test_large_scores_do_not_overflow():
    problem = small(temperature=0.01)
    points = np.array([[1e6, -1e6]])
    assert np.isfinite(problem.client_values(points)).all()
    assert np.isfinite(problem.client_gradients(points)).all()


def test_bad_data_are_refused():
    with pytest.raises(BadShape):
        log_sum_exp([[[1.0], [-1.0]]], [[0.0]])
    with pytest.raises(BadValue):
        small(temperature=0.0)
    with pytest.raises(BadValue):
        small(pieces=2, dimension=2)
