"""The noise that every algorithm injects, under every rule of participation, where gradients are zero.

Given how many clients came, the displacement of a round is exactly Gaussian with a known variance. Divided by
its standard deviation it is standard normal, so each check is an exact test at level 1e-6.
"""

import math

import numpy as np
import pytest
from scipy import stats

from synthetic import run
from synthetic.algorithms import (
    alpha_norm_ec,
    als_dpfl,
    dp_fedavg,
    dp_norm_fedavg,
    dpfl,
    fed_alpha_norm_ec,
    fedavg,
    smoothed_dp_fedavg,
    stochastic_gradient_descent,
)
from synthetic.oracles import Gaussian
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problems.quadratic import diagonal
from synthetic.run import algorithm_names

SIZE, CLIENTS, DIMENSION, LEVEL = 6_000, 4, 3, 1e-6
FLAT = diagonal(np.zeros((CLIENTS, DIMENSION)), np.zeros((CLIENTS, DIMENSION)))
ORIGIN = [0.0] * DIMENSION
RULES = [Full(), Independent(probability=0.4), FixedSize(count=3)]
PLACEMENTS = ["clients", "server"]


def averaging(rule, placement, **bound):
    """sigma 0.7, r 1.6, step 0.3: a client adds step/r times noise of variance r sigma^2 per coordinate."""
    common = {"start": ORIGIN, "rounds": 1, "local_steps": 2, "local_step": 0.1, "server_step": 0.3}
    common |= {"clients_per_round": 1.6, "noise_scale": 0.7, "participation": rule}
    own, of_server = 0.3 / 1.6 * math.sqrt(1.6) * 0.7, 0.3 * 0.7
    return common | {"noise_placement": placement} | bound, own, of_server


def clipped(rule, placement):
    made, own, of_server = averaging(rule, placement, clip_threshold=1.0)
    return dp_fedavg.Settings(**made), own, of_server


def scaled(rule, placement):
    made, own, of_server = averaging(rule, placement, update_length=1.0)
    return dp_norm_fedavg.Settings(**made), own, of_server


def feedback(rule, placement):
    """Total variance 0.49, memory step 0.5, server step 0.3; weights 1/p."""
    made = fed_alpha_norm_ec.Settings(
        start=ORIGIN,
        last_round=0,
        local_steps=2,
        local_step=0.1,
        memory_step=0.5,
        server_step=0.3,
        smoothing=1.0,
        participation=rule,
        private=True,
        noise_scale=0.7,
        noise_placement=placement,
        normalise_server=False,
    )
    unit = 0.3 * 0.5 / CLIENTS * 0.7 / math.sqrt(DIMENSION)
    p = {"Full": 1.0, "Independent": 0.4, "FixedSize": 0.75}[type(rule).__name__]
    return made, unit / p, unit * math.sqrt(CLIENTS / p)


def smoothed(rule, placement):
    made = smoothed_dp_fedavg.Settings(
        start=ORIGIN,
        rounds=1,
        local_steps=2,
        local_step=0.1,
        server_step=0.3,
        smoothing=1.0,
        participation=rule,
        noise_scale=0.7,
        noise_variance="per_coordinate",
        noise_placement=placement,
    )
    expected = {"Full": 4.0, "Independent": 1.6, "FixedSize": 3.0}[type(rule).__name__]
    return made, 0.3 / expected * 0.7, 0.3 / math.sqrt(expected) * 0.7


def stochastic(rule, placement):
    made = fedavg.Settings(
        start=ORIGIN,
        rounds=1,
        local_steps=3,
        local_step=0.1,
        participation=rule,
        oracle=Gaussian(scale=0.7),
    )
    expected = {"Full": 4.0, "Independent": 1.6, "FixedSize": 3.0}[type(rule).__name__]
    return made, math.sqrt(3) * 0.1 * 0.7 / math.sqrt(DIMENSION) / expected, None


SAMPLED = {
    "dp_fedavg": clipped,
    "dp_norm_fedavg": scaled,
    "fed_alpha_norm_ec": feedback,
    "smoothed_dp_fedavg": smoothed,
    "fedavg": stochastic,
}


def assert_standard_normal(values):
    """Mean, variance and shape, each at a third of the level."""
    size = values.size
    assert 2 * stats.norm.sf(abs(values.sum()) / math.sqrt(size)) > LEVEL / 3
    tail = stats.chi2(size).cdf((values**2).sum())
    assert 2 * min(tail, 1 - tail) > LEVEL / 3
    assert stats.kstest(values.ravel(), "norm").pvalue > LEVEL / 3


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("name", SAMPLED)
def test_the_displacement_of_a_round_has_the_variance_of_who_came(name, placement, rule):
    made, own, of_server = SAMPLED[name](rule, placement)
    trace = run(name, FLAT, made, replicates=SIZE, seed=11, stream=f"law of {name}", observe=["taking_part"])
    if placement == "server" and of_server is not None:
        assert_standard_normal(trace.final_state / of_server)
        return
    came = trace.measurements["taking_part"][:, 0].sum(axis=1)
    some = came > 0
    assert (trace.final_state[~some] == 0).all()
    assert_standard_normal(trace.final_state[some] / (own * np.sqrt(came[some]))[:, None])


@pytest.mark.parametrize("changed", [1.05, 1 / 1.05])
def test_a_variance_that_is_off_by_a_tenth_is_noticed(changed):
    made, own, _ = clipped(Full(), "clients")
    state = run("dp_fedavg", FLAT, made, replicates=SIZE, seed=11, stream="law of dp_fedavg").final_state
    assert_standard_normal(state / (own * math.sqrt(CLIENTS)))
    with pytest.raises(AssertionError):
        assert_standard_normal(state / (own * math.sqrt(CLIENTS)) * changed)


# Algorithms in which every client takes part, with the standard deviation of their displacement.
NOISY = {"start": ORIGIN, "step": 0.3, "clip_threshold": 2.0, "noise_multiplier": 0.35, "batch_size": 2}
EVERYONE = {
    "alpha_norm_ec": (
        alpha_norm_ec.Settings(
            start=ORIGIN,
            last_round=0,
            memory_step=0.5,
            server_step=0.3,
            smoothing=1.0,
            noise_scale=0.7,
            normalise_server=False,
        ),
        0.3 * 0.5 * 0.7 / math.sqrt(DIMENSION * CLIENTS),
    ),
    "dpfl": (
        dpfl.Settings(**NOISY, rounds=2, local_steps=2, auxiliary_noise="independent"),
        0.3 * 0.35 * math.sqrt(4 / CLIENTS),
    ),
    "als_dpfl": (
        als_dpfl.Settings(
            **NOISY,
            auxiliary_noise="independent",
            communication_budget=1,
            privacy_budget=1,
            control=1.0,
            smallest_gap=1.0,
        ),
        0.3 * 0.35 / math.sqrt(CLIENTS),
    ),
    "stochastic_gradient_descent": (
        stochastic_gradient_descent.Settings(start=ORIGIN, steps=3, step=0.3, oracle=Gaussian(scale=0.7)),
        0.3 * 0.7 * math.sqrt(3 / DIMENSION),
    ),
}


@pytest.mark.parametrize("name", EVERYONE)
def test_the_displacement_has_its_variance_where_everyone_takes_part(name):
    made, deviation = EVERYONE[name]
    trace = run(name, FLAT, made, replicates=SIZE, seed=12, stream=f"law of {name}", observe=[])
    assert_standard_normal(trace.final_state / deviation)


@pytest.mark.parametrize(
    ("noise", "deviation"),
    [("independent", 0.7), ("independent_divided", 0.35), ("average_of_clients", 0.175)],
)
def test_the_companion_has_the_noise_of_its_reading(noise, deviation):
    made = dpfl.Settings(**NOISY, rounds=1, local_steps=1, auxiliary_noise=noise)
    trace = run("dpfl", FLAT, made, replicates=SIZE, seed=13, stream="companion")
    squares = trace.measurements["auxiliary_squared_distance"][:, 0, 1] / (0.3 * deviation) ** 2
    assert stats.kstest(squares, stats.chi2(DIMENSION).cdf).pvalue > LEVEL


def test_no_algorithm_that_draws_noise_is_left_out():
    assert {*SAMPLED, *EVERYONE} == {*algorithm_names()} - {"gradient_descent", "memory_update"}
