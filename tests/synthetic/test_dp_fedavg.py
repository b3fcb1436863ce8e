"""Private federated averaging: the law of its noise, its edge cases; test_listings.py has its rounds."""

import math

import numpy as np
import pytest
from usual_settings import private

from synthetic import run
from synthetic.algorithms import dp_fedavg, dp_norm_fedavg, gradient_descent
from synthetic.errors import BadValue
from synthetic.participation import FixedSize, Full
from synthetic.problems.quadratic import diagonal, small

COMMON = {
    "rounds": 4,
    "local_steps": 3,
    "local_step": 0.2,
    "server_step": (0.3, 0.1, 0.2, 0.25),
    "clients_per_round": 2,
    "noise_scale": 0.05,
}


def flat(clients, dimension):
    return diagonal(np.zeros((clients, dimension)), np.zeros((clients, dimension)))


def test_with_everyone_the_averaged_noise_has_the_printed_covariance():
    size, n, sigma, step = 20_000, 3, 0.4, 0.5
    settings = private(
        start=[0.0, 0.0],
        local_steps=1,
        local_step=1.0,
        server_step=step,
        clients_per_round=n,
        noise_scale=sigma,
    )
    moved = run("dp_fedavg", flat(n, 2), settings, replicates=size, seed=1, stream="law").final_state / (
        step * sigma
    )
    assert np.abs(moved.mean(axis=0)).max() < 5 / math.sqrt(size)
    assert np.abs(moved.T @ moved / size - np.eye(2)).max() < 5 * math.sqrt(2 / size)


def test_with_random_participation_the_noise_scales_with_the_clients_who_came():
    size, n, r, sigma = 20_000, 4, 2, 0.3
    settings = private(start=[0.0], local_steps=1, local_step=1.0, clients_per_round=r, noise_scale=sigma)
    trace = run("dp_fedavg", flat(n, 1), settings, replicates=size, seed=1, stream="law")
    came = trace.measurements["taking_part"][:, 0].sum(axis=1)
    moved = trace.final_state[:, 0]
    assert (came == 0).any()
    assert (moved[came == 0] == 0).all()
    for count in range(1, n + 1):
        chosen = moved[came == count] / sigma
        # the sum of `count` messages of variance r sigma^2, divided by r
        expected = count / r
        assert np.mean(chosen**2) == pytest.approx(expected, abs=5 * expected * math.sqrt(2 / len(chosen)))


def test_a_round_without_clients_leaves_the_point():
    problem = small(clients=2, seed=1)
    settings = private(clients_per_round=0.02, noise_scale=1.0)
    trace = run("dp_fedavg", problem, settings, replicates=200, seed=0, stream="x")
    nobody = ~trace.measurements["taking_part"][:, 0].any(axis=1)
    assert 150 < nobody.sum() < 200
    assert (trace.final_state[nobody] == 1).all()
    assert (trace.final_state[~nobody] != 1).all()


def test_unclipped_noiseless_full_averaging_of_one_client_is_gradient_descent():
    problem = small(clients=1, seed=5)
    settings = private(
        rounds=3,
        local_steps=4,
        local_step=0.7,
        clip_threshold=math.inf,
        clients_per_round=1,
        participation=FixedSize(count=1),
    )
    averaged = run("dp_fedavg", problem, settings, replicates=2, seed=0, stream="x")
    descended = run(
        "gradient_descent",
        problem,
        gradient_descent.Settings(start=np.ones(4), steps=12, step=0.7),
        replicates=2,
        seed=0,
        stream="x",
    )
    np.testing.assert_allclose(
        averaged.measurements["gap"], descended.measurements["gap"][:, ::4], rtol=1e-10
    )


def test_a_zero_update_stays_zero_under_clipping_and_under_scaling():
    problem = small(heterogeneity=0.0, clients=2)
    start = problem.centers[0]
    for name, module, bound in (
        ("dp_fedavg", dp_fedavg, {"clip_threshold": 1.0}),
        ("dp_norm_fedavg", dp_norm_fedavg, {"update_length": 1.0}),
    ):
        settings = module.Settings(
            start=start,
            rounds=2,
            local_steps=2,
            local_step=0.1,
            clients_per_round=2,
            noise_scale=0.0,
            participation=Full(),
            **bound,
        )
        trace = run(name, problem, settings, replicates=1, seed=0, stream="x")
        assert (trace.measurements["client_update_norm"] == 0).all()
        np.testing.assert_array_equal(trace.final_state[0], start)


def test_no_rounds_measure_the_start_only():
    settings = private(rounds=0, local_steps=1, clients_per_round=1)
    trace = run("dp_fedavg", small(), settings, replicates=2, seed=0, stream="x")
    assert trace.measurements["gap"].shape == (2, 1)
    assert set(trace.measurements) == {"gap", "squared_distance", "gradient_norm"}


def test_divergence_in_a_local_pass_marks_the_replicate_and_keeps_who_took_part():
    settings = private(rounds=3, local_steps=200, local_step=1e3, clients_per_round=5, noise_scale=0.1)
    trace = run("dp_fedavg", small(), settings, replicates=3, seed=0, stream="x")
    assert trace.diverged_round.tolist() == [0, 0, 0]
    assert all(
        np.isposinf(trace.measurements[name]).all() for name in ("gap", "client_update_norm", "client_gap")
    )
    assert trace.measurements["taking_part"].all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"clip_threshold": 0},
        {"local_steps": 0},
        {"rounds": -1},
        {"noise_scale": -1},
        {"local_step": -0.1},
        {"server_step": (0.1,)},
        {"clients_per_round": 0},
    ],
)
def test_settings_outside_their_domain_are_refused(wrong):
    with pytest.raises(BadValue):
        dp_fedavg.Settings(**{"start": (0,), "clip_threshold": 1.0, **COMMON, **wrong})


def test_more_clients_per_round_than_clients_is_refused():
    settings = dp_fedavg.Settings(start=np.ones(4), clip_threshold=1.0, **{**COMMON, "clients_per_round": 6})
    with pytest.raises(BadValue, match="clients_per_round: more clients than there are"):
        run("dp_fedavg", small(), settings, replicates=1, seed=0, stream="x")
