"""What a run is said to release, against what its states show: noise and reach measured, not computed."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from scipy.stats import chi2

from synthetic.algorithms import (
    alpha_norm_ec,
    dp_fedavg,
    dp_norm_fedavg,
    dpfl,
    fed_alpha_norm_ec,
    gradient_descent,
    smoothed_dp_fedavg,
)
from synthetic.errors import BadValue
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problems import build
from synthetic.releases import NoisySum, noisy_sum
from synthetic.run import run

LEVEL = 1e-6
CLIENTS, DIMENSION = 4, 3
PROBLEM = build("quadratic.small", clients=CLIENTS, dimension=DIMENSION, heterogeneity=0.0, seed=1)
STILL = PROBLEM.minimiser()  # identical clients: every update is zero, and what moves is noise
AVERAGING = {"start": STILL, "rounds": 1, "local_steps": 2, "local_step": 0.1, "server_step": 1.0}
AVERAGING |= {"clients_per_round": 2.0, "noise_scale": 0.3}
PASS = {"start": STILL, "local_steps": 2, "local_step": 0.1, "server_step": 1.0, "smoothing": 0.5}
MEMORY = {"start": STILL, "last_round": 0, "memory_step": 1.0, "server_step": 1.0, "smoothing": 0.5}
NOISY = {"noise_scale": 0.3, "normalise_server": False}
FEEDBACK = MEMORY | NOISY | {"local_steps": 2, "local_step": 0.1, "private": True}

# algorithm, settings, and what the server multiplies the sum of the messages by
CASES = {
    "clipping": (
        "dp_fedavg",
        dp_fedavg.Settings(**AVERAGING, clip_threshold=1.5, participation=FixedSize(count=2)),
        1 / 2,
    ),
    "clipping, noise of the server": (
        "dp_fedavg",
        dp_fedavg.Settings(**AVERAGING, clip_threshold=1.5, noise_placement="server"),
        1 / 2,
    ),
    "length one, everybody": (
        "dp_norm_fedavg",
        dp_norm_fedavg.Settings(**AVERAGING, update_length=1.5, participation=Full()),
        1 / 2,
    ),
    "smoothed, total": (
        "smoothed_dp_fedavg",
        smoothed_dp_fedavg.Settings(**PASS, rounds=1, noise_scale=0.3, participation=FixedSize(count=2)),
        1 / 2,
    ),
    "smoothed, per coordinate, noise of the server": (
        "smoothed_dp_fedavg",
        smoothed_dp_fedavg.Settings(
            **PASS,
            rounds=1,
            noise_scale=0.3,
            participation=Independent(probability=0.5),
            noise_variance="per_coordinate",
            noise_placement="server",
        ),
        1 / 2,
    ),
    "memories, two of four": (
        "fed_alpha_norm_ec",
        fed_alpha_norm_ec.Settings(**FEEDBACK, participation=FixedSize(count=2)),
        2 / 4,
    ),
    "memories, noise of the server": (
        "fed_alpha_norm_ec",
        fed_alpha_norm_ec.Settings(
            **FEEDBACK, participation=Independent(probability=0.5), noise_placement="server"
        ),
        2 / 4,
    ),
    "memories of gradients": ("alpha_norm_ec", alpha_norm_ec.Settings(**MEMORY, **NOISY), 1 / 4),
}


def movements(algorithm: str, settings: object, problem: object = PROBLEM, replicates: int = 4096):
    trace = run(algorithm, problem, settings, replicates=replicates, seed=7, stream="noise")
    return np.asarray(trace.final_state) - np.asarray(settings.start)


def noises(told: NoisySum) -> int:
    if told.placement == "server":
        return 1
    return CLIENTS if isinstance(told.participation, Full) else told.participation.count


@pytest.mark.parametrize("name", CASES)
def test_the_noise_of_the_sum_is_as_told(name: str) -> None:
    algorithm, settings, weight = CASES[name]
    told = noisy_sum(settings, PROBLEM)
    moved = movements(algorithm, settings) / weight
    expected = told.deviation**2 * noises(told)
    ratio = float((moved**2).sum()) / expected
    low, high = chi2.ppf([LEVEL / 2, 1 - LEVEL / 2], moved.size)
    assert low < ratio < high
    assert not low < ratio / 1.1**2 < high, "a deviation that is 10% off would not be seen"


@pytest.mark.parametrize("name", CASES)
def test_a_client_moves_the_sum_by_no_more_than_its_contribution(name: str) -> None:
    """One client alone, far away: without noise the sum is its message."""
    algorithm, settings, _ = CASES[name]
    problem = build("quadratic.small", clients=1, dimension=DIMENSION, heterogeneity=0.0, seed=1)
    alone = {"start": problem.minimiser() + 1e4, "noise_scale": 0.0}
    if hasattr(settings, "participation"):
        alone |= {"participation": Full()}
    if hasattr(settings, "clients_per_round"):
        alone |= {"clients_per_round": 1.0}
    moved = float(np.linalg.norm(movements(algorithm, replace(settings, **alone), problem, 1)))
    contribution = noisy_sum(replace(settings, **alone), problem).contribution
    assert contribution is not None
    assert 0.99 * contribution < moved <= contribution * (1 + 1e-12)


def test_memories_that_are_given_are_shown_without_noise() -> None:
    _, settings, _ = CASES["memories, two of four"]
    given = replace(settings, initial_memory=np.ones((CLIENTS, DIMENSION)))
    assert noisy_sum(settings, PROBLEM).in_the_open == ""
    assert "plain mean" in noisy_sum(given, PROBLEM).in_the_open
    # without noise and without any update, all that moves the model is what was given
    still = replace(given, private=False, noise_scale=0.0, memory_step=1e-9)
    assert np.linalg.norm(movements("fed_alpha_norm_ec", still, replicates=1)) > 0.99 * sqrt(DIMENSION)


def test_no_record_is_bounded_where_the_whole_function_is_clipped_at_once() -> None:
    settings = dpfl.Settings(
        start=STILL,
        rounds=3,
        local_steps=2,
        step=0.1,
        clip_threshold=1.0,
        noise_multiplier=0.5,
        batch_size=8,
        auxiliary_noise="independent",
    )
    told = noisy_sum(settings, PROBLEM)
    assert told.unit is None
    assert told.contribution is None
    assert told.deviation == 0.5 / 8
    assert told.rounds == 6


def test_an_algorithm_without_noise_releases_no_noisy_sum() -> None:
    settings = gradient_descent.Settings(start=STILL, steps=1, step=0.1)
    with pytest.raises(BadValue, match="gradient_descent"):
        noisy_sum(settings, PROBLEM)
