"""verify, replay, report: from a real record to exit codes and pages."""

import json
import re
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import bounds
from reports import exits, page
from verify import record as records
from verify import run as runs

Fedbounds = Callable[..., Any]

CONVEX = "textbook.gradient_descent_convex"


def test_verify_json_progress_and_record(fedbounds: Fedbounds, tmp_path: Path) -> None:
    done = fedbounds("verify", CONVEX, "--quick", "--out", tmp_path, "--json")
    assert done.code == 0
    assert {cell["id"] for cell in done.json["cells"]} == {CONVEX}
    assert done.json["record"] == str(tmp_path / "record.json")
    assert "1/2" in done.err
    written = json.loads((tmp_path / "record.json").read_text())
    assert written["cells"] == done.json["cells"]


def test_the_defaults_are_those_of_the_library() -> None:
    from inspect import signature

    from reports.verbs.verify import run

    defaults = {name: p.default for name, p in signature(run).parameters.items()}
    assert (defaults["level"], defaults["seed"]) == (runs.LEVEL, runs.SEED)


def test_verify_tells_what_has_no_cell(fedbounds: Fedbounds) -> None:
    done = fedbounds("verify", CONVEX, "fed_norm_ec.lemma_4", "--quick")
    assert done.code == 0
    assert "no cell exists for fed_norm_ec.lemma_4" in done.err
    assert "2 cells at error level 0.001: 2 holds" in done.out


def test_a_violated_cell_is_1_unless_asked_otherwise(
    fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    def document(*results: object, **more: object) -> Any:
        data = original(*results, **more)
        data["cells"][0]["verdict"] = "violated"
        data["cells"][1]["verdict"] = "refused"
        return data

    original = records.document
    monkeypatch.setattr(records, "document", document)
    assert fedbounds("verify", CONVEX, "--quick").code == 1
    assert fedbounds("verify", CONVEX, "--quick", "--exit-zero").code == 0


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        (["holds", "vacuous"], 0),
        (["holds", "inconclusive"], 3),
        (["refused"], 3),
        (["refused", "violated", "holds"], 1),
        (["something new"], 3),
        ([], 0),
    ],
)
def test_codes_of_verdicts(verdicts: list[str], code: int) -> None:
    assert exits.of_verdicts(verdicts) == code


def test_precedence_of_codes() -> None:
    assert [exits.worst(c) for c in ([0, 3, 1, 2], [0, 3, 1], [0, 3], [0], [])] == [2, 1, 3, 0, 0]


def test_other_readings_do_not_speak_for_the_statement(
    fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    def document(*results: object, **more: object) -> Any:
        data = original(*results, **more)
        data["cells"][0] |= {"verdict": "violated", "reading": "coupled noises"}
        return data

    original = records.document
    monkeypatch.setattr(records, "document", document)
    done = fedbounds("verify", CONVEX, "--quick")
    assert done.code == 0
    assert "[coupled noises]" in done.out


def test_replay_agrees_and_can_disagree(fedbounds: Fedbounds, record: Path, tmp_path: Path) -> None:
    data = json.loads((record / "record.json").read_text())
    data["cells"] = [cell for cell in data["cells"] if cell["id"] == CONVEX]
    file = tmp_path / "record.json"
    file.write_text(json.dumps(data))
    done = fedbounds("replay", file, "--json")
    assert (done.code, done.json["agrees"]) == (0, True)
    data["cells"][0]["bound"]["value"] *= 1.01
    file.write_text(json.dumps(data))
    done = fedbounds("replay", tmp_path)
    assert done.code == 1
    assert "DIFFERS" in done.out
    assert "1 of 2 agree" in done.out


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Elements()
    parser.feed(html)
    return parser.found


def test_the_report_is_one_file_that_opens_offline(
    fedbounds: Fedbounds, record: Path, tmp_path: Path
) -> None:
    shutil.copy(record / "record.json", tmp_path)
    done = fedbounds("report", tmp_path, "--json")
    assert done.code == 0
    html, markdown = (Path(p).read_text(encoding="utf-8") for p in done.json["paths"])
    assert sorted(p.name for p in (tmp_path / "report").iterdir()) == ["index.html", "report.md"]
    found = elements(html)
    tags = {tag for tag, _ in found}
    assert not tags & {"script", "link", "img", "iframe", "object"}
    links = [attrs["href"] for _, attrs in found if "href" in attrs]
    anchors = {attrs.get("id") for _, attrs in found}
    assert links
    assert all(link is not None and link[0] == "#" and link[1:] in anchors for link in links)
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html
    for statement in bounds.statements():
        assert statement.id in html
        assert all(formula in markdown for formula in statement.printed)
    assert html.count("No cell: ") == markdown.count("No cell: ") > 0
    assert "about runs have no cell in this record" in html
    assert 'formula"><code' not in html, "every printed formula of ours converts"
    assert "exact rational run" in html
    assert "inconsistent" in html
    for math in re.findall(r"<math.*?</math>", html, re.DOTALL):
        ElementTree.fromstring(math)


def test_a_hostile_record_stays_text(fedbounds: Fedbounds, record: Path, tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>|`x`\n# h"
    data = json.loads((record / "record.json").read_text())
    cell = data["cells"][0] | {"id": evil, "verdict": evil, "sentence": evil, "role": evil, "method": [evil]}
    cell |= {
        "parameters": {evil: evil},
        "measured": {"estimate": evil, "exact": evil},
        "level": {},
        "ratio": evil,
    }
    data["cells"] = [*data["cells"], cell]
    data["environment"] = {evil: evil}
    data["seed"] = evil
    data["summary"] = {"standings": {evil: evil}}
    (tmp_path / "record.json").write_text(json.dumps(data))
    assert fedbounds("report", tmp_path).code == 0
    html = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "script" not in {tag for tag, _ in elements(html)}
    markdown = (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    assert "<script>" not in markdown
    assert "\n# h" not in markdown
    assert fedbounds("list", "--record", tmp_path).code == 0


def test_numbers_and_markdown_escapes() -> None:
    assert [page.number(v) for v in (1, 0.123456789, None, True, "x")] == ["1", "0.123457", "–", "–", "–"]
    assert page.escaped("a|b_c <i>") == "a\\|b\\_c &lt;i&gt;"
    assert page.fenced("```").startswith("````")
