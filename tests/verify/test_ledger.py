"""The ledger: every entry replays, no standard cell that refutes is missing, each sentence has evidence."""

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bounds
import verify
from bounds.discovery import variants
from bounds.language.finding import FindingClass, Verdict
from verify.audit import evidence, experiments, open_privacy_facts
from verify.ledger import findings, recheck, witnesses
from verify.records import errata, record
from verify.records import refuted as filed
from verify.records.errata import CELL, BrokenErrata, our_errata
from verify.runs.check import decides
from verify.runs.check import verify as all_cells

CELLS = [erratum.statement for erratum in our_errata() if erratum.kind == CELL]


RECHECKS = {module: cache(module.recheck) for module in (evidence, experiments, open_privacy_facts)}


@cache
def replayed() -> list[record.Replayed]:
    return record.replay(record.read(filed.FILE))


@cache
def remembering() -> tuple[witnesses.Witness, ...]:
    return tuple(replace(witness, measure=cache(witness.measure)) for witness in witnesses.all_witnesses())


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All evidence is run once for this file: its tests change only what it is compared with."""
    for module, remembered in RECHECKS.items():
        monkeypatch.setattr(module, "recheck", remembered)
    every, results = remembering(), replayed()
    monkeypatch.setattr(record, "replay", lambda data, progress: results)
    monkeypatch.setattr(witnesses, "all_witnesses", lambda: every)


@pytest.mark.slow("replays every entry; some witnesses replay in the first tier")
def test_every_entry_replays_to_a_violation() -> None:
    data = record.read(filed.FILE)
    assert all(cell["verdict"] == "violated" for cell in data["cells"])
    assert len(replayed()) == len(data["cells"])
    assert all(r.agrees for r in replayed()), [r.sentence for r in replayed()]


@pytest.mark.slow("runs every standard cell; each refutation replays in tier one")
def test_the_ledger_holds_exactly_what_the_standard_cells_refute() -> None:
    refuted = {r.cell.statement for r in all_cells() if r.verdict is Verdict.VIOLATED and decides(r)}
    assert refuted == set(filed.refutations()) == set(CELLS)


@pytest.mark.parametrize("identity", CELLS)
def test_a_refuted_statement_has_one_finding_of_class_false_or_a_misprint(identity: str) -> None:
    (finding,) = (f for f in findings.findings(bounds.get(identity)) if f.where == "conclusion")
    misprinted = (
        identity == "fedavg_lojasiewicz.recursions.f4"
    )  # the displays after it do without the mistake
    assert finding.grade is (FindingClass.TYPO if misprinted else FindingClass.FALSE)
    assert finding.statement == identity


def test_others_have_none() -> None:
    assert findings.findings(bounds.get("textbook.gradient_descent_convex")) == ()


def find_unsupported() -> tuple[str, ...]:
    """Findings of the ledger whose evidence is not run again, or differs."""
    agreed: dict[str, bool] = {}
    for identity, agrees, _ in recheck.recheck():
        agreed[identity] = agreed.get(identity, True) and agrees
    sources = {erratum.step: erratum.statement for erratum in our_errata() if erratum.step}
    return tuple(
        finding.id
        for statement in bounds.statements()
        for finding in findings.findings(statement)
        if not agreed.get(
            sources.get(finding.locator, statement.id) if finding.where == "proof" else statement.id
        )
    )


@pytest.mark.usefixtures("once")
def test_every_sentence_has_evidence_that_runs_again() -> None:
    """What `findings` says of a statement is among what `recheck` runs, and agrees."""
    assert find_unsupported() == ()


@pytest.mark.usefixtures("once")
def test_recheck_agrees_and_sees_a_changed_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries: dict[str, dict[str, Any]] = json.loads(filed.MEASURED.read_text())
    entries["als_dpfl.statements.lemma_2"]["left"] *= 1.001
    changed = tmp_path / "witnesses.json"
    changed.write_text(json.dumps(entries))
    monkeypatch.setattr(filed, "MEASURED", changed)
    filed.measurements.cache_clear()
    try:
        differing = [identity for identity, agrees, _ in recheck.recheck() if not agrees]
        assert differing == ["als_dpfl.lemma_2"]
    finally:
        filed.measurements.cache_clear()


def planted(monkeypatch: pytest.MonkeyPatch, changed: dict[str, dict[str, object]]) -> None:
    """Other numbers of some witnesses on file."""
    numbers = filed.measurements() | changed
    monkeypatch.setattr(filed, "measurements", lambda: numbers)


@pytest.mark.usefixtures("once")
def test_a_finding_whose_evidence_differs_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "als_dpfl.statements.lemma_2"
    planted(monkeypatch, {name: filed.measurements()[name] | {"left": 1e9}})
    assert find_unsupported() == ("als_dpfl.lemma_2:refuted",)


@pytest.mark.usefixtures("once")
def test_numbers_that_no_witness_measures_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """One entry after the other says something else in one place, and nothing else does."""
    lies: tuple[dict[str, object], ...] = (
        {"equality": "no"},
        {"left": 1e9},
        {"right": "0.0"},
        {"remark": "a key that no witness writes"},
    )
    kept = filed.measurements()
    changed = {name: kept[name] | lie for name, lie in zip(kept, lies, strict=False)}
    cut = list(kept)[len(lies)]
    changed[cut] = {key: value for key, value in kept[cut].items() if key != "equality"}
    planted(monkeypatch, changed)
    lying = sorted(erratum.statement for erratum in our_errata() if erratum.evidence in changed)
    assert sorted(identity for identity, agrees, _ in recheck.recheck() if not agrees) == lying


def test_numbers_that_no_finding_names_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, {"als_dpfl.statements.nothing": {"left": 1.0, "right": 0.0, "equality": False}})
    with pytest.raises(BrokenErrata, match=r"no finding names als_dpfl\.statements\.nothing"):
        recheck.recheck()


def test_a_certificate_of_another_system_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = evidence.certified("fed_norm_ec.theorem_1.main")
    others = evidence.certified("fed_norm_ec.theorem_2")
    swapped = ({**entries[0], "certificate": others[0]["certificate"]}, *entries[1:])
    given = evidence.certified
    monkeypatch.setattr(
        evidence, "certified", lambda i: swapped if i == "fed_norm_ec.theorem_1.main" else given(i)
    )
    disagreeing = [identity for identity, agrees, _ in evidence.recheck() if not agrees]
    assert disagreeing == ["fed_norm_ec.theorem_1.main"]


def test_a_replayed_cell_that_refutes_nothing_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound of a refuted statement made large: its cell no longer says what the ledger says."""
    data = record.read(filed.FILE)
    cell = next(c for c in data["cells"] if c["id"] == "fed_norm_ec.lemma_1")
    changed = {**cell, "parameters": {**cell["parameters"], "C": "2/1"}}
    (again,) = record.replay({**data, "cells": [changed]})
    assert not again.agrees


def test_evidence_lies_in_the_package_that_ships() -> None:
    home = Path(verify.__file__).parent
    words = [*errata.FOLDER.glob(f"*/{errata.NAME}")]
    assert len(words) == 4
    files = (filed.FILE, filed.MEASURED, experiments.FILE, *evidence.FOLDER.glob("*.json"), *words)
    assert all(file.is_relative_to(home) and file.is_file() for file in files)


@pytest.mark.parametrize("identity", ["dp_fedavg.theorem_1", "fed_norm_ec.noise_rule"])
def test_an_open_relation_is_a_matter_of_reading(identity: str) -> None:
    (finding,) = open_privacy_facts.findings(bounds.get(identity))
    assert finding.grade is FindingClass.INTERPRETATION
    # Said, it is none: the relation is the only fact that is open.
    statement = bounds.get(identity)
    assert statement.mechanism is not None
    told = replace(statement, mechanism=replace(statement.mechanism, relation="add-or-remove"))
    assert open_privacy_facts.findings(told) == ()


def test_delta_of_one_release_is_that_of_its_integral() -> None:
    """The positive part of p - e^epsilon q on a grid, for noise 2 and a shift of 1."""
    x = np.linspace(-40, 40, 400_001)
    p, q = (np.exp(-((x - shift) ** 2) / 8) / math.sqrt(8 * math.pi) for shift in (1.0, 0.0))
    area = np.trapezoid(np.maximum(p - math.exp(0.3) * q, 0), x)
    assert open_privacy_facts.delta(0.3, 2.0) == pytest.approx(area, rel=1e-6)


def test_no_textbook_statement_is_found_graver_than_loose() -> None:
    from verify.audit import rates, units
    from verify.audit.follows import check

    grave = list(FindingClass)[: list(FindingClass).index(FindingClass.LOOSE)]
    for statement in bounds.statements("textbook"):
        found = (
            *findings.findings(statement),
            *units.audit(statement),
            *rates.audit(statement),
            *check.audit(statement),
        )
        assert [f for f in found if f.grade in grave] == []


def test_an_amended_form_has_none() -> None:
    for statement in bounds.statements():
        for variant in variants(statement.id)[1:]:
            assert findings.findings(variant) == ()
