"""`fedbounds run`: a simulation from the command line, summarised."""

from collections.abc import Callable
from typing import Any

import pytest
from usual_settings import private

from synthetic import run
from synthetic.algorithms import fedavg
from synthetic.oracles import StudentT
from synthetic.participation import FixedSize
from synthetic.problems import build

Misused = Callable[..., str]
Fedbounds = Callable[..., Any]

WORDS = ["rounds=4", "local_steps=2", "local_step=1/10", "clip_threshold=1", "clients_per_round=3"]
WORDS += ["noise_scale=0.05", "problem.clients=4"]
CALL = ["run", "dp_fedavg", "--problem", "quadratic.small", "--set", *WORDS]


def test_the_document_is_the_summary_of_the_same_run(fedbounds: Fedbounds) -> None:
    document = fedbounds(*CALL, "--replicates", "70", "--seed", "3", "--json").json
    settings = private(rounds=4, clients_per_round=3.0, noise_scale=0.05)
    problem = build("quadratic.small", clients=4)
    trace = run("dp_fedavg", problem, settings, replicates=70, seed=3, stream="run dp_fedavg")
    names = [o["name"] for o in document["observables"]]
    assert set(names) == set(trace.measurements)
    for observable in document["observables"]:
        series = trace.measurements[observable["name"]].astype(float)
        for end, index in (("first", 0), ("last", -1)):
            values, got = series[:, index].reshape(70, -1), observable[end]
            each = values.mean(axis=1)
            assert got["mean"] == pytest.approx(each.mean())
            assert (got["min"], got["max"]) == (values.min(), values.max())
            assert got["standard_error"] == pytest.approx(each.std(ddof=1) / 70**0.5)
    assert document["diverged"]["count"] == 0
    assert (document["clients"], document["dimension"], document["arguments"]["clients"]) == (4, 4, 4)


def test_words_for_participation_and_oracles(fedbounds: Fedbounds) -> None:
    words = ["rounds=3", "local_steps=2", "local_step=[0.1, 0.2, 0.3]", "start=[1, 2, 3, 4]"]
    words += ["participation=fixed_size:2", "oracle=student_t:0.5:4"]
    done = fedbounds(
        "run", "fedavg", "--problem", "huber.small", "--set", *words, "--observe", "gap", "--json"
    )
    settings = fedavg.Settings(
        start=[1, 2, 3, 4],
        rounds=3,
        local_steps=2,
        local_step=(0.1, 0.2, 0.3),
        participation=FixedSize(count=2),
        oracle=StudentT(scale=0.5, degrees=4),
    )
    trace = run("fedavg", build("huber.small"), settings, replicates=64, seed=0, stream="run fedavg")
    (observable,) = done.json["observables"]
    assert observable["last"]["mean"] == pytest.approx(trace.measurements["gap"][:, -1].mean())


def test_a_table_for_a_person(fedbounds: Fedbounds) -> None:
    done = fedbounds(*CALL)
    assert done.code == 0
    for word in ("dp_fedavg on quadratic.small", "64 replicates", "gradient_norm", "last round", "±"):
        assert word in done.out
    assert "Diverged" not in done.out


def test_divergence_is_counted_and_its_numbers_are_null_with_a_reason(fedbounds: Fedbounds) -> None:
    words = ["steps=60", "step=1e10", "start=1"]
    call = ["run", "gradient_descent", "--problem", "quadratic.small", "--set", *words]
    document = fedbounds(*call, "--json").json
    assert document["diverged"]["count"] == 64
    assert 10 < document["diverged"]["first_round"] < 30
    last = document["observables"][0]["last"]
    assert last["mean"] is None
    assert "diverged" in last["reason"]
    assert "64 of 64 replicates" in fedbounds(*call).out


def test_one_replicate_has_no_standard_error(fedbounds: Fedbounds) -> None:
    first = fedbounds(*CALL, "--replicates", "1", "--json").json["observables"][0]["first"]
    assert first["standard_error"] is None
    assert "one replicate" in first["reason"]


def test_running_reductions_and_the_other_backend(fedbounds: Fedbounds) -> None:
    lowest = "gradient_norm/running_minimum"
    call = [*CALL, "--observe", lowest, "gradient_norm", "--json"]
    here, there = fedbounds(*call).json, fedbounds(*call, "--backend", "torch").json
    (low, norm), (other, _) = here["observables"], there["observables"]
    assert low["name"] == lowest
    assert low["last"]["mean"] <= norm["last"]["mean"]
    assert other["last"]["mean"] == pytest.approx(low["last"]["mean"], rel=1e-10)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["dp_fedav", "--problem", "quadratic.small"], "did you mean 'dp_fedavg'?"),
        (["_common", "--problem", "quadratic.small"], "no algorithm has this name"),
        (["dp_fedavg"], "--problem"),
        (["dp_fedavg", "--problem", "quadratic.smal"], "did you mean quadratic.small?"),
        (
            ["dp_fedavg", "--problem", "quadratic.small", "--set", "clip_treshold=1"],
            "did you mean clip_threshold?",
        ),
        (["dp_fedavg", "--problem", "quadratic.small", "--set", "clients=3"], "problem.clients"),
        (["dp_fedavg", "--problem", "quadratic.small", "--set", "rounds=2"], "needs local_steps"),
        ([*CALL[1:], "problem.client=3"], "did you mean"),
        ([*CALL[1:], "start=[1, 2]"], "start: wrong shape"),
        ([*CALL[1:], "start=one"], "not a table of numbers"),
        ([*CALL[1:], "participation=coins"], "full, independent:PROBABILITY, fixed_size:COUNT"),
        ([*CALL[1:], "participation=independent"], "independent:PROBABILITY"),
        ([*CALL[1:], "participation=independent:2"], "between 0 and 1"),
        ([*CALL[1:], "participation=fixed_size:2.5"], "never rounded"),
        ([*CALL[1:], "participation=fixed_size:9"], "at most 4"),
        ([*CALL[1:], "noise_placement=nowhere"], "'clients' or 'server'"),
        ([*CALL[1:], "--observe", "gab"], "did you mean 'gap'?"),
        ([*CALL[1:], "--observe", "gap/last"], "running_minimum"),
        ([*CALL[1:], "--replicates", "0"], "replicates"),
        ([*CALL[1:], "--replicates", "many"], "many"),
        ([*CALL[1:], "--seed", "-1"], "seed"),
        ([*CALL[1:], "--backend", "jax"], "jax"),
        ([*CALL[1:], "--device", "cuda"], "numpy computes on the cpu"),
        ([*CALL[1:], "--backend", "torch", "--device", "nowhere"], "torch cannot use it"),
    ],
)
def test_misuse(misuse: Misused, arguments: list[str], said: str) -> None:
    assert said in misuse("run", *arguments)


def test_a_truth_value_is_not_a_word(misuse: Misused) -> None:
    words = ["last_round=1", "local_steps=1", "local_step=0.1", "memory_step=0.1", "server_step=0.1"]
    words += ["smoothing=1", "participation=full", "private=maybe"]
    said = misuse("run", "fed_alpha_norm_ec", "--problem", "quadratic.small", "--set", *words)
    assert "private is true or false" in said


def test_single_precision_tells_how_far_it_is(fedbounds: Fedbounds) -> None:
    document = fedbounds(*CALL, "--precision", "single", "--observe", "gap", "clipped", "--json").json
    errors = {entry["name"]: entry["error"] for entry in document["single_precision_errors"]}
    assert document["plan"]["precision"] == "single"
    assert 0 < errors["gap"] < 1e-4
    assert errors.keys() == {"gap", "clipped"}
    assert "single_precision_errors" not in fedbounds(*CALL, "--json").json
    assert "largest difference from double" in fedbounds(*CALL, "--precision", "single").out


def test_more_replicates_than_memory_holds(misuse: Misused) -> None:
    told = misuse(*CALL, "--replicates", 10**14)
    assert f"dp_fedavg with {10**14} replicates of 4 rounds in dimension 4 is too large" in told
    assert "at most 9,223,372,036,854,775,807" in misuse(*CALL, "--replicates", 10**22)


def test_more_clients_per_round_than_there_are(misuse: Misused) -> None:
    words = [word for word in WORDS if not word.startswith("clients_per_round")]
    told = misuse("run", "dp_fedavg", "--problem", "quadratic.small", "--set", *words, "clients_per_round=30")
    assert "clients_per_round: more clients than there are; found 30, needed at most 4" in told


@pytest.mark.parametrize(("words", "start"), [((), 1.0), (("start=0",), 0.0), (("start=[1,2,3,4]",), None)])
def test_the_page_says_where_the_run_starts(
    fedbounds: Callable[..., Any], words: tuple[str, ...], start: float | None
) -> None:
    """A setting of `plan`, whose runs start at the origin, is no setting of another start."""
    asked = ("run", "gradient_descent", "--problem", "quadratic.small", "--replicates", "2")
    given = ("--set", "steps=1", "step=0.1", *words)
    assert fedbounds(*asked, "--json", *given).json["start"] == start
    said = f"from the start with every coordinate {start}" if start is None else f"every coordinate {start:g}"
    assert (said in " ".join(fedbounds(*asked, *given).out.split())) is (start is not None)
