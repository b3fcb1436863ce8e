"""Many configurations as one batch: each has the trace of a run of its own."""

import math

import numpy as np
import pytest

from synthetic import Plan, batched_configurations, run
from synthetic.algorithms import dp_fedavg, dp_norm_fedavg, fedavg
from synthetic.batched_configurations import run_grid
from synthetic.engine.per_row import PerRow
from synthetic.engine.randomness import PlacedNumbers
from synthetic.errors import BadValue, WrongSettings
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problems import logistic, quadratic

RANDOM = np.random.default_rng(8)
N, D, ROUNDS, SIZE = 4, 6, 5, 150
CENTERS, FACTORS = RANDOM.standard_normal((N, D)), RANDOM.standard_normal((N, D, 2)) / 2
PROBLEMS = {
    "low rank": quadratic.low_rank(FACTORS, CENTERS),
    "low rank, lifted": quadratic.low_rank(FACTORS, CENTERS, shift=0.25),
    "diagonal": quadratic.diagonal(RANDOM.random((N, D)), CENTERS),
    "logistic": logistic.small(clients=N, samples=7, dimension=D),
}
STARTS = RANDOM.standard_normal((SIZE, D))
BASE = {
    "start": STARTS,
    "rounds": ROUNDS,
    "local_steps": 3,
    "local_step": 0.3,
    "clip_threshold": 0.7,
    "clients_per_round": 2,
    "noise_scale": 0.2,
}
CHANGED = [
    {},
    {"local_step": 0.1},
    {"local_step": (0.3, 0.2, 0.1, 0.2, 0.3)},
    {"local_step": (0.1, 0.1, 0.2, 0.1, 0.3)},
    {"clip_threshold": 0.05},
    {"clip_threshold": math.inf},
    {"clients_per_round": 3},
    {"participation": Independent(probability=0.9)},
    {"participation": Full()},
    {"participation": FixedSize(count=3)},
    {"noise_scale": 0.0},
    {"noise_scale": 0.5, "noise_placement": "server"},
    {"noise_scale": 0.1, "noise_placement": "server", "clients_per_round": 1.5},
    {"server_step": 0.4},
    {"start": STARTS[3] * 2},
    {"local_steps": 1},
    {"rounds": 2},
]
SETTINGS = [dp_fedavg.Settings(**BASE | changed) for changed in CHANGED]
REQUESTS = ["gap", "clipped", "taking_part", "signal_norm", "gap/last", "gap/replicate_mean/last"]
REQUESTS += ["client_update_norm/running_average/replicate_mean"]
ASKED = {"replicates": SIZE, "seed": 4, "stream": "grid", "observe": REQUESTS}


def assert_same(found, expected):
    assert found.replicates == expected.replicates
    assert found.measurements.keys() == expected.measurements.keys()
    for name, values in expected.measurements.items():
        np.testing.assert_allclose(found.measurements[name], values, rtol=1e-11, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(found.final_state, expected.final_state, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(found.diverged_round, expected.diverged_round)


PLANS = [Plan(), Plan(block=64, threads=2), Plan(block=1024, noise="together"), Plan(backend="torch")]


@pytest.mark.thinned(4)
@pytest.mark.parametrize("plan", PLANS, ids=["default", "blocks", "together", "torch"])
@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS.keys())
def test_every_configuration_has_the_trace_of_its_own_run(problem, plan):
    traces = run_grid("dp_fedavg", problem, SETTINGS, **ASKED, plan=plan)
    assert len(traces) == len(SETTINGS)
    for trace, made in zip(traces, SETTINGS, strict=True):
        assert_same(trace, run("dp_fedavg", problem, made, **ASKED, plan=plan))


def test_lengths_differ_and_a_seed_for_each():
    common = {name: value for name, value in BASE.items() if name != "clip_threshold"} | {"start": STARTS[0]}
    made = [dp_norm_fedavg.Settings(**common, update_length=length) for length in (0.2, 1.0, 0.2)]
    asked = {"replicates": 70, "stream": "grid", "observe": ["gap"]}
    traces = run_grid("dp_norm_fedavg", PROBLEMS["low rank"], made, seed=[1, 1, 2], **asked)
    for trace, one, seed in zip(traces, made, (1, 1, 2), strict=True):
        assert_same(trace, run("dp_norm_fedavg", PROBLEMS["low rank"], one, seed=seed, **asked))
    assert np.abs(traces[0].final_state - traces[2].final_state).max() > 0.01


def test_an_algorithm_without_rows_of_its_own_runs_one_after_the_other():
    made = [
        fedavg.Settings(start=STARTS[0], rounds=3, local_steps=2, local_step=s, participation=Full())
        for s in (0.1, 0.2)
    ]
    asked = {"replicates": 3, "seed": 0, "stream": "s"}
    traces = run_grid("fedavg", PROBLEMS["diagonal"], made, **asked)
    for trace, one in zip(traces, made, strict=True):
        assert_same(trace, run("fedavg", PROBLEMS["diagonal"], one, **asked))


def test_what_may_differ_travels_in_one_batch_and_shared_numbers_are_drawn_once(monkeypatch):
    seen, batches = [], batched_configurations._batches

    def noted(*given):
        seen.extend(batches(*given))
        return seen

    drawn, fill = [], PlacedNumbers.normals

    def counted(numbers, place, width, clients=None):
        drawn.append(place)
        return fill(numbers, place, width, clients)

    monkeypatch.setattr(batched_configurations, "_batches", noted)
    monkeypatch.setattr(PlacedNumbers, "normals", counted)
    chosen = SETTINGS[:2] + SETTINGS[4:8]
    run_grid("dp_fedavg", PROBLEMS["low rank"], chosen, **ASKED, plan=Plan(block=2048))
    assert [len(batch.positions) for batch in seen] == [len(chosen)]
    assert len(drawn) == ROUNDS


@pytest.mark.parametrize("name", ["local_step", "clip_threshold", "noise_scale", "clients_per_round"])
def test_values_at_the_wrong_rows_are_noticed(monkeypatch, name):
    made = [dp_fedavg.Settings(**BASE | {"participation": Full(), name: value}) for value in (0.2, 0.5)]
    own = PerRow.column
    monkeypatch.setattr(PerRow, "column", lambda rows, index=0: own(rows, index)[::-1].copy())
    traces = run_grid("dp_fedavg", PROBLEMS["low rank"], made, **ASKED, plan=Plan(block=320))
    with pytest.raises(AssertionError):
        assert_same(traces[0], run("dp_fedavg", PROBLEMS["low rank"], made[0], **ASKED))


def test_refusals():
    with pytest.raises(BadValue, match="seed"):
        run_grid("dp_fedavg", PROBLEMS["low rank"], SETTINGS[:2], **ASKED | {"seed": [1]})
    with pytest.raises(BadValue, match="unknown word"):
        run_grid("dp_fedavg", PROBLEMS["low rank"], SETTINGS[:2], **ASKED | {"observe": ["gaps"]})
    with pytest.raises(WrongSettings):
        run_grid("dp_norm_fedavg", PROBLEMS["low rank"], SETTINGS[:2], **ASKED | {"observe": ["gap"]})
