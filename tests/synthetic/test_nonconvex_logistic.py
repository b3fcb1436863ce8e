"""Logistic regression with a saturating penalty: grids and many starts as the oracle."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from synthetic.errors import BadValue, UnknownMinimum
from synthetic.problems.nonconvex_logistic import Saturating, nonconvex_logistic, small


def rows_of(problem):
    held = [problem.samples.of(client) for client in range(problem.clients)]
    return [answers[0][:, None] * features for features, answers, _ in held]


def values(rows, strength, points):
    """At many points (R, d)."""
    losses = np.logaddexp(0, -points @ rows.T).mean(axis=1)
    return losses + strength * (points**2 / (1 + points**2)).sum(axis=1)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("strength", [0.05, 0.5, 5.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_infimum_on_a_line_lies_in_the_bounds(seed, strength):
    problem = small(seed=seed, dimension=1, clients=2, strength=strength)
    grid = np.concatenate([np.linspace(-6, 6, 200_001), np.linspace(-300, 300, 60_001)])[:, None]
    minimum, own = problem.constants()["minimum"], problem.constants()["client_minima"]
    found = np.array([values(rows, strength, grid) for rows in rows_of(problem)])
    for low, high, lowest in zip(own.lower, own.upper, found.min(axis=1), strict=True):
        assert low <= lowest
        assert high <= lowest + 1e-12
    assert minimum.lower <= found.mean(axis=0).min()
    assert minimum.upper <= found.mean(axis=0).min() + 1e-12


def test_no_start_finds_a_lower_value():
    problem = small(seed=3, strength=0.1)
    rows = rows_of(problem)
    random = np.random.default_rng(0)

    def mean(point):
        return np.mean([values(block, 0.1, point[None])[0] for block in rows])

    found = min(minimize(mean, 5 * random.standard_normal(4), method="BFGS").fun for _ in range(30))
    assert problem.constants()["minimum"].lower <= found
    assert problem.minimum() <= found + 1e-9


def test_a_strong_penalty_makes_the_minimum_certain():
    problem = small(seed=1, strength=4.0)
    constants = problem.constants()
    assert constants["minimum"].upper - constants["minimum"].lower < 1e-12
    assert constants["minimiser"].provenance == "enclosed"
    assert problem.facts().minimum_attained
    assert np.linalg.norm(problem.gradient(problem.minimiser()[None])) < 1e-8


def test_a_weak_penalty_leaves_it_open_and_says_so():
    problem = small(seed=1, strength=0.01)
    constants = problem.constants()
    assert constants["minimum"].lower < constants["minimum"].upper
    assert constants["minimiser"].provenance == "estimated"
    assert constants["client_gaps_at_minimiser"].upper is None
    assert not problem.facts().minimum_attained
    with pytest.raises(UnknownMinimum, match="minimiser"):
        problem.minimiser()


def test_curvature_of_the_penalty_stays_in_its_range_and_reaches_both_ends():
    penalty, step = Saturating(strength=0.7), 1e-4
    points = np.linspace(-5, 5, 20_001)[:, None]
    low, high = penalty.curvatures
    bend = (penalty.gradients(points + step) - penalty.gradients(points - step)) / (2 * step)
    assert bend.min() == pytest.approx(low, rel=1e-6)
    assert bend.max() == pytest.approx(high, rel=1e-6)
    steepest = np.abs(penalty.gradients(points)).max()
    assert steepest <= penalty.slope
    assert steepest > 0.999 * penalty.slope


def test_smoothness_and_lipschitz_constant_hold():
    problem, random = small(seed=2, strength=0.5), np.random.default_rng(0)
    constants = problem.constants()
    for client, rows in enumerate(rows_of(problem)):
        for scale in (0, 0.2, 1, 5):
            point = scale * random.standard_normal(4)
            chance = expit(rows @ point)
            bend = 0.5 * (2 - 6 * point**2) / (1 + point**2) ** 3
            hessian = (rows.T * (chance * (1 - chance))) @ rows / len(rows) + np.diag(bend)
            largest = np.abs(np.linalg.eigvalsh(hessian)).max()
            assert largest <= constants["client_smoothness"].upper[client] * (1 + 1e-12)
            if scale == 0:
                assert largest == pytest.approx(constants["client_smoothness"].upper[client], rel=1e-12)
    points = 10.0 ** random.uniform(-2, 2, (3000, 1)) * random.standard_normal((3000, 4))
    lengths = np.linalg.norm(problem.client_gradients(points), axis=-1).max(axis=1)
    assert (lengths <= constants["client_lipschitz"].upper).all()
    assert (lengths >= np.multiply(constants["client_lipschitz"].upper, 0.4)).all()
    assert not problem.facts().convex
    assert problem.facts().strong_convexity == 0


def test_a_penalty_of_strength_zero_is_refused():
    with pytest.raises(BadValue, match="strength"):
        nonconvex_logistic([[[1.0]]], [[1.0]], strength=0.0)
