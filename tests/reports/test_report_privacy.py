"""The six facts of every guarantee on the page: what papers state, and what runs kept."""

import json
from pathlib import Path
from typing import Any

import pytest

import bounds
from reports.documents.description import describe
from reports.page import privacy

Plain = dict[str, Any]

FACTS = ("relation", "unit", "assumed", "implemented", "accountant", "rounding")


def rule(identity: str) -> Plain:
    section = describe(bounds.get(identity), ()) | {"anchor": "x"}
    (found,) = privacy.rules([section])
    return found


def test_a_rule_has_what_its_paper_says_and_names_what_it_does_not() -> None:
    """As in the transcriptions: A.def1 names no relation, C.def1 replaces one entry of a database."""
    assert rule("fed_norm_ec.noise_rule")["relation"] == privacy.SILENT
    assert rule("fed_norm_ec.noise_rule")["unit"] == "client"
    assert rule("fed_norm_ec.noise_rule")["assumed"] == "independent, at rate p"
    mechanism = rule("als_dpfl.gaussian_mechanism")
    assert (mechanism["relation"], mechanism["unit"]) == ("replace-one", "record")
    assert "epsilon < 1" in mechanism["target"]
    assert "c*sensitivity/epsilon" in mechanism["accountant"]
    assert rule("dp_fedavg.theorem_1")["relation"] == privacy.SILENT


def test_every_statement_that_asserts_privacy_is_a_rule_of_the_table() -> None:
    sections = [describe(s, ()) | {"anchor": s.id} for s in bounds.statements()]
    wanted = [s.id for s in bounds.statements() if s.mechanism is not None]
    assert [r["id"] for r in privacy.rules(sections)] == wanted
    assert len(wanted) >= 3


def private(record: Path) -> list[Plain]:
    cells = json.loads((record / "record.json").read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if "privacy" in cell["engine"]]


def test_runs_kept_what_they_were_to_keep(record: Path) -> None:
    rows = privacy.guarantees(private(record), {})
    counted = [row for row in rows if not row["refused"]]
    assert counted
    for row in counted:
        assert 7.9 < row["epsilon"] <= 8
        assert row["delta"] == 1e-5
        assert all(row[fact] not in ("", privacy.SILENT) for fact in FACTS)
        assert row["assumed"] == row["implemented"] == "full"


def test_what_nothing_counts_says_why(record: Path) -> None:
    """The listing's own placement: noise of the clients under add-or-remove."""
    refused = [row for row in privacy.guarantees(private(record), {}) if row["refused"]]
    assert refused
    for row in refused:
        assert "noise of the clients under add-or-remove" in row["refused"]
        assert (row["epsilon"], row["delta"], row["relation"]) == (8.0, 1e-5, "add-or-remove")
        assert (row["unit"], row["implemented"], row["verdict"]) == ("not counted", "not counted", "refused")


def cell(**more: Any) -> Plain:
    return {"id": "x.y", "verdict": "refused", "engine": {}, "sentence": "refused: because", **more}


def test_a_cell_may_say_itself_why_it_is_refused() -> None:
    (row,) = privacy.guarantees([cell(privacy={"refused": "no accountant", "epsilon": 1.0})], {"x.y": "T"})
    assert (row["refused"], row["epsilon"], row["title"]) == ("no accountant", 1.0, "T")
    (row,) = privacy.guarantees([cell(engine={"privacy": {"epsilon": 2.0}})], {})
    assert (row["refused"], row["title"]) == ("because", "x.y")


@pytest.mark.parametrize("evil", [None, 3, "x", [], {"privacy": 1}, {}])
def test_a_cell_without_a_privacy_has_no_row(evil: Any) -> None:
    assert privacy.guarantees([cell(engine=evil)], {}) == []
    assert privacy.guarantees([cell(privacy=[evil])], {}) == []


def test_strange_facts_are_shown_as_missing() -> None:
    (row,) = privacy.guarantees(
        [cell(privacy={"sampling_assumed": "x", "unit": None, "epsilon": "many"})], {}
    )
    assert (row["assumed"], row["unit"], row["refused"]) == (privacy.SILENT, privacy.SILENT, "")
