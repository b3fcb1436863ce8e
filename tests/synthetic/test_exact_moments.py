"""Exact moments: closed forms in fractions, and Monte Carlo at five standard errors."""

import math
from fractions import Fraction

import numpy as np
import pytest

from synthetic import run
from synthetic.algorithms import gradient_descent, stochastic_gradient_descent
from synthetic.errors import BadShape, BadValue
from synthetic.moments.gradient_descent import exact_moments
from synthetic.oracles import Gaussian, Sphere, TwoPoint
from synthetic.problems.quadratic import diagonal, small

SIZE = 20_000


@pytest.mark.parametrize("noise", [Gaussian, Sphere])
@pytest.mark.parametrize(("clients", "dimension"), [(3, 4), (1, 1)])
def test_monte_carlo_agrees_at_five_standard_errors(noise, clients, dimension):
    problem = small(clients=clients, dimension=dimension, seed=7)
    steps, scale = (0.5, 0.3, 1.0, 0.5, 0.5, 0.8), 0.9
    settings = stochastic_gradient_descent.Settings(
        start=np.ones(dimension), steps=6, step=steps, oracle=noise(scale=scale)
    )
    trace = run("stochastic_gradient_descent", problem, settings, replicates=SIZE, seed=3, stream="moments")
    moments = exact_moments(
        problem, start=np.ones(dimension), steps=6, step=steps, noise_covariance=scale**2 / dimension
    )
    for name, expected in (("squared_distance", moments.squared_distance), ("gap", moments.gap)):
        observed = trace.measurements[name]
        error = 5 * observed.std(axis=0) / math.sqrt(SIZE) + 1e-10
        assert (np.abs(observed.mean(axis=0) - expected) < error).all()
    assert np.abs(trace.final_state.mean(axis=0) - moments.mean[-1]).max() < 5 * math.sqrt(
        moments.covariance[-1].diagonal().max() / SIZE
    )


def test_a_covariance_of_rank_one_serves_the_two_point_noise():
    problem, scale = small(clients=2, dimension=3, seed=1), 0.9
    settings = stochastic_gradient_descent.Settings(
        start=np.ones(3), steps=4, step=0.7, oracle=TwoPoint(scale=scale)
    )
    observed = run(
        "stochastic_gradient_descent", problem, settings, replicates=SIZE, seed=3, stream="rank"
    ).measurements["gap"]
    moments = exact_moments(
        problem, start=np.ones(3), steps=4, step=0.7, noise_covariance=np.full((3, 3), scale**2 / 3)
    )
    assert (
        np.abs(observed.mean(axis=0) - moments.gap) < 5 * observed.std(axis=0) / math.sqrt(SIZE) + 1e-10
    ).all()
    isotropic = exact_moments(problem, start=np.ones(3), steps=4, step=0.7, noise_covariance=scale**2 / 3)
    assert abs(moments.gap[-1] - isotropic.gap[-1]) > 5 * observed[:, -1].std() / math.sqrt(SIZE)


def test_the_closed_form_on_an_isotropic_bowl_is_met_exactly_in_fractions():
    curvature, step, variance, steps, d = Fraction(2, 3), Fraction(3, 4), Fraction(1, 5), 9, 2
    problem = diagonal([[curvature] * d], [[0] * d])
    moments = exact_moments(
        problem, start=(Fraction(1), Fraction(-2)), steps=steps, step=step, noise_covariance=variance
    )
    q = 1 - step * curvature
    for k in range(steps + 1):
        expected = q ** (2 * k) * 5 + step**2 * d * variance * (1 - q ** (2 * k)) / (1 - q**2)
        assert moments.squared_distance[k] == expected
        assert moments.gap[k] == curvature * expected / 2
        assert isinstance(moments.gap[k], Fraction)


def test_two_exact_clients_with_an_off_centre_minimum():
    problem = diagonal([[Fraction(1)], [Fraction(3)]], [[Fraction(0)], [Fraction(4)]])
    moments = exact_moments(
        problem, start=(Fraction(0),), steps=1, step=Fraction(1, 4), noise_covariance=Fraction(1)
    )
    # minimiser 3, mean curvature 2: the mean moves from 0 to 3/2, the variance from 0 to 1/16
    assert list(moments.squared_distance) == [9, Fraction(9, 4) + Fraction(1, 16)]
    assert list(moments.gap) == [9, Fraction(9, 4) + Fraction(1, 16)]


def test_without_noise_the_moments_are_the_run():
    problem = small(seed=9)
    moments = exact_moments(problem, start=np.ones(4), steps=5, step=0.6, noise_covariance=0)
    trace = run(
        "gradient_descent",
        problem,
        gradient_descent.Settings(start=np.ones(4), steps=5, step=0.6),
        replicates=1,
        seed=0,
        stream="x",
    )
    np.testing.assert_allclose(moments.gap, trace.measurements["gap"][0], rtol=1e-12)
    assert (moments.covariance == 0).all()


def test_bad_arguments_are_refused():
    arguments = {"start": np.ones(4), "steps": 2, "step": 0.5, "noise_covariance": 0.1}
    with pytest.raises(BadValue):
        exact_moments(small(), **{**arguments, "noise_covariance": -0.1})
    with pytest.raises(BadShape):
        exact_moments(small(), **{**arguments, "noise_covariance": np.eye(3)})
    with pytest.raises(BadValue):
        exact_moments(small(), **{**arguments, "steps": -1})
