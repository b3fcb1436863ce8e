"""Every number, sign and exponent of every certificate matters: a changed one is refused.

A changed claim is refused unless it is the same claim, such as twice 0. A changed reason is always refused:
no certificate has a multiplier that is free. What is given and the conclusion are compared with the
statement.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import bounds
from bounds.language.statement import Kind
from verify.proofs import store
from verify.proofs.algebra import Rejected
from verify.proofs.checker import Checker

PATHS = sorted(store.FOLDER.rglob("*.json"))
LARGE = 8_000  # bytes
EVERY = 20  # of a large proof, whose numbers all together take minutes
SMALL = [path for path in PATHS if path.stat().st_size < LARGE]


def _mutants(value: Any) -> Iterator[Any]:
    """Copies with one number doubled, one sum made a difference or the reverse, one exponent raised."""
    if isinstance(value, str) and value.lstrip("-").replace("/", "").isdigit():
        above, _, below = value.partition("/")
        yield f"{2 * int(above) or 1}" + (f"/{below}" if below else "")
    elif isinstance(value, list):
        if value and value[0] in ("+", "-"):
            yield ["-" if value[0] == "+" else "+", *value[1:]]
        if value and value[0] == "^":
            yield [*value[:2], value[2] + 1]
        for place, part in enumerate(value):
            yield from ([*value[:place], changed, *value[place + 1 :]] for changed in _mutants(part))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from (value | {key: changed} for changed in _mutants(part))


def _replay_mutants(document: dict[str, Any], every: int = 1) -> tuple[int, list[str]]:
    """How many mutants of claims and reasons are refused, and those that are not."""
    refused, accepted, number = 0, list[str](), count()
    checker = Checker()
    for entry in document["given"]:
        checker.accept(entry, trusted=True)
    for step in document["steps"]:
        for part in ("claim", "by") if "claim" in step else ():
            for changed in _mutants(step[part]):
                if next(number) % every:
                    continue
                proves = _accept(checker, step | {part: changed})
                refused += proves is None
                if proves is not None and (part == "by" or proves != checker.scalar(step["claim"])):
                    accepted.append(f"{step['name']}: {json.dumps(changed)}")
        checker.work = 0
        checker.accept(step, trusted=False)
    return refused, accepted


def _accept(checker: Checker, mutant: dict[str, Any]) -> Any:
    """What the checker takes as proved, which it then forgets; None if it refuses."""
    checker.work, before = 0, dict(checker.proved)
    try:
        checker.accept(mutant, trusted=False)
        return checker.proved[mutant["name"]][0]
    except Rejected:
        return None
    finally:
        checker.proved = before


@pytest.mark.thinned(8)
@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_every_changed_number_sign_and_exponent_is_refused(path: Path) -> None:
    refused, accepted = _replay_mutants(store.read(path))
    assert accepted == []
    assert refused >= 8


@pytest.mark.slow("a minute of CPU for the largest proofs")
@pytest.mark.parametrize("path", sorted(set(PATHS) - set(SMALL)), ids=lambda path: path.stem)
def test_changed_numbers_of_large_proofs_are_refused(path: Path) -> None:
    refused, accepted = _replay_mutants(store.read(path), EVERY)
    assert accepted == []
    assert refused >= 4


@pytest.mark.thinned(16)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_another_problem_or_conclusion_is_refused(path: Path) -> None:
    """Also where the checker would accept it, because the conclusion of the mutant is 0 >= 0."""
    certificate = store.read(path)
    statement = bounds.get(certificate["id"], certificate["variant"])
    easier = next(_mutants(certificate["given"]), certificate["given"][:-1])
    assert "given something else" in store.differs(statement, certificate | {"given": easier})
    if "conclusion" not in {step.get("name") for step in certificate["steps"]}:
        assert "other steps" in store.differs(statement, certificate | {"steps": certificate["steps"][:-1]})
        return
    empty = {"name": "conclusion", "claim": "0", "relation": ">= 0", "by": {"rule": "combination"}}
    steps = [empty if step.get("name") == "conclusion" else step for step in certificate["steps"]]
    assert "another conclusion" in store.differs(statement, certificate | {"steps": steps})


def test_an_equality_is_not_proved_by_an_inequality() -> None:
    statement = bounds.get("dp_fedavg.fact_1")
    certificate = store.on_file(statement)
    assert certificate is not None
    assert store.differs(statement, certificate) == ""
    equality = replace(statement, kind=Kind.EQUALITY)
    assert "another form" in store.differs(equality, certificate)
    without_digest = {key: value for key, value in certificate.items() if key != store.FORM}
    assert "another conclusion" in store.differs(equality, without_digest)


def test_a_multiplier_that_is_free_is_caught() -> None:
    """A control: a reason that may change without harm does not pass unseen."""
    step = {
        "name": "s",
        "claim": "0",
        "relation": ">= 0",
        "by": {"rule": "combination", "times": {"times": "3"}},
    }
    refused, accepted = _replay_mutants({"given": [], "steps": [step]})
    assert (refused, accepted) == (1, ['s: {"rule": "combination", "times": {"times": "6"}}'])
