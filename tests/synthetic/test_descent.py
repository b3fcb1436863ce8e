"""Gradient descent and its noisy form: exactness, the law of the noise, divergence."""

import math
from fractions import Fraction

import numpy as np
import pytest

from synthetic import run
from synthetic.algorithms import gradient_descent, stochastic_gradient_descent
from synthetic.errors import BadShape, BadValue, NotDeterministic
from synthetic.oracles import Gaussian, Sphere, TwoPoint
from synthetic.problems.quadratic import diagonal, small

ORACLES = {"gaussian": Gaussian, "sphere": Sphere, "two_point": TwoPoint}
NOISES = list(ORACLES)


@pytest.mark.parametrize("kind", NOISES)
def test_the_injected_noise_has_the_total_variance_asked_for(kind):
    size, dimension, scale = 40_000, 3, 0.7
    flat = diagonal(np.zeros((1, dimension)), np.zeros((1, dimension)))
    settings = stochastic_gradient_descent.Settings(
        start=np.zeros(dimension), steps=1, step=1.0, oracle=ORACLES[kind](scale=scale)
    )
    noise = -run(
        "stochastic_gradient_descent", flat, settings, replicates=size, seed=2, stream="law"
    ).final_state
    squares = (noise**2).sum(axis=1)
    assert squares.mean() == pytest.approx(scale**2, abs=5 * scale**2 * math.sqrt(2 / (dimension * size)))
    assert np.abs(noise.mean(axis=0)).max() < 5 * scale / math.sqrt(dimension * size)
    bounded = np.ptp(np.sqrt(squares)) < 1e-12
    assert bounded == (kind != "gaussian")
    expected = np.full((dimension, dimension), 1 / 3) if kind == "two_point" else np.eye(dimension) / 3
    assert np.abs(noise.T @ noise / size / scale**2 - expected).max() < 5 / math.sqrt(size)


def test_without_noise_the_two_algorithms_agree_bit_by_bit():
    problem = small(seed=2)
    plain = run(
        "gradient_descent",
        problem,
        gradient_descent.Settings(start=np.ones(4), steps=7, step=0.9),
        replicates=3,
        seed=0,
        stream="a",
    )
    noisy = run(
        "stochastic_gradient_descent",
        problem,
        stochastic_gradient_descent.Settings(start=np.ones(4), steps=7, step=0.9, oracle=Gaussian(scale=0.0)),
        replicates=3,
        seed=9,
        stream="b",
    )
    np.testing.assert_array_equal(plain.final_state, noisy.final_state)
    assert plain.measurements["gap"].shape == (3, 8)


def test_a_run_in_fractions_is_exact():
    problem = diagonal([[Fraction(1, 2), Fraction(1, 3)]], [[Fraction(1), Fraction(-2)]])
    settings = gradient_descent.Settings(start=(Fraction(3), Fraction(5, 7)), steps=6, step=Fraction(2, 5))
    trace = run("gradient_descent", problem, settings, replicates=1, seed=0, stream="x")
    expected = [1 + Fraction(4, 5) ** 6 * 2, -2 + Fraction(13, 15) ** 6 * Fraction(19, 7)]
    assert list(trace.final_state[0]) == expected
    a, b = expected[0] - 1, expected[1] + 2
    assert trace.measurements["gap"][0, -1] == a * a / 4 + b * b / 6
    assert trace.measurements["squared_gradient_norm"][0, -1] == a * a / 4 + b * b / 9
    assert trace.measurements["gradient_norm"].dtype == np.float64


def test_a_fraction_step_on_float_data_stays_in_floats():
    settings = gradient_descent.Settings(start=np.ones(4), steps=2, step=Fraction(1, 2))
    assert (
        run("gradient_descent", small(), settings, replicates=2, seed=0, stream="x").final_state.dtype
        == np.float64
    )


def test_a_random_run_refuses_an_exact_problem():
    settings = stochastic_gradient_descent.Settings(start=(1,), steps=1, step=1, oracle=Gaussian(scale=1))
    with pytest.raises(NotDeterministic):
        run(
            "stochastic_gradient_descent",
            diagonal([[Fraction(1)]], [[0]]),
            settings,
            replicates=1,
            seed=0,
            stream="x",
        )


def test_a_diverged_replicate_is_marked_and_infinite_and_the_others_are_untouched():
    problem = diagonal([[1.0]], [[0.0]])
    start = np.array([[0.0], [1.0], [1e-30]])
    settings = gradient_descent.Settings(start=start, steps=60, step=1e10)
    trace = run("gradient_descent", problem, settings, replicates=3, seed=0, stream="x")
    assert trace.diverged_round[0] == -1
    assert (trace.measurements["gap"][0] == 0).all()
    # |x_k| = (1e10 - 1)^k overflows when squared: between k = 15 and k = 16, and 3 steps later from 1e-30
    assert trace.diverged_round.tolist() == [-1, 16, 19]
    for name in ("gap", "squared_distance", "gradient_norm"):
        column = trace.measurements[name]
        assert np.isfinite(column[1, :15]).all()
        assert np.isposinf(column[1, 16:]).all()
        assert np.isposinf(column[2, 19:]).all()
        assert not np.isnan(column).any()


def test_no_steps_leave_the_start():
    settings = gradient_descent.Settings(start=np.ones(4), steps=0, step=1.0)
    trace = run("gradient_descent", small(), settings, replicates=2, seed=0, stream="x")
    assert trace.measurements["gap"].shape == (2, 1)
    assert (trace.final_state == 1).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"steps": -1},
        {"steps": 1.0},
        {"step": 0},
        {"step": float("nan")},
        {"step": (0.1, 0.1)},
    ],
)
def test_settings_outside_their_domain_are_refused(wrong):
    with pytest.raises(BadValue):
        stochastic_gradient_descent.Settings(
            **{"start": (0,), "steps": 3, "step": 0.1, "oracle": Gaussian(scale=0.1), **wrong}
        )


@pytest.mark.parametrize(
    "start", ["one", ["1", "2", "3", "4"], [1, 2, 3, 4j], [[1, 2], [3]], [None] * 4, [1, 2, 3, np.nan]]
)
def test_a_start_that_is_not_made_of_numbers_is_refused(start):
    settings = gradient_descent.Settings(start=start, steps=1, step=1.0)
    with pytest.raises(BadValue, match="array"):
        run("gradient_descent", small(), settings, replicates=1, seed=0, stream="x")


def test_a_start_of_the_wrong_shape_is_refused():
    with pytest.raises(BadShape, match="start"):
        run(
            "gradient_descent",
            small(),
            gradient_descent.Settings(start=np.ones(3), steps=1, step=1.0),
            replicates=2,
            seed=0,
            stream="x",
        )
