"""The report: one page that opens offline, the same in Markdown and LaTeX, from records of every sort.

One file in spite of its length: its tests share one report, which takes seconds to write.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from page_reader import Elements, anchor, offences, section, sections_of, unpack_page

import bounds
from bounds.discovery import variants
from reports.command_line import main
from reports.documents import record as records
from reports.page import reproduction
from verify.ledger import findings
from verify.records import refuted
from verify.records.standings import summary

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


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four statements installed instead of all: a page in a second."""
    chosen = tuple(bounds.get(identity) for identity in FEW)
    monkeypatch.setattr(bounds, "statements", lambda *_: chosen)


@pytest.fixture
def report(few: None, fedbounds: Fedbounds, tmp_path: Path) -> Callable[..., dict[str, str]]:
    """The report of a record, its files by name."""

    def call(data: Plain, *more: str) -> dict[str, str]:
        (tmp_path / "record.json").write_text(json.dumps(data), encoding="utf-8")
        done = fedbounds("report", tmp_path, "--json", *(more or ["--no-pictures", "--no-audit"]))
        assert done.code == 0, done
        assert {Path(p).name for p in done.json["paths"]} == set(PAGES)
        found = {name: (tmp_path / "report" / name).read_text(encoding="utf-8") for name in PAGES}
        return found | {"index.html": unpack_page(found["index.html"])}

    return call


PAGES = ("index.html", "report.md", "report.tex", "verdicts.tex")


def recounted(data: Plain) -> Plain:
    """With the summary and the shares of the level that its entries ask for."""
    level = data["error_level"] / max(1, len(data["cells"]))
    data["cells"] = [cell | {"level": level} for cell in data["cells"]]
    return data | {"summary": summary([*data["cells"], *data["properties"]], data.get("worst_cases", ()))}


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


# ---- the published schema of the record


def validator() -> Draft202012Validator:
    schema = json.loads((files("reports") / "schemas" / "record.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_records_follow_their_published_schema(reported: Path) -> None:
    schema = validator()
    schema.validate(data_of(reported))
    schema.validate(json.loads(refuted.FILE.read_text(encoding="utf-8")))
    for path in (reported / "report" / "replay").iterdir():
        schema.validate(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("schema",), "fedbounds/record/2"),
        (("error_level",), 0),
        (("seed",), "1"),
        (("cells", 0, "verdict"), "fine"),
        (("cells", 0, "digest"), "../../etc/passwd"),
        (("cells", 0, "measured", "estimate"), "NaN"),
        (("cells", 0, "replicates"), 0),
        (("cells", 0, "bound"), {}),
        (("summary", "standings"), []),
    ],
)
def test_the_schema_refuses(reported: Path, where: tuple[str | int, ...], value: object) -> None:
    data: Any = data_of(reported)
    inside = data
    for step in where[:-1]:
        inside = inside[step]
    inside[where[-1]] = value
    assert not validator().is_valid(data)


# ---- records of every sort


def test_a_record_without_entries_is_refused(
    misuse: Callable[..., str], reported: Path, tmp_path: Path
) -> None:
    (tmp_path / "record.json").write_text(json.dumps(data_of(reported) | {"cells": [], "properties": []}))
    assert "has no cells" in misuse("report", tmp_path)
    assert not (tmp_path / "report").exists()


def test_a_record_of_refused_cells_only(report: Callable[..., dict[str, str]], reported: Path) -> None:
    data = data_of(reported)
    nothing = {"estimate": None, "lower": None, "upper": None, "exact": None}
    not_run = {"verdict": "refused", "measured": nothing, "excess": nothing, "ratio": None}
    not_run |= {"bound": {"value": None, "terms": {}}, "sentence": "refused: because", "method": "not run"}
    data["cells"] = [cell | not_run for cell in data["cells"] if cell["id"] == CONVEX]
    data["properties"] = []
    told = Elements(section(report(recounted(data), "--no-audit")["index.html"], CONVEX)).text
    assert "No picture over rounds: none of its cells was run." in told
    assert "because" in told


def test_a_statement_that_is_not_installed(report: Callable[..., dict[str, str]], reported: Path) -> None:
    data = data_of(reported)
    data["cells"] = [data["cells"][0] | {"id": "elsewhere.theorem_9"}]
    data["properties"] = []
    pages = report(recounted(data), "--no-audit")
    told = Elements(section(pages["index.html"], "elsewhere.theorem_9")).text
    assert "not installed here" in told
    assert "no statement elsewhere.theorem_9" in told
    assert all("elsewhere" in pages[name] for name in ("report.md", "index.html"))
    assert offences(pages["index.html"]) == []


def test_what_was_tried_on_objects(report: Callable[..., dict[str, str]], reported: Path) -> None:
    data = data_of(reported)
    entry = {
        **{"id": "fed_norm_ec.lemma_4", "variant": "printed", "kind": "property", "cases": 412},
        "seed": data["seed"],
        **{"families": {"random": 400, "zeros": 12}, "verdict": "holds", "method": "float64", "trials": 4},
        "worst": {"ratio": 0.875, "excess": -1, "left": 7, "right": 8, "family": "zeros", "objects": {}},
        "sentence": "holds: everywhere",
    }
    data = recounted(data | {"cells": [], "properties": [entry]})
    validator().validate(data)
    pages = report(data)
    told = Elements(section(pages["index.html"], entry["id"])).text
    for words in ("412", "random (400), zeros (12)", "0.875", "everywhere", "Tried on objects"):
        assert words in told
        assert words in pages["report.md"]
    assert "1 statement tried on objects: 1 holds" in pages["index.html"]


def test_a_statement_of_another_package(
    report: Callable[..., dict[str, str]], reported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its words are text, and an example that does not fit it costs its own section only."""
    evil = "<script>alert(1)</script> \\input{x} & `y` | *z*"
    strange = replace(bounds.get(CONVEX), title=evil, reading=evil, example={"N": 1, "nothing": 2})
    monkeypatch.setattr(bounds, "statements", lambda *_: (strange,))
    pages = report(data_of(reported), "--no-pictures")
    assert offences(pages["index.html"]) == []
    assert evil in Elements(pages["index.html"]).text
    assert "It cannot be evaluated there" in pages["index.html"]
    assert "<script>" not in pages["report.md"]
    assert r"\input{x}" not in pages["verdicts.tex"]


HOSTILE = [
    "<script>alert(1)</script>|`x`\n# h",
    "\x00\x1b[31m\u202e\ud800",
    "../../../../tmp/x",
    "\\end{document}\\input{/etc/passwd}",
]


CERTIFIED = {
    **{"id": CONVEX, "variant": "printed", "parameters": {"N": "1"}, "bound": 1.0, "upper": 1.0},
    **{"lower": None, "ratio": 1.0, "verdict": "holds", "method": "", "sentence": ""},
}


@pytest.mark.parametrize("evil", HOSTILE, ids=str)
def test_a_hostile_record_stays_text(
    report: Callable[..., dict[str, str]], reported: Path, tmp_path: Path, evil: str, fedbounds: Fedbounds
) -> None:
    data = data_of(reported)
    cell = data["cells"][0]
    texts = ("id", "role", "reading", "problem", "algorithm", "method", "sentence")
    tables = {"parameters": {evil: evil}, "engine": {evil: [evil]}, "problem_arguments": {evil: evil}}
    strange = cell | dict.fromkeys(texts, evil) | tables
    strange["bound"] = {"value": 1.0, "terms": {evil: 1.0}}
    strange["measured"] = cell["measured"] | {"exact": evil}
    familiar = cell | dict.fromkeys(("sentence", "role"), evil)
    worst = {"left": 1, "right": 2, "ratio": 0.5, "excess": -1, "family": evil, "objects": {evil: evil}}
    tried = {"kind": "property", "variant": "printed", "verdict": "holds", "cases": 1, "trials": 1}
    tried |= {"families": {evil: 1}, "worst": worst, "method": evil, "sentence": evil, "seed": data["seed"]}
    data["cells"] = [cell, familiar, strange]
    data["properties"] = [tried | {"id": evil}, tried | {"id": CONVEX}]
    certified = dict.fromkeys(("id", "variant", "method", "sentence"), evil) | {"parameters": {evil: evil}}
    data["worst_cases"] = [CERTIFIED | certified]
    data["environment"] |= {evil: evil}
    pages = report(recounted(data), "--no-audit")
    assert offences(pages["index.html"]) == []
    markdown = pages["report.md"]
    assert "<script>" not in markdown
    assert "\n# h" not in markdown
    for page_ in pages.values():
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", page_)
    assert "\\input{/etc" not in pages["verdicts.tex"] + pages["report.tex"]
    inside = {p.parent for p in tmp_path.rglob("*") if p.is_file()}
    assert inside <= {tmp_path, *(tmp_path / "report" / name for name in ("", "replay", "refutation"))}
    assert fedbounds("list", "--record", tmp_path).code == 0


@pytest.mark.parametrize("evil", [{"a": ["b"]}, [None, 1e308], -1, True, None], ids=str)
def test_values_of_another_type_are_refused(
    misuse: Callable[..., str], reported: Path, tmp_path: Path, evil: object
) -> None:
    data = data_of(reported)
    for key in ("sentence", "role", "digest", "parameters", "seed", "verdict", "measured"):
        cells = [data["cells"][0] | {key: evil}]
        (tmp_path / "record.json").write_text(json.dumps(data | {"cells": cells}))
        assert f"cells[0].{key}" in misuse("report", tmp_path)
        assert f"cells[0].{key}" in misuse("list", "--record", tmp_path)
    for key in ("sentence", "verdict", "parameters"):
        certified = CERTIFIED | {key: evil}
        (tmp_path / "record.json").write_text(json.dumps(data | {"worst_cases": [certified]}))
        assert f"worst_cases[0].{key}" in misuse("report", tmp_path)
    assert not (tmp_path / "report").exists()


def test_properties_must_have_a_name_and_a_verdict(
    misuse: Callable[..., str], reported: Path, tmp_path: Path
) -> None:
    (tmp_path / "record.json").write_text(json.dumps(data_of(reported) | {"properties": [{"id": "x"}]}))
    assert "properties[0]: missing key variant" in misuse("report", tmp_path)
    assert records.properties({"properties": "x"}) == []
