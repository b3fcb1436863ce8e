"""A recorded cell that a finding names is believed as far as its statement and its numbers bear it out."""

import json
from pathlib import Path
from typing import Any

import pytest

import bounds
from reports.verbs import list as listing
from verify.ledger import findings
from verify.records import errata, refuted
from verify.records.errata import CELL, BrokenErrata, Erratum

ERRATUM = next(e for e in errata.our_errata() if e.kind == CELL)


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The paper of a finding as a package, whose record is beside its errata file."""
    folder_of = errata.folder_of
    monkeypatch.setattr(refuted, "registered", lambda: {ERRATUM.paper})
    monkeypatch.setattr(findings, "registered", lambda: {ERRATUM.paper})
    monkeypatch.setattr(errata, "folder_of", lambda p: tmp_path if p == ERRATUM.paper else folder_of(p))
    refuted._cells_beside.cache_clear()
    return tmp_path / "record.json"


def write(file: Path, **changed: Any) -> Erratum:
    data = json.loads(refuted.FILE.read_text(encoding="utf-8"))
    data["cells"] = [
        c for c in data["cells"] if (c["id"], c["role"]) == (ERRATUM.statement, ERRATUM.evidence)
    ]
    (cell,) = data["cells"]
    for key, value in changed.items():
        cell[key] = cell[key] | value if isinstance(value, dict) else value
    file.write_text(json.dumps(data), encoding="utf-8")
    return ERRATUM


def test_a_cell_that_is_as_it_was_judged_is_believed_and_says_so(beside: Path) -> None:
    assert refuted.recorded_cell(write(beside))["verdict"] == "violated"
    assert "(as recorded; --recheck runs it)" in findings._describe(ERRATUM)


def test_a_standing_that_rests_on_a_record_says_so(beside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that was never measured may be in the file: `list` believes it, as `errata` does."""
    write(beside)
    statement = bounds.get(ERRATUM.statement)
    assert listing._row(statement, {})["note"] == "as recorded; errata --recheck runs it"
    monkeypatch.setattr(refuted, "registered", dict)
    assert listing._row(statement, {})["note"] == ""


def test_a_cell_of_our_own_papers_is_run_by_the_tests() -> None:
    assert "as recorded" not in findings._describe(ERRATUM)


def test_a_bound_that_the_statement_does_not_give_is_refused(beside: Path) -> None:
    """The other numbers are moved with it, so that nothing in the cell contradicts it."""
    cell = refuted.recorded_cell(write(beside))
    refuted._cells_beside.cache_clear()
    half = cell["bound"]["value"] / 2
    measured, excess = cell["measured"], dict(cell["excess"])
    for end in ("estimate", "lower", "upper"):
        excess[end] = None if measured[end] is None else measured[end] - half
    ratio = None if cell["ratio"] is None else measured["estimate"] / half
    said = cell["sentence"].replace(f"{cell['bound']['value']:.6g}", f"{half:.6g}")
    moved: dict[str, Any] = {"bound": {"value": half}, "excess": excess, "ratio": ratio, "sentence": said}
    with pytest.raises(BrokenErrata, match="the bound of cell"):
        refuted.recorded_cell(write(beside, **moved))


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"digest": "0" * 16}, "the digest of cell"), ({"excess": {"estimate": 1e9}}, "the excess.estimate of")],
)
def test_a_cell_that_contradicts_itself_is_refused(beside: Path, changed: dict[str, Any], said: str) -> None:
    with pytest.raises(BrokenErrata, match=said):
        refuted.recorded_cell(write(beside, **changed))
