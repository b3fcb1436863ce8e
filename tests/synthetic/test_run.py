"""Running by name, and what holds for every algorithm that discovery finds."""

import dataclasses
import importlib
import subprocess
import sys

import numpy as np
import pytest
from every_algorithm import EXAMPLES, PROBLEMS, START

from synthetic import Plan, run
from synthetic.algorithms import (
    dp_fedavg,
    dp_norm_fedavg,
)
from synthetic.engine.trace import Recorder
from synthetic.errors import Refusal, UnknownAlgorithm, WrongSettings
from synthetic.participation import Independent
from synthetic.problems import quadratic
from synthetic.run import algorithm_names

every_algorithm = pytest.mark.parametrize("name", sorted(EXAMPLES))


def test_every_discovered_algorithm_is_tested_here():
    assert list(algorithm_names()) == sorted(EXAMPLES)
    for name in algorithm_names():
        module = importlib.import_module(f"synthetic.algorithms.{name}")
        assert callable(getattr(module, name))


@every_algorithm
@pytest.mark.parametrize("problem", PROBLEMS, ids=["quadratic", "huber"])
def test_a_replicate_does_not_depend_on_how_many_there_are(name, problem):
    many = run(name, problem, EXAMPLES[name], replicates=150, seed=1, stream="s")
    for few in (1, 65):
        some = run(name, problem, EXAMPLES[name], replicates=few, seed=1, stream="s")
        assert set(some.measurements) == set(many.measurements)
        for key, values in some.measurements.items():
            np.testing.assert_array_equal(values, many.measurements[key][:few])
        np.testing.assert_array_equal(some.final_state, many.final_state[:few])


@every_algorithm
@pytest.mark.parametrize("problem", PROBLEMS, ids=["quadratic", "huber"])
def test_common_measurements_agree_with_the_problem(name, problem):
    trace = run(name, problem, EXAMPLES[name], replicates=5, seed=1, stream="s")
    start = np.array([START])
    first = {key: values[:, 0] for key, values in trace.measurements.items()}
    np.testing.assert_allclose(first["gap"], problem.value(start)[0] - problem.minimum(), rtol=1e-12)
    np.testing.assert_allclose(first["gradient_norm"], np.linalg.norm(problem.gradient(start)[0]), rtol=1e-12)
    np.testing.assert_allclose(
        first["squared_distance"], np.sum((start[0] - problem.minimiser()) ** 2), rtol=1e-12
    )
    assert (trace.measurements["gap"] >= 0).all()
    assert trace.algorithm == name
    assert trace.replicates == 5
    assert trace.diverged_round.tolist() == [-1] * 5


@every_algorithm
def test_what_is_offered_is_what_is_declared(name, monkeypatch):
    offered = set()

    def note(self, round, state, measured):
        offered.update(measured)

    module = importlib.import_module(f"synthetic.algorithms.{name}")
    monkeypatch.setattr(Recorder, "note", note)
    # what happens within an interval is offered only to who asks
    everything = (*module.OBSERVABLES, *module.ON_REQUEST)
    run(name, PROBLEMS[0], EXAMPLES[name], replicates=2, seed=1, stream="s", observe=everything)
    assert offered == set(everything)
    assert len(everything) == len(set(everything))


# Changes of the examples to the least that is possible: one client, one dimension, one step, no round.
LEAST = {
    "alpha_norm_ec": {"last_round": 0},
    "als_dpfl": {"communication_budget": 0.5},
    "dpfl": {"rounds": 0, "local_steps": 1},
    "fed_alpha_norm_ec": {"last_round": 0, "local_steps": 1},
    "gradient_descent": {"steps": 0},
    "memory_update": {"moved": (2.0,), "memory": (0.0,), "local_steps": 1},
    "stochastic_gradient_descent": {"steps": 0},
}
NO_ROUNDS = {"rounds": 0, "local_steps": 1, "participation": Independent(probability=0.5)}


@every_algorithm
@pytest.mark.parametrize("plan", [Plan(), Plan(backend="torch")], ids=["numpy", "torch"])
def test_one_client_one_dimension_one_step_and_no_round(name, plan):
    problem = quadratic.small(clients=1, dimension=1)
    made = dataclasses.replace(EXAMPLES[name], start=(1.0,), **LEAST.get(name, NO_ROUNDS))
    trace = run(name, problem, made, replicates=1, seed=1, stream="s", plan=plan)
    assert trace.final_state.shape == (1, 1)
    assert trace.diverged_round.tolist() == [-1]
    assert all(values.shape[0] == 1 for values in trace.measurements.values())
    assert trace.measurements["gap"].shape[1] >= 1


@every_algorithm
@pytest.mark.parametrize("plan", [Plan(), Plan(backend="torch")], ids=["numpy", "torch"])
def test_a_replicate_that_starts_at_infinity_is_marked_and_the_others_are_untouched(name, plan):
    problem = PROBLEMS[0]
    # the square of its distance leaves the floats: diverged in the first round, whatever comes after
    starts = np.array([[1.0, -1.0], [1e200, 1.0], [1.0, -1.0]])
    made = dataclasses.replace(EXAMPLES[name], start=starts)
    trace = run(name, problem, made, replicates=3, seed=1, stream="s", plan=plan)
    alone = run(name, problem, EXAMPLES[name], replicates=3, seed=1, stream="s", plan=plan)
    assert trace.diverged_round.tolist() == [-1, 0, -1]
    for key, values in trace.measurements.items():
        assert not np.isnan(values.astype(float)).any(), key
        np.testing.assert_array_equal(values[[0, 2]], alone.measurements[key][[0, 2]])
        if values.dtype == np.float64 and key != "active":
            assert np.isposinf(values[1]).all(), key


@every_algorithm
@pytest.mark.parametrize(
    "start", [(1.0,), (1.0, 2.0, 3.0), np.ones((2, 2)), np.ones((1, 1, 2)), (1.0, np.inf), "origin"]
)
def test_a_start_that_does_not_fit_is_refused_in_one_sentence(name, start):
    made = dataclasses.replace(EXAMPLES[name], start=start)
    with pytest.raises(Refusal) as refused:
        run(name, PROBLEMS[0], made, replicates=5, seed=1, stream="s")
    assert "\n" not in str(refused.value)


def test_algorithms_on_one_stream_share_who_takes_part_and_the_noise():
    common = {"start": START, "rounds": 3, "local_steps": 1, "local_step": 0.1, "clients_per_round": 1.5}
    common |= {"noise_scale": 0.3}
    # thresholds so small that only noise is left
    clipped = dp_fedavg.Settings(**common, clip_threshold=1e-12)
    scaled = dp_norm_fedavg.Settings(**common, update_length=1e-12)
    names = ["state", "taking_part"]
    one = run("dp_fedavg", PROBLEMS[0], clipped, replicates=70, seed=1, stream="shared", observe=names)
    other = run("dp_norm_fedavg", PROBLEMS[1], scaled, replicates=70, seed=1, stream="shared", observe=names)
    apart = run("dp_norm_fedavg", PROBLEMS[1], scaled, replicates=70, seed=1, stream="own", observe=names)
    np.testing.assert_array_equal(one.measurements["taking_part"], other.measurements["taking_part"])
    np.testing.assert_allclose(one.final_state, other.final_state, atol=1e-10)
    assert np.abs(one.final_state - apart.final_state).max() > 0.01


@every_algorithm
def test_seed_and_stream_both_matter_and_nothing_else_does(name):
    runs = [
        run(name, PROBLEMS[0], EXAMPLES[name], replicates=5, seed=seed, stream=stream).final_state
        for seed, stream in ((1, "s"), (1, "s"), (2, "s"), (1, "t"))
    ]
    np.testing.assert_array_equal(runs[0], runs[1])
    if name not in ("gradient_descent", "memory_update"):  # these draw nothing
        assert not (runs[0] == runs[2]).all()
        assert not (runs[0] == runs[3]).all()


@every_algorithm
def test_settings_of_another_algorithm_are_refused(name):
    wrong = EXAMPLES["dpfl" if name != "dpfl" else "dp_fedavg"]
    with pytest.raises(WrongSettings, match=name):
        run(name, PROBLEMS[0], wrong, replicates=1, seed=0, stream="s")


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [("dp_fedavgg", "dp_fedavg"), ("gradient-descent", "gradient_descent"), ("_common", "dp_norm_fedavg")],
)
def test_an_unknown_name_is_refused_with_the_nearest(asked, nearest):
    with pytest.raises(UnknownAlgorithm) as refused:
        run(asked, PROBLEMS[0], EXAMPLES["dpfl"], replicates=1, seed=0, stream="s")
    assert isinstance(refused.value, ValueError)
    if asked != "_common":
        assert f"did you mean {nearest!r}" in str(refused.value)


def test_importing_everything_loads_nothing_but_numpy_and_the_standard_library():
    names = [f"synthetic.algorithms.{name}" for name in algorithm_names()]
    names += [
        "synthetic",
        "synthetic.moments.gradient_descent",
        "synthetic.problems.quadratic",
        "synthetic.problems.huber",
    ]
    code = (
        f"import importlib, sys\nfor name in {names!r}: importlib.import_module(name)\n"
        "print(sorted({m.split('.')[0] for m in sys.modules} - set(sys.stdlib_module_names)))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for forbidden in ("torch", "sympy", "scipy", "matplotlib", "'bounds'", "'verify'", "'reports'"):
        assert forbidden not in loaded
