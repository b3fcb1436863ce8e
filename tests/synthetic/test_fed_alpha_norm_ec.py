"""Smoothed normalisation with error feedback: its noise, its edge cases. test_listings.py has its rounds."""

import math

import numpy as np
import pytest

from synthetic import run
from synthetic.algorithms import fed_alpha_norm_ec
from synthetic.errors import BadShape, BadValue, UndefinedDirection, WrongProblem
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problems import component_sums
from synthetic.problems.quadratic import diagonal, small

COMMON = {
    "last_round": 5,
    "local_steps": 3,
    "local_step": 0.5,
    "memory_step": 0.4,
    "server_step": 0.2,
    "smoothing": 0.1,
    "participation": Independent(probability=0.6),
    "private": True,
    "noise_scale": 0.2,
}


def settings_with(**changes):
    return fed_alpha_norm_ec.Settings(**{"start": [1.0, -1.0], **COMMON, **changes})


def test_there_are_last_round_plus_one_rounds():
    trace = run(
        "fed_alpha_norm_ec", small(dimension=2), settings_with(last_round=5), replicates=2, seed=0, stream="x"
    )
    assert trace.measurements["gradient_norm"].shape == (2, 6)
    assert trace.measurements["client_memory_error"].shape == (2, 6, 5)


def test_the_server_step_has_its_length_wherever_its_memory_is_not_zero():
    trace = run("fed_alpha_norm_ec", small(dimension=2), settings_with(), replicates=200, seed=0, stream="x")
    steps, memory = trace.measurements["step_norm"], trace.measurements["server_memory_norm"]
    np.testing.assert_allclose(steps[memory > 0], 0.2, rtol=1e-12)
    assert (steps[memory == 0] == 0).all()


def flat(clients, dimension):
    return diagonal(np.zeros((clients, dimension)), np.zeros((clients, dimension)))


@pytest.mark.parametrize("participation", [Independent(probability=0.4), Full(), FixedSize(count=1)])
@pytest.mark.parametrize("variance", ["total", "per_coordinate"])
def test_the_server_receives_noise_of_the_variance_asked_for(participation, variance):
    size, n, d, sigma = 40_000, 2, 3, 0.5
    s = settings_with(
        start=[0.0] * d,
        last_round=0,
        memory_step=1.0,
        noise_scale=sigma,
        noise_variance=variance,
        participation=participation,
    )
    trace = run("fed_alpha_norm_ec", flat(n, d), s, replicates=size, seed=3, stream="law")
    squares = trace.measurements["server_memory_norm"][:, 0] ** 2
    # (1/n) sum over clients of q z with E q^2 = 1/p: E of the square is E||z||^2 / (n p)
    expected = sigma**2 * (d if variance == "per_coordinate" else 1) / (n * participation.inclusion(n))
    assert squares.mean() == pytest.approx(expected, abs=5 * squares.std() / math.sqrt(size))


def test_messages_are_unbiased_under_partial_participation():
    size, problem = 20_000, small(clients=3, dimension=2, seed=4)
    s = settings_with(last_round=0, private=False)
    trace = run("fed_alpha_norm_ec", problem, s, replicates=size, seed=3, stream="law")
    lengths = trace.measurements["client_memory_error"][0, 0]
    # the variance of (1/M) sum (q_i - 1) Delta_i, with E (q - 1)^2 = 1/p - 1
    norms = lengths / (s.smoothing + lengths)
    expected = (s.memory_step / 3) ** 2 * (1 / 0.6 - 1) * (norms**2).sum()
    squares = trace.measurements["server_memory_error"][:, 0] ** 2
    assert squares.mean() == pytest.approx(expected, abs=5 * squares.std() / math.sqrt(size))


def test_zero_over_zero_at_the_server_stays_or_is_refused_as_named():
    problem = small(heterogeneity=0.0, dimension=2)
    at_rest = {"start": problem.centers[0], "private": False, "participation": Full()}
    trace = run("fed_alpha_norm_ec", problem, settings_with(**at_rest), replicates=2, seed=0, stream="x")
    assert (trace.measurements["step_norm"] == 0).all()
    np.testing.assert_array_equal(trace.final_state[1], problem.centers[0])
    assert (trace.diverged_round == -1).all()
    with pytest.raises(UndefinedDirection):
        run(
            "fed_alpha_norm_ec",
            problem,
            settings_with(zero_direction="refuse", **at_rest),
            replicates=2,
            seed=0,
            stream="x",
        )


def test_zero_over_zero_at_a_client_without_smoothing_is_zero():
    problem = small(heterogeneity=0.0, dimension=2)
    s = settings_with(start=problem.centers[0], private=False, smoothing=0)
    trace = run("fed_alpha_norm_ec", problem, s, replicates=1, seed=0, stream="x")
    assert (trace.measurements["client_memory_error"] == 0).all()
    assert (trace.diverged_round == -1).all()


def test_without_server_normalisation_the_step_is_proportional_to_the_memory():
    trace = run(
        "fed_alpha_norm_ec",
        small(dimension=2),
        settings_with(normalise_server=False),
        replicates=5,
        seed=0,
        stream="x",
    )
    np.testing.assert_allclose(
        trace.measurements["step_norm"], 0.2 * trace.measurements["server_memory_norm"]
    )


def test_a_step_that_overflows_marks_its_replicate():
    s = settings_with(last_round=0, normalise_server=False, server_step=1e308, memory_step=1e3, private=False)
    trace = run("fed_alpha_norm_ec", small(dimension=2), s, replicates=50, seed=0, stream="x")
    gone = ~np.isfinite(trace.final_state).all(axis=1)
    assert gone.any()
    assert (trace.diverged_round[gone] == 0).all()
    assert np.isposinf(trace.measurements["gap"][gone]).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"local_step": 0},
        {"memory_step": 0},
        {"server_step": -1},
        {"smoothing": -0.1},
        {"last_round": -1},
        {"local_steps": 0},
        {"noise_variance": "sum"},
        {"zero_direction": "jump"},
        {"noise_scale": math.inf},
    ],
)
def test_settings_outside_their_domain_are_refused(wrong):
    with pytest.raises(BadValue):
        settings_with(**wrong)


def test_a_memory_of_the_wrong_shape_is_refused():
    with pytest.raises(BadShape, match="initial_memory"):
        run(
            "fed_alpha_norm_ec",
            small(dimension=2),
            settings_with(initial_memory=[[0.0, 0.0]]),
            replicates=1,
            seed=0,
            stream="x",
        )


def test_an_incremental_pass_of_one_component_is_a_gradient_step():
    problem = component_sums.small(components=1, dimension=2)
    ends = [
        run("fed_alpha_norm_ec", problem, made, replicates=1, seed=0, stream="x").final_state
        for made in (
            settings_with(local_steps=1, local_operator=operator)
            for operator in ("incremental", "gradient_descent")
        )
    ]
    np.testing.assert_allclose(*ends, rtol=1e-12)


@pytest.mark.parametrize(
    ("problem", "error", "message"),
    [
        (small(dimension=2), WrongProblem, "component_gradients"),
        (component_sums.small(components=2, dimension=2), BadValue, "needed 2"),
    ],
)
def test_an_incremental_pass_needs_components_and_visits_each_once(problem, error, message):
    wrong = settings_with(local_operator="incremental")
    with pytest.raises(error, match=message):
        run("fed_alpha_norm_ec", problem, wrong, replicates=1, seed=0, stream="x")
