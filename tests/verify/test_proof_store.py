"""Certificates in an author's package: a file there is replayed before it certifies a printed step."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import bounds
from verify.proofs import store

STATEMENT = bounds.get("dp_fedavg.lemma_1")
NO_REASON: dict[str, Any] = {"claim": "0", "relation": ">= 0"}
TRUE = NO_REASON | {"by": {"rule": "combination"}}  # 0 >= 0


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The certificate, in the package of an author and not in this distribution."""
    right = store.on_file(STATEMENT)
    monkeypatch.setattr(store, "FOLDER", tmp_path / "none")
    monkeypatch.setattr(store, "STEPS", tmp_path / "none")
    monkeypatch.setattr(store, "resources", SimpleNamespace(files=lambda _: tmp_path))
    path = tmp_path / f"{STATEMENT.id}.json"
    path.write_text(json.dumps(right))
    return path


def test_a_right_certificate_of_an_author_certifies_its_steps(file: Path) -> None:
    certified = store.certified_steps(STATEMENT)
    assert any(certified)
    assert not all(certified)


def test_a_forged_certificate_of_an_author_certifies_nothing(file: Path) -> None:
    right = store.read(file)
    names = [step.locator for step in STATEMENT.steps]
    without = next(n for n in names if n not in {s["name"] for s in right["steps"]})
    for steps in (
        [NO_REASON | {"name": name} for name in names],
        [TRUE | {"name": name} for name in names],
        [*right["steps"], TRUE | {"name": without}],  # the checker accepts it, and it is not what is printed
        [*right["steps"], 1],
        "steps",
    ):
        file.write_text(json.dumps(right | {"steps": steps}))
        assert not any(store.certified_steps(STATEMENT)), steps
        assert type(store.found_before(STATEMENT)) is dict


def test_a_certificate_of_an_author_without_a_form_certifies_nothing(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "machine_form", lambda _: None)
    assert not any(store.certified_steps(STATEMENT))


def test_a_form_that_gives_itself_more_than_its_statement_is_not_replayed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    form = store.machine_form(STATEMENT)
    assert form is not None
    free = {"kind": "hypothesis", "name": "free", "assumed": "-1", "relation": ">= 0"}
    monkeypatch.setattr(form, "given", [*form.given, free])
    monkeypatch.setitem(form.sources, "free", "I say so")
    certificate = json.loads(json.dumps(store.document(form, STATEMENT)))
    assert "'I say so'" in store.differs(STATEMENT, certificate)
