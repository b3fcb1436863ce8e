"""The findings on file are those that are computed, and `errata` prints them without the statements."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reports import recorded_findings
from verify.ledger import recheck

Fedbounds = Callable[..., Any]
Process = Callable[..., "subprocess.Popen[str]"]

STRANGER = """
from dataclasses import replace
from bounds.papers.textbook.gradient_descent_convex import THEOREM as OURS
from bounds.papers.textbook.notation import L

wrong = tuple(replace(term, expression=term.expression * L) for term in OURS.terms)
THEOREM = replace(OURS, paper=replace(OURS.paper, key="stranger"), terms=wrong)
"""
WHICH = """
import sys
from reports.command_line import run
code = run(["errata", *sys.argv[1:]])
heavy = {"sympy", "numpy", "torch", "bounds.language.statement"}
print("LOADED", *sorted(sys.modules.keys() & heavy), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def now() -> list[recorded_findings.Row]:
    """What is computed, once: the audits of all statements take seconds."""
    return recorded_findings._now()


@pytest.fixture
def computed_once(now: list[recorded_findings.Row], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_findings, "_now", lambda: now)


@pytest.fixture
def file(tmp_path: Path, computed_once: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the file that a test may falsify."""
    copy = tmp_path / "findings.json"
    copy.write_bytes(recorded_findings.FILE.read_bytes())
    monkeypatch.setattr(recorded_findings, "FILE", copy)
    recorded_findings.recorded.cache_clear()
    yield copy
    recorded_findings.recorded.cache_clear()


@pytest.mark.slow("computes every finding")
def test_what_is_on_file_is_what_is_computed(computed_once: None) -> None:
    assert recorded_findings.differing() == [], f"run `{recorded_findings.AGAIN}`"


def test_a_changed_and_a_missing_statement_fail_the_recheck(
    file: Path, fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = json.loads(file.read_text())
    gone, changed = [identity for identity in entries if entries[identity]["findings"]][:2]
    del entries[gone]
    entries[changed]["findings"][0]["right"] += " or not"
    file.write_text(json.dumps(entries))
    monkeypatch.setattr(recheck, "recheck", lambda progress: [])
    done = fedbounds("errata", "dp_fedavg.theorem_2", "--recheck", "--json")
    assert done.code == 1
    assert {row["id"] for row in done.json["rechecked"]} == {gone, changed}
    assert not any(row["agrees"] for row in done.json["rechecked"])


def test_the_file_is_made_as_it_is(file: Path) -> None:
    before = [row for row in recorded_findings.recorded() if row[1]]
    file.unlink()
    recorded_findings.make()
    assert [row for row in recorded_findings.recorded() if row[1]] == before


def test_printing_loads_no_statement(process: Process) -> None:
    for names in ([], ["dp_fedavg"], ["dp-fedavg/theorem-4", "*.lemma_?"]):
        out, err = process(*names, code=WHICH).communicate(timeout=60)
        assert "gravest first" in out
        assert err.split() == ["LOADED"]


@pytest.mark.slow("computes findings in a process")
def test_a_paper_of_another_distribution_is_computed(process: Process, tmp_path: Path) -> None:
    package, info = tmp_path / "stranger", tmp_path / "stranger-1.dist-info"
    package.mkdir()
    info.mkdir()
    (package / "__init__.py").write_text("")
    (package / "theorem_1.py").write_text(STRANGER)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[fedbounds.papers]\nstranger = stranger\n")
    path = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])}
    for names in (["stranger"], ["stranger.theorem_1", "dp_fedavg"]):
        running = process("errata", *names, "--json", env=path)
        out, err = running.communicate(timeout=60)
        assert running.returncode == 0, err
        ids = {entry["statement"].partition(".")[0] for entry in json.loads(out)["findings"]}
        assert "stranger" in ids
        assert ("dp_fedavg" in ids) == (names != ["stranger"])
