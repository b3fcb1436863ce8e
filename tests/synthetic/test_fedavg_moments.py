"""Exact moments of federated averaging: closed forms, enumeration in fractions, Monte Carlo."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from synthetic import run
from synthetic.algorithms import fedavg
from synthetic.errors import BadShape, BadValue
from synthetic.moments.fedavg import fedavg_moments
from synthetic.moments.gradient_descent import exact_moments
from synthetic.oracles import Gaussian, TwoPoint
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problems.quadratic import diagonal, small

SIZE = 20_000
RULES = [Full(), Independent(probability=0.6), FixedSize(count=2)]


@pytest.mark.thinned(4)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
@pytest.mark.parametrize("local_steps", [1, 4])
@pytest.mark.parametrize("oracle", [Gaussian(scale=0.8), TwoPoint(scale=0.8), None])
def test_monte_carlo_agrees_at_five_standard_errors(rule, local_steps, oracle):
    problem, d = small(clients=3, dimension=3, heterogeneity=1.0, seed=7), 3
    steps, server = (0.5, 0.3, 0.9), (1.0, 0.5, 1.2)
    settings = fedavg.Settings(
        start=np.ones(d),
        rounds=3,
        local_steps=local_steps,
        local_step=steps,
        participation=rule,
        oracle=oracle,
        server_step=server,
    )
    names = ("squared_distance", "gap", "squared_gradient_norm", "gradient_norm", "state")
    m = run(
        "fedavg", problem, settings, replicates=SIZE, seed=3, stream="moments", observe=names
    ).measurements
    covariance = {"TwoPoint": np.full((d, d), 0.64 / d), "NoneType": np.zeros((d, d))}
    moments = fedavg_moments(
        problem,
        start=np.ones(d),
        rounds=3,
        local_steps=local_steps,
        local_step=steps,
        server_step=server,
        participation=rule,
        gradient_noise=covariance.get(type(oracle).__name__, 0.64 / d),
    )
    expected = {name: getattr(moments, name) for name in names[:3]}
    for name, value in expected.items():
        error = 5 * m[name].std(axis=0) / math.sqrt(SIZE) + 1e-10
        assert (np.abs(m[name].mean(axis=0) - value) < error).all(), name
    away = m["state"] - moments.mean
    products = away[..., :, None] * away[..., None, :]
    error = 5 * products.std(axis=0) / math.sqrt(SIZE) + 1e-10
    assert (np.abs(products.mean(axis=0) - moments.covariance) < error).all()


def test_the_two_ways_of_sampling_differ_by_more_than_the_errors_above():
    problem = small(clients=3, dimension=3, heterogeneity=1.0, seed=7)
    # far from all the minimisers the clients pull alike: who comes matters less than how many come
    common = {"start": np.full(3, 10.0), "rounds": 1, "local_steps": 4, "local_step": 0.5}
    fixed, coins, everyone = (
        np.trace(fedavg_moments(problem, **common, participation=rule).covariance[-1])
        for rule in (FixedSize(count=2), Independent(probability=2 / 3), Full())
    )
    assert everyone == 0 < 2 * fixed < coins


def one_round_of_every_outcome(problem, start, step, local_steps, outcomes, divisor):
    """Mean and mean square of the state after one round, over (probability, who takes part), in fractions."""
    first, second = Fraction(0), Fraction(0)
    for chance, taking in outcomes:
        total = Fraction(0)
        for client in taking:
            point = start
            for _ in range(local_steps):
                point -= step * problem.hessians[client, 0, 0] * (point - problem.centers[client, 0])
            total += start - point
        after = start - total / divisor
        first, second = first + chance * after, second + chance * after * after
    return first, second - first * first


@pytest.mark.parametrize("kind", ["coins", "fixed"])
def test_sampling_is_exact_in_fractions_against_every_possible_round(kind):
    curvatures, centers = (
        [[Fraction(1, 2)], [Fraction(2, 3)], [Fraction(1)]],
        [[Fraction(c)] for c in (0, 3, -1)],
    )
    problem, start = diagonal(curvatures, centers), Fraction(5, 2)
    sets = [set(s) for size in range(4) for s in itertools.combinations(range(3), size)]
    if kind == "coins":
        p = Fraction(1, 4)
        rule, divisor = Independent(probability=p), 3 * p
        outcomes = [(p ** len(s) * (1 - p) ** (3 - len(s)), s) for s in sets]
    else:
        rule, divisor = FixedSize(count=2), 2
        outcomes = [(Fraction(1, 3), s) for s in sets if len(s) == 2]
    moments = fedavg_moments(
        problem, start=(start,), rounds=1, local_steps=3, local_step=Fraction(1, 2), participation=rule
    )
    mean, variance = one_round_of_every_outcome(problem, start, Fraction(1, 2), 3, outcomes, divisor)
    assert moments.mean[1, 0] == mean
    assert moments.covariance[1, 0, 0] == variance
    minimiser = problem.minimiser()[0]
    assert moments.squared_distance[1] == (mean - minimiser) ** 2 + variance
    assert isinstance(moments.gap[1], Fraction)


def test_one_local_step_of_everyone_is_noisy_descent_on_the_mean():
    problem = small(clients=4, dimension=3, seed=2)
    noise = np.diag([0.1, 0.2, 0.3])
    federated = fedavg_moments(
        problem,
        start=np.ones(3),
        rounds=5,
        local_steps=1,
        local_step=0.6,
        participation=Full(),
        gradient_noise=noise,
    )
    # the mean of four independent noises has a quarter of the covariance
    central = exact_moments(problem, start=np.ones(3), steps=5, step=0.6, noise_covariance=noise / 4)
    for name in ("mean", "covariance", "gap", "squared_gradient_norm"):
        np.testing.assert_allclose(getattr(federated, name), getattr(central, name), rtol=1e-12, atol=1e-14)


def test_one_client_has_the_stationary_variance_of_an_autoregression():
    a, step, variance, local_steps = 0.5, 0.4, 2.0, 6
    moments = fedavg_moments(
        diagonal([[a]], [[0.0]]),
        start=[0.0],
        rounds=200,
        local_steps=local_steps,
        local_step=step,
        participation=Full(),
        gradient_noise=variance,
    )
    q = 1 - step * a
    assert moments.covariance[-1, 0, 0] == pytest.approx(step**2 * variance / (1 - q**2), rel=1e-12)


def test_each_client_may_have_its_own_noise():
    problem = diagonal(np.zeros((2, 2)), np.zeros((2, 2)))
    own = np.array([np.diag([1.0, 0.0]), np.diag([0.0, 4.0])])
    moments = fedavg_moments(
        problem,
        start=[0.0, 0.0],
        rounds=1,
        local_steps=3,
        local_step=0.5,
        participation=Full(),
        gradient_noise=own,
    )
    np.testing.assert_allclose(moments.covariance[1], np.diag([3 * 0.25 / 4, 3 * 0.25 * 4 / 4]))


@pytest.mark.parametrize("wrong", [{"rounds": -1}, {"local_steps": 0}, {"local_step": (0.1, 0.1)}])
def test_bad_arguments_are_refused(wrong):
    common = {"start": np.ones(4), "rounds": 1, "local_steps": 1, "local_step": 0.1, "participation": Full()}
    with pytest.raises(BadValue):
        fedavg_moments(small(), **{**common, **wrong})
    with pytest.raises(BadShape):
        fedavg_moments(small(), **common, gradient_noise=np.eye(3))
    with pytest.raises(BadValue, match="at most 5"):
        fedavg_moments(small(), **{**common, "participation": FixedSize(count=6)})
