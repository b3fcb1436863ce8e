"""Records: their published schema, and reports of unusual ones with refused cells or hostile words."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from page_reader import Elements, offences, section, unpack_page

import bounds
from reports.documents import record as records
from verify.records import refuted
from verify.records.standings import summary

Fedbounds = Callable[..., Any]
Plain = dict[str, Any]

CONVEX = "textbook.gradient_descent_convex"
FEW = (CONVEX, "fed_norm_ec.theorem_1.main", "fed_norm_ec.lemma_4", "als_dpfl.claims.h_vanishes_at_one")


@pytest.fixture
def data(record: Path) -> Plain:
    found: Plain = json.loads((record / "record.json").read_text(encoding="utf-8"))
    return found


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
    """The record gets the summary and the shares of the level that its entries ask for."""
    level = data["error_level"] / max(1, len(data["cells"]))
    data["cells"] = [cell | {"level": level} for cell in data["cells"]]
    return data | {"summary": summary([*data["cells"], *data["properties"]], data.get("worst_cases", ()))}


# ---- the published schema of the record


def validator() -> Draft202012Validator:
    schema = json.loads((files("reports") / "schemas" / "record.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_records_follow_their_published_schema(
    report: Callable[..., dict[str, str]], data: Plain, tmp_path: Path
) -> None:
    report(data)
    schema = validator()
    schema.validate(data)
    schema.validate(json.loads(refuted.FILE.read_text(encoding="utf-8")))
    for path in (tmp_path / "report" / "replay").iterdir():
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
def test_the_schema_refuses(data: Any, where: tuple[str | int, ...], value: object) -> None:
    inside = data
    for step in where[:-1]:
        inside = inside[step]
    inside[where[-1]] = value
    assert not validator().is_valid(data)


# ---- records of every sort


def test_a_record_without_entries_is_refused(misuse: Callable[..., str], data: Plain, tmp_path: Path) -> None:
    (tmp_path / "record.json").write_text(json.dumps(data | {"cells": [], "properties": []}))
    assert "has no cells" in misuse("report", tmp_path)
    assert not (tmp_path / "report").exists()


def test_a_record_of_refused_cells_only(report: Callable[..., dict[str, str]], data: Plain) -> None:
    nothing = {"estimate": None, "lower": None, "upper": None, "exact": None}
    not_run = {"verdict": "refused", "measured": nothing, "excess": nothing, "ratio": None}
    not_run |= {"bound": {"value": None, "terms": {}}, "sentence": "refused: because", "method": "not run"}
    data["cells"] = [cell | not_run for cell in data["cells"] if cell["id"] == CONVEX]
    data["properties"] = []
    told = Elements(section(report(recounted(data), "--no-audit")["index.html"], CONVEX)).text
    assert "No picture over rounds: none of its cells was run." in told
    assert "because" in told


def test_a_statement_that_is_not_installed(report: Callable[..., dict[str, str]], data: Plain) -> None:
    data["cells"] = [data["cells"][0] | {"id": "elsewhere.theorem_9"}]
    data["properties"] = []
    pages = report(recounted(data), "--no-audit")
    told = Elements(section(pages["index.html"], "elsewhere.theorem_9")).text
    assert "not installed here" in told
    assert "no statement elsewhere.theorem_9" in told
    assert all("elsewhere" in pages[name] for name in ("report.md", "index.html"))
    assert offences(pages["index.html"]) == []


def test_what_was_tried_on_objects(report: Callable[..., dict[str, str]], data: Plain) -> None:
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
    report: Callable[..., dict[str, str]], data: Plain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its words are text, and an example that does not fit it costs its own section only."""
    evil = "<script>alert(1)</script> \\input{x} & `y` | *z*"
    strange = replace(bounds.get(CONVEX), title=evil, reading=evil, example={"N": 1, "nothing": 2})
    monkeypatch.setattr(bounds, "statements", lambda *_: (strange,))
    pages = report(data, "--no-pictures")
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
    report: Callable[..., dict[str, str]], data: Plain, tmp_path: Path, evil: str, fedbounds: Fedbounds
) -> None:
    cell = data["cells"][0]
    texts = ("id", "role", "reading", "problem", "algorithm", "method", "sentence")
    tables = {"parameters": {evil: evil}, "engine": {evil: [evil]}, "problem_arguments": {evil: evil}}
    strange = cell | dict.fromkeys(texts, evil) | tables
    strange["bound"] = {"value": 1.0, "terms": {evil: 1.0}}
    strange["measured"] = cell["measured"] | {"exact": evil}
    strange["digest"] = "1" * 16
    familiar = cell | dict.fromkeys(("sentence", "role"), evil) | {"digest": "0" * 16}
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
    refused = fedbounds("list", "--record", tmp_path)  # its sentences are not those of its numbers
    assert refused.code == 2
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", refused.err)


@pytest.mark.parametrize("evil", [{"a": ["b"]}, [None, 1e308], -1, True, None], ids=str)
def test_values_of_another_type_are_refused(
    misuse: Callable[..., str], data: Plain, tmp_path: Path, evil: object
) -> None:
    for key in ("sentence", "role", "digest", "parameters", "seed", "verdict", "measured"):
        cells = [data["cells"][0] | {key: evil}]
        (tmp_path / "record.json").write_text(json.dumps(data | {"cells": cells}))
        assert f"cell 1: {key}" in misuse("report", tmp_path)
        assert f"cell 1: {key}" in misuse("list", "--record", tmp_path)
    for key in ("sentence", "verdict", "parameters"):
        certified = CERTIFIED | {key: evil}
        (tmp_path / "record.json").write_text(json.dumps(data | {"worst_cases": [certified]}))
        assert f"worst case 1: {key}" in misuse("report", tmp_path)
    assert not (tmp_path / "report").exists()


def test_properties_must_have_a_name_and_a_verdict(
    misuse: Callable[..., str], data: Plain, tmp_path: Path
) -> None:
    (tmp_path / "record.json").write_text(json.dumps(data | {"properties": [{"id": "x"}]}))
    assert "property 1: missing key variant" in misuse("report", tmp_path)
    assert records.properties({"properties": "x"}) == []
