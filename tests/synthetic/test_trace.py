"""What is observed, how it is reduced while it streams, and how much memory that takes."""

import tracemalloc
from functools import partial

import numpy as np
import pytest
from usual_settings import private

from synthetic import run
from synthetic.algorithms import gradient_descent, stochastic_gradient_descent
from synthetic.engine.trace import NEVER, REDUCTIONS, Recorder
from synthetic.errors import BadValue, NotAttained
from synthetic.oracles import Gaussian
from synthetic.problems import logistic
from synthetic.problems.quadratic import diagonal, small

SERIES = ["gap", "client_gap", "taking_part", "state"]
AVERAGED = private(rounds=9, local_step=0.3, noise_scale=0.4)


def observed(*requests, problem=None, replicates=70):
    chosen = small() if problem is None else problem
    trace = run(
        "dp_fedavg", chosen, AVERAGED, replicates=replicates, seed=1, stream="trace", observe=requests
    )
    return trace.measurements


@pytest.mark.parametrize("name", SERIES)
def test_every_reduction_is_the_reduction_of_the_whole_series(name):
    series = observed(name)[name]
    assert series.shape[0] == 70
    counts = np.arange(1, series.shape[1] + 1).reshape(-1, *[1] * (series.ndim - 2))
    expected = {
        "running_minimum": np.minimum.accumulate(series, axis=1),
        "running_average": np.cumsum(series, axis=1) / counts,
        "replicate_mean": series.mean(axis=0),
        "first": series[:, 0],
        "last": series[:, -1],
    }
    assert set(expected) == set(REDUCTIONS)
    got = observed(*(f"{name}/{reduction}" for reduction in expected))
    for reduction, value in expected.items():
        np.testing.assert_allclose(got[f"{name}/{reduction}"], value, rtol=1e-13, err_msg=reduction)


def test_reductions_apply_from_left_to_right():
    series = observed("gap")["gap"]
    got = observed(
        "gap/running_minimum/last",
        "gap/running_minimum/replicate_mean",
        "gap/replicate_mean/running_minimum",
        "gap/running_average/replicate_mean/last",
    )
    lowest = np.minimum.accumulate(series, axis=1)
    np.testing.assert_array_equal(got["gap/running_minimum/last"], series.min(axis=1))
    np.testing.assert_allclose(got["gap/running_minimum/replicate_mean"], lowest.mean(axis=0))
    mean_first = np.minimum.accumulate(series.mean(axis=0))
    np.testing.assert_allclose(got["gap/replicate_mean/running_minimum"], mean_first)
    assert (mean_first > lowest.mean(axis=0)).any()  # the minimum of means is not the mean of minima
    np.testing.assert_allclose(got["gap/running_average/replicate_mean/last"], series.mean())


def test_the_trajectory_is_kept_only_on_request():
    assert "state" not in observed("gap")
    states = observed("state")["state"]
    assert states.shape == (70, 10, 4)
    np.testing.assert_array_equal(states[:, 0], np.ones((70, 4)))


def test_what_is_asked_for_does_not_change_the_run():
    plain = run("dp_fedavg", small(), AVERAGED, replicates=5, seed=1, stream="s", observe=[])
    usual = run("dp_fedavg", small(), AVERAGED, replicates=5, seed=1, stream="s")
    assert plain.measurements == {}
    np.testing.assert_array_equal(plain.final_state, usual.final_state)


class Counting:
    """A problem that counts how often it is asked for values."""

    def __init__(self, problem):
        self.problem, self.asked = problem, 0

    def __getattr__(self, name):
        return getattr(self.problem, name)

    def value(self, points):
        self.asked += 1
        return self.problem.value(points)


@pytest.mark.parametrize(
    ("problem", "often"),
    [
        (logistic.small(clients=5, samples=6, dimension=4), 10),  # once in each of the ten states
        (small(), 1),  # once in the last one: the updates of quadratics bring the others along
    ],
)
def test_nothing_is_computed_that_nobody_asked_for(problem, often):
    counting = Counting(problem)
    observed("gradient_norm", "taking_part", problem=counting)
    assert counting.asked == 0
    observed("gap", "gap/last", "gap/running_minimum", problem=counting)
    assert counting.asked == often  # however many reductions follow


def test_the_signal_to_noise_ratio_is_that_of_the_averages():
    m = observed("signal_norm", "noise_norm", "signal_to_noise", "taking_part")
    nobody = ~m["taking_part"].any(axis=2)
    assert nobody.any()
    assert (m["signal_to_noise"][nobody] == 0).all()
    some = ~nobody
    ratio = m["signal_norm"][some] / m["noise_norm"][some]
    np.testing.assert_allclose(m["signal_to_noise"][some], ratio, rtol=1e-12)
    # r = 2 clients on average send noise of variance r sigma^2 in each of 4 coordinates
    came = m["taking_part"].sum(axis=2)[some]
    scaled = m["noise_norm"][some] ** 2 / (0.4**2 * 4 * came / 2)
    assert scaled.mean() == pytest.approx(1, abs=5 * scaled.std() / np.sqrt(scaled.size))


def test_indicators_and_losses_of_every_client():
    m = observed("clipped", "client_update_norm", "client_value", "gap")
    np.testing.assert_array_equal(m["clipped"], m["client_update_norm"] > 1.0)
    assert 0.05 < m["clipped"].mean() < 0.99
    losses = m["client_value"].mean(axis=2) - small().minimum()
    np.testing.assert_allclose(losses, m["gap"], rtol=1e-9, atol=1e-12)


def test_a_ratio_to_no_noise_is_refused():
    quiet = private(local_steps=1, local_step=0.3, noise_scale=0)
    with pytest.raises(BadValue, match="no noise"):
        run("dp_fedavg", small(), quiet, replicates=1, seed=0, stream="x", observe=["signal_to_noise"])


@pytest.mark.parametrize(
    ("request_", "nearest"),
    [("gab", "gap"), ("gap/minimum", "running_minimum"), ("", "gap"), ("gap/last/frst", "first")],
)
def test_an_unknown_request_is_refused_with_the_nearest_word(request_, nearest):
    with pytest.raises(BadValue, match="observe") as refused:
        observed(request_)
    if request_:
        assert nearest in str(refused.value)


class WithoutMinimiser(Counting):
    def minimiser(self):
        raise NotAttained(asked="minimiser", failed="not attained", found=0, needed="one", change="another")


def test_a_problem_without_a_minimiser_is_measured_as_far_as_it_goes():
    problem = WithoutMinimiser(small())
    trace = run("dp_fedavg", problem, AVERAGED, replicates=2, seed=1, stream="s")
    assert set(trace.measurements) == {"gap", "gradient_norm", "client_update_norm", "taking_part"}
    with pytest.raises(NotAttained):
        observed("squared_distance", problem=problem)


def test_divergence_reaches_every_reduction_and_only_its_replicate():
    problem = diagonal([[1.0]], [[0.0]])
    start = np.array([[0.0], [1.0]])
    settings = gradient_descent.Settings(start=start, steps=20, step=1e10)
    requests = [
        "gap",
        "gap/last",
        "gap/running_minimum/last",
        "gap/running_average/last",
        "gap/replicate_mean",
    ]
    trace = run("gradient_descent", problem, settings, replicates=2, seed=0, stream="x", observe=requests)
    m = trace.measurements
    assert trace.diverged_round.tolist() == [-1, 16]
    assert (m["gap"][0] == 0).all()
    assert m["gap/last"].tolist() == [0, np.inf]
    assert m["gap/running_minimum/last"].tolist() == [0, 0.5]
    assert m["gap/running_average/last"].tolist() == [0, np.inf]
    assert np.isfinite(m["gap/replicate_mean"][:16]).all()
    assert np.isposinf(m["gap/replicate_mean"][16:]).all()


@pytest.mark.parametrize("step", [1e10, 1e200])
def test_divergence_is_caught_in_its_round_when_nothing_is_observed(step):
    settings = gradient_descent.Settings(start=[1.0], steps=40, step=step)
    problem = diagonal([[1.0]], [[0.0]])
    trace = run("gradient_descent", problem, settings, replicates=1, seed=0, stream="x", observe=[])
    # |x_k| = (step - 1)^k leaves the floats between 1e300 and 1e310, or between 1e200 and 1e400
    assert trace.diverged_round.tolist() == [31 if step == 1e10 else 2]


def peak_of(requests, rounds, replicates=200):
    problem = diagonal([[1.0, 0.5]], [[0.0, 0.0]])
    arguments = {"replicates": replicates, "seed": 0, "stream": "memory", "observe": requests}

    def repeat(steps):
        settings = stochastic_gradient_descent.Settings(
            start=np.ones(2), steps=steps, step=0.1, oracle=Gaussian(scale=1.0)
        )
        run("stochastic_gradient_descent", problem, settings, **arguments)

    repeat(1)  # what is made once is made
    tracemalloc.start()
    repeat(rounds)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.slow("long runs")
def test_what_is_kept_does_not_follow_a_state_that_is_changed_in_place():
    recorder = Recorder(algorithm="theirs", replicates=2, requests=("state", "state/first"))
    state = np.array([[1.0, 2.0], [3.0, 4.0]])
    for round in range(3):
        recorder.note(round, state, {"state": partial(np.asarray, state)})
        state += 1.0
    trace = recorder.finish(state)
    expected = np.array([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(
        trace.measurements["state"], np.stack([expected, expected + 1, expected + 2], 1)
    )
    np.testing.assert_array_equal(trace.measurements["state/first"], expected)
    assert (trace.diverged_round == NEVER).all()


def test_reduced_runs_need_memory_that_does_not_grow_with_the_rounds():
    reduced = ["gap/last", "gap/running_minimum/last", "gradient_norm/running_average/last"]
    per_round = 8 * 200  # one number per replicate
    short, long = (peak_of(reduced, rounds) for rounds in (100, 500))
    assert long - short < 40 * per_round
    # the measurement does see what a whole series takes
    whole = peak_of(["gap"], 500)
    assert whole > 500 * per_round
    # at most one column is in memory twice, while it is joined
    assert peak_of(["gap", "gradient_norm", "squared_distance"], 500) < 4.5 * 500 * per_round
    # a mean over replicates takes one number per round
    assert peak_of(["gap/replicate_mean"], 500) < short + 500 * 400
