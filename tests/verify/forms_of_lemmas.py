"""A lemma that exists in a test alone, and its proof by a form that the test gives."""

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
