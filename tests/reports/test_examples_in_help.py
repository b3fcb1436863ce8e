"""Each verb's help ends with an example, and the examples run."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports.command_line import EXAMPLES, GROUPS, VERBS
from reports.documents.units import CONSTANTS, MEASURES
from synthetic.problems import build
from synthetic.run import runnable

Fedbounds = Callable[..., Any]

# These need what the reader has: a record, a witness, code.
OWN = {"conform", "report", "replay"}
LONG = {"plan", "run", "verify", "falsify", "errata"}  # other tests run these verbs
CODES = (0, 1, 3)


def test_every_verb_but_groups_and_doctor_has_one() -> None:
    assert set(EXAMPLES) == set(VERBS) - GROUPS - {"doctor"}
    assert all(example.startswith(f"fedbounds {verb} ") for verb, example in EXAMPLES.items())


@pytest.mark.parametrize("verb", sorted(set(EXAMPLES) - OWN - LONG))
def test_it_runs(fedbounds: Fedbounds, verb: str) -> None:
    assert fedbounds(*shlex.split(EXAMPLES[verb])[1:]).code in CODES


@pytest.mark.slow("they run, search and recheck; other tests of the first tier do so too")
@pytest.mark.parametrize("verb", sorted(LONG))
def test_a_long_one_runs(
    fedbounds: Fedbounds, verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some write their files here
    assert fedbounds(*shlex.split(EXAMPLES[verb])[1:]).code in CODES


@pytest.mark.parametrize("words", [("eval",), ("privacy", "epsilon"), ("compare", "terms")], ids=" ".join)
def test_it_ends_the_help(fedbounds: Fedbounds, words: tuple[str, ...]) -> None:
    last = fedbounds(*words, "--help").out.rstrip().split("\n\n")[-1]
    assert " ".join(last.split()).startswith(f"Example: fedbounds {' '.join(words)} ")


# ---- units beside numbers


@pytest.mark.parametrize("problem", ["quadratic.small", "logistic.small"])
def test_every_constant_of_a_problem_has_its_unit(problem: str) -> None:
    assert set(build(problem).constants()) <= set(CONSTANTS)


@pytest.mark.parametrize(
    "algorithm", ["gradient_descent", "dp_fedavg", "fedavg", "stochastic_gradient_descent"]
)
def test_every_usual_measure_has_its_unit_and_meaning(algorithm: str) -> None:
    assert set(runnable(algorithm).observables) <= set(MEASURES)
