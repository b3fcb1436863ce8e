"""What a section says beyond its cells: the audit, why there is no run, and the same from several workers."""

import json
import re
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

import bounds
from bounds.discovery import statements as all_statements
from bounds.language.finding import REFUTED, UNCHECKED, Standing, Status
from reports import page
from reports.page import reproduction
from reports.page.checks import standing
from reports.page.section import UNRUN
from reports.page.standard import cells as standard_cells
from verify.audit.evidence import certified
from verify.matching.privacy import Target
from verify.privacy.accountants import Accountant
from verify.privacy.mechanism import Relation

Plain = dict[str, Any]

CONVEX = "textbook.gradient_descent_convex"
MAIN = "fed_norm_ec.theorem_1.main"
TRIVIAL = "dp_fedavg.proposition_1"
RATE = "dp_fedavg.theorem_3"
OBJECTS = "fed_norm_ec.lemma_4"
FEW = (CONVEX, MAIN, TRIVIAL, RATE, OBJECTS)
HELD = Standing(status=Status.UNREFUTED, cells=3)


@pytest.fixture
def data(record: Path, monkeypatch: pytest.MonkeyPatch) -> Plain:
    """A record of a few statements, which are installed instead of all."""
    chosen = tuple(bounds.get(identity) for identity in FEW)
    monkeypatch.setattr(bounds, "statements", lambda *_: chosen)
    found: Plain = json.loads((record / "record.json").read_text(encoding="utf-8"))
    for kind in ("cells", "properties"):
        found[kind] = [entry for entry in found[kind] if entry["id"] in FEW]
    return found


def made(data: Plain, **more: Any) -> Plain:
    usual = {"pictures": False, "audit": False}
    return page.contents(data, Path("folder"), **(usual | more))


def by_id(contents: Plain) -> dict[str, Plain]:
    return {section["id"]: section for section in contents["statements"]}


def test_the_audit_stands_beside_the_cells(data: Plain) -> None:
    contents = made(data, audit=True)
    html, sections = page.html(contents), by_id(contents)
    for words in ("Satisfiable?", "Informative?", "only constant clients satisfy all of it"):
        assert words in html
        assert words in page.markdown(contents)
    assert sections[TRIVIAL]["standing"] == sections[TRIVIAL]["status"] == "vacuous"
    assert sections[CONVEX]["standing"].startswith("proved (")
    for entry in certified(MAIN):
        assert entry["shows"] in sections[MAIN]["audit"]["judged"][0]["sentence"]
    assert "Satisfiable?" not in page.html(made(data))


@pytest.mark.parametrize(
    ("recorded", "vacuous", "uninformative", "stands"),
    [
        (HELD, False, False, HELD),
        (HELD, True, True, Standing(status=Status.VACUOUS)),
        (HELD, False, True, Standing(status=Status.UNINFORMATIVE)),
        (UNCHECKED, False, True, Standing(status=Status.UNINFORMATIVE)),
        (REFUTED, True, True, REFUTED),
    ],
)
def test_the_gravest_is_what_counts(
    recorded: Standing, vacuous: bool, uninformative: bool, stands: Standing
) -> None:
    assert standing(recorded, {"vacuous": vacuous, "uninformative": uninformative}) == stands
    assert standing(recorded, None) == recorded


def test_a_statement_without_a_cell_says_why(data: Plain) -> None:
    sections = by_id(made(data))
    assert sections[RATE]["no_cell"] == (
        "its constants are open; the bound that is run is dp_fedavg.theorem_2"
    )
    assert "tested on objects" in sections[OBJECTS]["no_cell"]
    assert sections[CONVEX]["no_cell"] == ""
    data["cells"] = [cell for cell in data["cells"] if cell["id"] != CONVEX]
    contents = made(data)
    assert by_id(contents)[CONVEX]["no_cell"] == UNRUN
    assert "1 about runs without a cell in this record" in contents["tally"]
    named = [section["id"] for group in contents["unrun"] for section in group["statements"]]
    assert sorted(named) == sorted({TRIVIAL, RATE, OBJECTS, CONVEX})


def test_the_roles_that_are_not_there_have_their_reason(data: Plain) -> None:
    sections = by_id(made(data))
    missing = {u["role"]: u["why"] for u in sections[CONVEX]["unfilled"]}
    there = {cell["role"] for cell in data["cells"] if cell["id"] == CONVEX}
    assert "strong noise" in missing
    assert not set(missing) & there
    assert all(missing.values())
    assert missing["strong noise"] in page.html(made(data))
    assert sections[OBJECTS]["unfilled"] == []


@pytest.mark.slow("makes a page with workers")
def test_workers_make_the_same_page(data: Plain, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = tuple(bounds.get(identity) for identity in (TRIVIAL, RATE))
    monkeypatch.setattr(bounds, "statements", lambda *_: chosen)
    assert page.html(made(data, audit=True, workers=2)) == page.html(made(data, audit=True))


def test_the_tables_of_the_markdown_are_tables(data: Plain) -> None:
    """Read by another program; a table that was escaped twice is a paragraph."""
    parser = MarkdownIt("commonmark").enable("table")
    contents = made(data)
    tokens = parser.parse(page.markdown(contents))
    rows = sum(token.type == "tr_open" for token in tokens)
    paragraphs = [t.content for t in tokens if t.type == "inline"]
    assert not [text for text in paragraphs if "---|" in text]
    assert rows > len(data["cells"]) + len(data["properties"]) + len(FEW)
    told = [cell["sentence"].removeprefix(f"{cell['verdict']}: ") for cell in data["cells"]]
    shown = {" ".join(child.content for child in t.children or ()) for t in tokens if t.type == "inline"}
    assert set(map(str.strip, told)) <= {" ".join(text.split()) for text in shown} | shown


def test_the_latex_table_is_well_formed(data: Plain) -> None:
    """Braces and environments are in pairs, every row has the columns that are declared."""
    contents = made(data)
    for source in (page.latex_table(contents), page.latex(contents)):
        assert source.isascii()
        bare = re.sub(r"\\[{}]|(?m:^%.*$)", "", source)
        depth = list(accumulate((c == "{") - (c == "}") for c in bare))
        assert min(depth) >= 0
        assert depth[-1] == 0
        began, ended = (re.findall(rf"\\{word}{{(\w+)}}", source) for word in ("begin", "end"))
        assert began == ended[::-1]
    table = page.latex_table(contents)
    declared = len(re.findall(r"p\{[0-9.]+\\linewidth\}", table))
    rows = [line for line in table.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 1 + len(FEW) + len({c["id"] for c in data["cells"]} - set(FEW))
    assert {len(re.split(r"(?<!\\)&", row)) for row in rows} == {declared}


# ---- the command that makes the record again


def make_record(target: Target) -> Plain:
    cells = [
        {"id": cell.statement, "digest": cell.digest, "engine": dict(cell.engine), "replicates": 2048}
        | {"variant": cell.variant, "problem": cell.problem, "algorithm": cell.algorithm}
        for form in ("printed", "amended")
        for cell in standard_cells(MAIN, form, target)
    ]
    return {"cells": cells, "properties": [], "error_level": 1e-3, "seed": 20240601}


@pytest.mark.slow("verifies private cells again")
def test_the_command_asks_for_the_same_privacy() -> None:
    target = Target(epsilon=4.0, delta=1e-6, relation=Relation.ADD_OR_REMOVE, accountant=Accountant.EXACT)
    words = reproduction.command(make_record(target), Path("folder")).split()
    assert words[:3] == ["fedbounds", "verify", MAIN]
    given = dict(zip(words[3::2], words[4::2], strict=True))
    assert (given["--epsilon"], given["--delta"]) == ("4.0", "1e-06")
    assert (given["--relation"], given["--accountant"]) == ("add-or-remove", "exact")


def test_the_cells_of_other_papers_are_not_made_for_the_command(
    data: Plain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They take a minute, and a record without a paper is not of all statements."""
    of_record = {cell["id"] for cell in data["cells"]}
    key = next(
        k for k in ("textbook", "als_dpfl", "dp_fedavg") if not any(i.startswith(k) for i in of_record)
    )
    installed = (*map(bounds.get, FEW), all_statements(key)[0])
    monkeypatch.setattr(bounds, "statements", lambda *_: installed)
    made: list[str] = []
    monkeypatch.setattr(reproduction.standard, "cells", lambda *form: made.append(form[0]) or ())
    reproduction.command(data, Path("folder"))
    assert set(made) == of_record


@pytest.mark.parametrize("evil", [{}, {"epsilon": "x"}, [], 3, {"epsilon": -1.0, "delta": 2.0}])
def test_a_privacy_that_cannot_be_read_costs_the_command_only(data: Plain, evil: Any) -> None:
    data["cells"][0]["engine"]["privacy"] = evil
    assert reproduction.command(data, Path("folder")) == ""
