"""Rows of attempts: which form each is of, and when a form is attempted again."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sympy import Integer

import bounds
from bounds import discovery
from bounds.statement import Statement
from verify.falsify import table
from verify.falsify.form import form_of

FALSE, TRUE = "als_dpfl.lemma_2", "dp_fedavg.fact_2"
FORMS = [(FALSE, "printed"), (TRUE, "printed")]


def doubled(statement: Statement) -> Statement:
    terms = tuple(replace(term, expression=2 * term.expression) for term in statement.terms)
    return replace(statement, terms=terms)


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "every_form", lambda: FORMS)


def changed(monkeypatch: pytest.MonkeyPatch, identity: str) -> None:
    get = discovery.get

    def other(name: str, variant: str = "printed") -> Statement:
        return doubled(get(name, variant)) if name == identity else get(name, variant)

    monkeypatch.setattr(discovery, "get", other)


def told(folder: Path, *before: Path) -> list[str]:
    return sorted(sentence.split()[0] for sentence in table.run(folder, 2.0, 2.0, 1, *before))


@pytest.mark.usefixtures("two")
def test_a_form_that_was_changed_is_attempted_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(tmp_path) == [FALSE, TRUE]
    assert told(tmp_path) == []
    changed(monkeypatch, FALSE)
    assert {form for form, _ in table.rows_of_now(tmp_path)} == {TRUE}
    assert f"Rows not yet run: {FALSE} (printed)." in table.markdown(table.rows_of_now(tmp_path))
    assert told(tmp_path) == [FALSE]


@pytest.mark.usefixtures("two")
def test_rows_that_the_repository_keeps_are_not_made_again(tmp_path: Path) -> None:
    first = table.attempt(FALSE, "printed", 2.0, 2.0)
    assert isinstance(first["witness"], dict)
    kept = tmp_path / "kept.jsonl"
    slimmed = table.slim(first, "als_dpfl.lemma_2.json")
    kept.write_text(json.dumps(slimmed) + "\n")
    assert (slimmed["witness"], slimmed["best"]) == ("als_dpfl.lemma_2.json", None)
    assert slimmed | {"witness": first["witness"], "best": first["best"]} == first
    assert told(tmp_path / "out", kept) == [TRUE]
    assert set(table.rows_of_now(kept, tmp_path / "out")) == set(FORMS)
    kept.write_text(json.dumps({n: v for n, v in slimmed.items() if n != "form"}) + "\n")
    assert told(tmp_path / "out", kept) == [FALSE], "a row without a digest is of another form"


def test_a_digest_sees_what_a_search_sees() -> None:
    statement = bounds.get("dp_fedavg.theorem_2")
    form = form_of(statement)
    (first, *others), condition = statement.choices, statement.conditions[0]
    looser = replace(condition, limit=condition.limit * Integer(2))
    for other in (
        doubled(statement),
        replace(statement, left=statement.right),
        replace(statement, conditions=statement.conditions[1:]),
        replace(statement, conditions=(looser, *statement.conditions[1:])),
        replace(statement, choices=tuple(others)),
        replace(statement, choices=(replace(first, expression=first.expression / 2), *others)),
        replace(statement, assumptions=statement.assumptions[1:]),
        replace(statement, printed=("another",)),
    ):
        assert form_of(other) != form
    same: dict[str, Any] = {"title": "another", "reading": "in other words", "steps": (), "edges": ()}
    assert form_of(replace(statement, **same)) == form


def test_a_digest_is_the_same_in_every_process() -> None:
    code = (
        "from bounds import discovery\n"
        "from verify.falsify.form import form_of\n"
        "print([form_of(s) for s in discovery.statements()])"
    )
    environments = [os.environ | {"PYTHONHASHSEED": seed} for seed in ("1", "2")]
    printed = [
        subprocess.run([sys.executable, "-c", code], env=e, check=True, capture_output=True).stdout
        for e in environments
    ]
    assert printed[0] == printed[1]
    assert len(digests_in(printed[0])) > 200


def digests_in(printed: bytes) -> set[str]:
    return set(printed.decode().strip("[]\n ").replace("'", "").split(", "))
