"""What works for long says where it is: on stderr alone, moving in a terminal, every tenth part in a log."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import bounds
from bounds.discovery import variants
from reports.cli import terminal
from reports.cli.terminal import Progress
from verify.audit import evidence, experiments, open_privacy_facts
from verify.ledger import recheck, witnesses
from verify.ledger.witnesses import all_witnesses
from verify.records import record as record_file
from verify.records import refuted

Fedbounds = Callable[..., Any]


def test_audit_counts_forms_and_names_what_is_in_hand(fedbounds: Fedbounds) -> None:
    forms = [form for s in bounds.statements() if s.id.startswith("textbook.") for form in variants(s.id)]
    done = fedbounds("audit", "textbook", "--json")
    assert done.json["statements"]
    lines = done.err.splitlines()
    assert lines[0] == f"0/{len(forms)} {forms[0].id}, {forms[0].variant}"
    assert lines[-1] == f"{len(forms)}/{len(forms)} done"
    assert len(lines) == len(forms) + 1


@pytest.mark.slow("measures every witness again; the next test does too")
def test_recheck_counts_every_piece_and_is_silent_without_it(fedbounds: Fedbounds) -> None:
    pieces = len(refuted.refutations()) + len(all_witnesses()) + 3
    assert fedbounds("errata", "fed_norm_ec.claims.sameinf").err == ""
    done = fedbounds("errata", "fed_norm_ec.claims.sameinf", "--recheck", "--json")
    assert done.json["rechecked"]
    lines = done.err.splitlines()
    assert lines[0].startswith(f"0/{pieces} ")
    assert lines[-1] == f"{pieces}/{pieces} done"
    assert len(lines) == 11
    counts = [int(line.split("/")[0]) for line in lines]
    assert counts == sorted(counts)


@pytest.fixture
def few_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every tenth witness is measured, the cells are only named, and nothing else is run."""
    few = all_witnesses()[::10]
    monkeypatch.setattr(witnesses, "all_witnesses", lambda: few)
    for module in (evidence, experiments, open_privacy_facts):
        monkeypatch.setattr(module, "recheck", list)

    def replay(data: Any, progress: Callable[[int, int, str], None]) -> list[Any]:
        for number, cell in enumerate(data["cells"]):
            progress(number, len(data["cells"]), cell["id"])
        return []

    monkeypatch.setattr(record_file, "replay", replay)


@pytest.mark.slow("replays witnesses as a process")
def test_each_witness_is_named_before_it_is_measured(few_pieces: None) -> None:
    told: list[tuple[int, int, str]] = []
    recheck.recheck(lambda *line: told.append(line))
    assert [done for done, _, _ in told] == list(range(told[-1][1] + 1))
    named = [what for _, _, what in told]
    cells = len(refuted.refutations())
    few = [witness.erratum.label for witness in witnesses.all_witnesses()]
    assert len(few) > 5
    assert named[cells:-4] == few


@pytest.mark.slow("replays a record as a process")
def test_replay_names_its_cells(fedbounds: Fedbounds, record: Path) -> None:
    done = fedbounds("replay", record, "--json")
    first = done.json["cells"][0]
    assert f"0/{len(done.json['cells'])} {first['id']}: {first['role']}" in done.err


@pytest.mark.parametrize("first", [0, 1, 6])
def test_what_is_left_is_told_from_what_was_done_here(monkeypatch: pytest.MonkeyPatch, first: int) -> None:
    """Two seconds for each: from 0, before the first; from 1, after it; from 6, after five that were kept.

    The first two say nothing: what is loaded once takes longer than a piece.
    """
    clock = iter([0.0, 6.0])
    monkeypatch.setattr(terminal.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(sys, "stderr", heard := StringIO())
    progress = Progress()
    begun = max(first - 1, 0)
    for done in range(first, begun + 4):
        progress(done, 10, "x")
    lines = heard.getvalue().splitlines()
    assert lines[-1] == f"{begun + 3}/10, about {2 * (10 - begun - 3)} s left: x"
    assert lines[:-1] == [f"{done}/10 x" for done in range(first, begun + 3)]


def read_to_the_end(descriptor: int) -> str:
    """All that was written: one read may return a part of it, and the end is an error on Linux."""
    parts = []
    with suppress(OSError):
        while part := os.read(descriptor, 65536):
            parts.append(part)
    return b"".join(parts).decode()


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_one_moving_line_in_a_terminal_and_nothing_of_it_on_stdout(process: Callable[..., Any]) -> None:
    mine, theirs = os.openpty()
    code = f"import sys, os; os.dup2({theirs}, 2); from reports.command_line import main; main()"
    running = process(
        "audit", "textbook.gradient_descent_convex", code=code, pass_fds=(theirs,), env={"TERM": "xterm"}
    )
    os.close(theirs)
    out, _ = running.communicate(timeout=120)
    shown = read_to_the_end(mine)
    os.close(mine)
    assert running.returncode == 0
    assert "\x1b" not in out
    assert "done" not in out
    assert shown.startswith("\r\x1b[K0/1 ")
    assert shown.endswith("1/1 done\r\x1b[K")
    assert "\n" not in shown
