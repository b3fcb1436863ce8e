"""The report of a small record: one page that opens offline, the same in Markdown and LaTeX.

Its tests share one report, which takes seconds to write; other records are those of `test_report_records`.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from page_reader import Elements, anchor, offences, section, sections_of, unpack_page

import bounds
from bounds.discovery import variants
from reports.command_line import main
from reports.page import reproduction
from verify.ledger import findings

Fedbounds = Callable[..., Any]
Plain = dict[str, Any]

CONVEX = "textbook.gradient_descent_convex"
MAIN = "fed_norm_ec.theorem_1.main"
FEW = (CONVEX, MAIN, "fed_norm_ec.lemma_4", "als_dpfl.claims.h_vanishes_at_one")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(12, id="every twelfth statement"),
        pytest.param(1, id="every statement", marks=pytest.mark.slow("a page of all statements")),
    ],
)
def reported(record: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """The folder of a record with its report, of what is installed: its statements and some of the others."""
    kept = {cell["id"] for cell in data_of(record)["cells"]} | {*FEW}
    chosen = tuple(s for n, s in enumerate(bounds.statements()) if s.id in kept or n % request.param == 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "statements", lambda *_: chosen)
        with pytest.raises(SystemExit) as exit_:
            main(["report", str(record), "--json", "--no-audit"])
        assert exit_.value.code == 0
        yield record


@pytest.fixture(scope="module")
def html(reported: Path) -> str:
    return unpack_page((reported / "report" / "index.html").read_text(encoding="utf-8"))


def data_of(folder: Path) -> Plain:
    data: Plain = json.loads((folder / "record.json").read_text(encoding="utf-8"))
    return data


# ---- the page


def test_the_page_opens_offline(html: str) -> None:
    assert offences(html) == []
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html
    assert "default-src 'none'" in html
    assert html.count("<svg") > 10
    for math in re.findall(r"<math.*?</math>", html, re.DOTALL):
        ElementTree.fromstring(math)


def test_the_page_is_small_and_opens_with_the_answer(reported: Path) -> None:
    text = (reported / "report" / "index.html").read_bytes()
    assert len(text) < 2_000_000
    before, answer, rest = text.partition(b'<section id="answer"')
    opening = before + answer + rest.partition(b'<section id="statements"')[0]
    assert len(opening) < 300_000
    for paper in {s.paper.key: s.paper for s in bounds.statements()}.values():
        for name in paper.main:
            if f"{paper.key}.{name}" in {s.id for s in bounds.statements()}:
                assert f'href="#{anchor(f"{paper.key}.{name}")}"'.encode() in opening


@pytest.mark.parametrize(
    "planted",
    [
        "<script>1</script>",
        '<script type="module">1</script>',
        '<a href="https://example.org">x</a>',
        '<a href="javascript:1">x</a>',
        '<a href="#nowhere">x</a>',
        '<svg><use href="//example.org/a.svg#b"/></svg>',
        '<p style="background: url(https://example.org/a.png)">',
        '<p onclick="x()">',
        "<style>@import 'a.css'</style>",
        '<p id="top">',
    ],
)
def test_the_check_of_the_page_can_fail(planted: str) -> None:
    assert offences(f'<body id="top"><a href="#top">top</a>{planted}</body>')
    assert offences('<body id="top"><a href="#top">top</a></body>') == []


def test_every_statement_has_a_row_and_a_section(html: str, reported: Path) -> None:
    markdown = (reported / "report" / "report.md").read_text(encoding="utf-8")
    sections = sections_of(html)
    for statement in bounds.statements():
        own = sections[anchor(statement.id)]
        assert f'href="#{anchor(statement.id)}"' in html
        assert statement.id in own
        assert all(formula in markdown for formula in statement.printed)
        assert f'href="#reference-paper-{anchor(statement.paper.key)}"' in own
        for finding in findings.findings(statement):
            assert " ".join(finding.evidence.split()) in " ".join(Elements(own).text.split())
    assert 'formula"><code' not in html, "every printed formula of ours converts"
    text = Elements(html).text
    for paper in {s.paper.key: s.paper for s in bounds.statements()}.values():
        assert paper.bibtex.splitlines()[0] in text


def test_the_top_counts_what_the_sections_say(html: str, reported: Path) -> None:
    rows = re.findall(r"<tr><td>(.*?)</td><td class=\"n\">(\d+)</td></tr>", html)
    counts = {Elements(word).text: int(number) for word, number in rows}
    shown = re.findall(r'data-standing="([^"]*)"', html)
    assert counts["refuted"] == shown.count("refuted")
    assert counts["unchecked"] == shown.count("unchecked")
    verdicts = [cell["verdict"] for cell in data_of(reported)["cells"]]
    assert counts["holds"] == verdicts.count("holds")
    assert "error level 0.001" in html
    without = {name for name, own in sections_of(html).items() if "No run cell: " in own}
    assert without
    assert not without & {anchor(cell["id"]) for cell in data_of(reported)["cells"]}


def test_conditions_have_the_margins_of_their_cell(html: str, reported: Path) -> None:
    """Cells of one condition, beta/(R + alpha) < 1, recomputed by hand."""
    told = Elements(section(html, MAIN)).text
    for cell in (c for c in data_of(reported)["cells"] if c["id"] == MAIN):
        p = cell["parameters"]
        margin = 1 - p["beta"] / (p["R"] + p["alpha"])
        assert f"holds: A.thm1.h2, {margin:.2%} inside the limit" in told
        assert cell["digest"] in told


def test_a_run_is_drawn_and_a_statement_without_rounds_says_so(html: str, reported: Path) -> None:
    for identity in (CONVEX, MAIN):
        drawn = section(html, identity)
        assert drawn.count("band is the confidence") == len(variants(identity))
        assert "replicates" in drawn or "without sampling" in drawn
    tables = re.findall(r'<table class="numbers-only">(.*?)</table>', section(html, CONVEX), re.DOTALL)
    (table,) = (table for table in tables if "Measured" in table)
    points = re.findall(r"<tr><td>(.*)</td></tr>", table)
    numbers = [[float(x) for x in row.split("</td><td>")] for row in points]
    assert len(numbers) == 5
    tight = next(c for c in data_of(reported)["cells"] if c["id"] == CONVEX and c["role"] == "tight")
    start, smoothness = 1.5, 2.0  # the positive control: L D0^2/(4N + 2), with equality at its own N only
    assert tight["parameters"] | {"N": 5} == tight["parameters"]
    for steps, bound, measured, low, high in numbers:
        assert bound == pytest.approx(smoothness * start**2 / (4 * steps + 2), rel=1e-5)
        assert low <= measured <= high
        assert measured <= bound * (1 + 1e-5)


def test_the_command_runs_these_cells_and_no_others(html: str, reported: Path) -> None:
    (command,) = re.findall(r"<pre>(fedbounds verify .*)\n", html)
    name, verb, *words = shlex.split(command.replace("&#39;", "'"))
    assert (name, verb) == ("fedbounds", "verify")
    assert {w for w in words if "." in w and "/" not in w and w != "0.001"} == {
        cell["id"] for cell in data_of(reported)["cells"]
    }
    assert words[-1] == str(reported)
    assert "--quick" in words
    data = data_of(reported)
    assert reproduction.command(data, reported) == command
    data["cells"] = data["cells"][1:]
    assert reproduction.command(data, reported) == ""


def test_markdown_and_latex_have_a_row_for_every_statement(reported: Path) -> None:
    folder = reported / "report"
    markdown = (folder / "report.md").read_text(encoding="utf-8")
    table = (folder / "verdicts.tex").read_text(encoding="utf-8")
    rows = [line for line in table.splitlines() if line.endswith(r" \\")]
    assert len(rows) == 1 + len(bounds.statements())
    assert all(len(re.findall(r"(?<!\\)&", row)) == 4 for row in rows)
    assert all(f"| {s.id}: ".replace("_", r"\_") in markdown for s in bounds.statements())
    assert r"\input{verdicts}" in (folder / "report.tex").read_text(encoding="utf-8")


# ---- what runs a cell again


def test_every_cell_runs_again_alone(fedbounds: Fedbounds, reported: Path) -> None:
    written = {path.stem: path for path in (reported / "report" / "replay").iterdir()}
    data = data_of(reported)
    assert {c["digest"] for c in data["cells"]} <= written.keys()
    exact = next(c for c in data["cells"] if c["id"] == CONVEX)
    file = written[exact["digest"]]
    assert f"fedbounds replay {file}" in unpack_page(
        (reported / "report" / "index.html").read_text(encoding="utf-8")
    )
    assert fedbounds("replay", file).code == 0


def test_a_cell_that_was_changed_does_not_agree(fedbounds: Fedbounds, reported: Path, tmp_path: Path) -> None:
    exact = next(c for c in data_of(reported)["cells"] if c["id"] == CONVEX)
    text = (reported / "report" / "replay" / f"{exact['digest']}.json").read_text(encoding="utf-8")
    kept = json.loads(text)
    kept["cells"][0]["measured"]["estimate"] += 0.01
    (tmp_path / "record.json").write_text(json.dumps(kept))
    assert fedbounds("replay", tmp_path).code == 1
