"""A lemma that exists in a test alone, and its proof by a form that the test gives."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bounds.language.quantity import Notation
from bounds.language.statement import Paper, Statement
from fedbounds import LemmaForm, lemma
from verify.proofs.prove import Proof, prove


def state(name: str, claim: Any) -> Statement:
    paper = Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())
    made: Statement = replace(lemma(paper, name, claim), id=f"k.{name.replace(' ', '_')}")
    return made


def prove_by(monkeypatch: pytest.MonkeyPatch, own: LemmaForm, statement: Statement) -> Proof:
    monkeypatch.setattr("verify.proofs.prove.machine_form", lambda _: own.proof)
    return prove(statement)


def check_lemma_and_twin(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    claim: Callable[[Any], Any],
    constants: tuple[Any, Any],
    steps: Callable[[LemmaForm], None],
) -> None:
    """The lemma with its true constant is proved by these steps; with the false one they leave it open."""
    true, _ = constants
    for constant in constants:
        statement = state(name, claim(constant))
        own = LemmaForm(statement.id, statement)
        steps(own)
        found = prove_by(monkeypatch, own, statement)
        assert found.concluded == (constant == true), found.detail
        assert constant == true or "the conclusion is open" in found.detail
