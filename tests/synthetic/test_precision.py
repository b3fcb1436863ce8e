"""Single precision: on request, with its measured error, and out of the reach of every verdict."""

import ast
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from every_algorithm import WITHOUT_REPLICATES, examples_from

from synthetic import Plan, run
from synthetic.algorithms import (
    fedavg,
    gradient_descent,
)
from synthetic.engine.recorded_plan import place, record
from synthetic.errors import BadValue, WrongPlan
from synthetic.participation import Full
from synthetic.problems import logistic, quadratic
from synthetic.run import algorithm_names
from synthetic.tuning import single_precision
from synthetic.tuning.single_precision import error_of_single

ROOT = Path(__file__).resolve().parents[2]
RANDOM = np.random.default_rng(4)
PROBLEM = quadratic.low_rank(RANDOM.standard_normal((3, 5, 2)) / 2, RANDOM.standard_normal((3, 5)))
START = RANDOM.standard_normal(5)
SINGLE = Plan(precision="single")
ASKED = {"replicates": 80, "seed": 1, "stream": "precision"}
SETTINGS = examples_from(START)


@pytest.mark.parametrize("backend", ["numpy", "torch"])
@pytest.mark.parametrize("name", SETTINGS)
def test_every_algorithm_computes_in_single_precision_and_says_how_far_it_is(name, backend):
    plan = replace(SINGLE, backend=backend)
    trace = run(name, PROBLEM, SETTINGS[name], **ASKED, plan=plan)
    assert trace.final_state.dtype == np.float32
    errors = error_of_single(name, PROBLEM, SETTINGS[name], **ASKED, plan=plan)
    assert errors.keys() == trace.measurements.keys()
    assert 0 < max(errors.values()) < 1e-4


def test_no_algorithm_is_left_out():
    assert {*SETTINGS, *WITHOUT_REPLICATES} == {*algorithm_names()}


def test_the_error_is_the_largest_difference(monkeypatch):
    made = SETTINGS["dp_fedavg"]
    single, double = (run("dp_fedavg", PROBLEM, made, **ASKED, plan=plan) for plan in (SINGLE, Plan()))
    errors = error_of_single("dp_fedavg", PROBLEM, made, **ASKED, plan=Plan())
    for name, values in double.measurements.items():
        apart = np.abs(single.measurements[name].astype(float) - values) / np.maximum(1, np.abs(values))
        assert errors[name] == pytest.approx(apart.max(), rel=1e-12)
    monkeypatch.setattr(
        single_precision, "run", lambda *given, plan, **asked: run(*given, plan=Plan(), **asked)
    )
    same = error_of_single("dp_fedavg", PROBLEM, made, **ASKED, plan=Plan())
    assert set(same.values()) == {0.0}


def test_a_replicate_that_overflows_in_single_precision_only_is_infinitely_far():
    problem = quadratic.diagonal(np.full((1, 1), 1.0), np.zeros((1, 1)))
    made = gradient_descent.Settings(start=[1e15], steps=8, step=0.1)
    errors = error_of_single("gradient_descent", problem, made, **ASKED | {"replicates": 1}, plan=Plan())
    assert errors["squared_distance"] < 1e-5
    made = gradient_descent.Settings(start=[1e30], steps=8, step=0.1)
    errors = error_of_single("gradient_descent", problem, made, **ASKED | {"replicates": 1}, plan=Plan())
    assert errors["squared_distance"] == np.inf


def test_a_model_of_data_computes_in_single_precision_too():
    problem = logistic.small()
    made = fedavg.Settings(start=np.ones(4), rounds=4, local_steps=3, local_step=0.1, participation=Full())
    assert run("fedavg", problem, made, **ASKED, plan=SINGLE).final_state.dtype == np.float32
    assert 0 < max(error_of_single("fedavg", problem, made, **ASKED, plan=SINGLE).values()) < 1e-4


# No verdict is computed in single precision, at whatever level: it runs by the recorded plan or the default.


def test_single_precision_is_never_recorded_nor_read_back(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with pytest.raises(WrongPlan, match="double"):
        record(SINGLE)
    assert not place().exists()
    place().parent.mkdir()
    place().write_text(json.dumps({"precision": "single"}))
    with pytest.raises(WrongPlan, match="double"):
        run("dp_fedavg", PROBLEM, SETTINGS["dp_fedavg"], **ASKED)
    assert Plan().precision == "double"


def test_whoever_judges_chooses_no_plan():
    calls = [
        node
        for path in (ROOT / "verify").rglob("*.py")
        # a search for settings judges nothing, and makes its products of few rows
        if path != ROOT / "verify" / "planning" / "tuned.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", None) in ("run", "run_grid", "run_algorithm")
        and any(keyword.arg == "stream" for keyword in node.keywords)
    ]
    assert len(calls) >= 8  # otherwise this looks in the wrong place
    assert not [ast.unparse(call) for call in calls if any(k.arg == "plan" for k in call.keywords)]


def test_a_precision_that_does_not_exist_is_refused():
    with pytest.raises(BadValue, match="precision"):
        Plan(precision="half")
