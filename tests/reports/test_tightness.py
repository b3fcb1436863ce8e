"""The picture of bounds over certified worst cases: kept numbers, its place on the page, its commands."""

import json
import shlex
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from page_reader import parts_of

import bounds
from bounds import discovery
from reports.page.tightness import tightness
from verify.worst_case import stored_answers
from verify.worst_case import tightness as numbers
from verify.worst_case.statements import question

CONVEX, F2 = "textbook.gradient_descent_convex", "fedavg_lojasiewicz.theorem_f2"
CURVES = [curve for identity in stored_answers.POINTS for curve in numbers.curves_of(identity)]


def test_every_form_with_a_kept_point_has_a_curve() -> None:
    forms = {(s.id, s.variant) for s in discovery.forms().values() if s.id in stored_answers.POINTS}
    assert {(curve["id"], curve["variant"]) for curve in CURVES} == forms
    assert all(len(curve["places"]) >= 5 for curve in CURVES)


@pytest.mark.parametrize("curve", CURVES, ids=lambda c: f"{c['id']}-{c['variant']}")
def test_kept_bounds_are_those_of_the_statement(curve: Any) -> None:
    statement = discovery.get(curve["id"], curve["variant"])
    given = {name: Fraction(value) for name, value in curve["given"].items()}
    for place in curve["places"]:
        asked = question(statement, given | {curve["axis"]: Fraction(place["at"])})
        assert not asked.failed
        assert float(asked.bound) == place["bound"]
        assert place["lower"] is None or place["lower"] <= place["upper"]
        assert place["bound"] >= place["upper"] * (1 - 1e-6)


def test_a_kept_certificate_proves_the_place_it_is_at() -> None:
    entry = stored_answers.entry_of(discovery.get(F2, "amended"))
    curve = next(c for c in CURVES if (c["id"], c["variant"]) == (F2, "amended"))
    place = next(one for one in curve["places"] if one["at"] == entry["parameters"][curve["axis"]])
    assert {name: entry[name] for name in ("bound", "upper", "lower")} == pytest.approx(
        {name: place[name] for name in ("bound", "upper", "lower")}, rel=1e-7
    )


def test_the_smallest_multiple_of_a_term() -> None:
    shares = {(s["variant"], s["term"]): s for s in numbers.shares_of(F2)}
    assert 0 < Fraction(shares["amended", "noise"]["multiple"]) < 1
    for share in shares.values():
        assert set(share["sizes"]) >= {"H", "R"}
        if share["leading"] is not None and share["multiple"] != "0":
            times = Fraction(share["needed"]) / Fraction(share["multiple"])
            assert float(times) == pytest.approx(float(Fraction(share["leading"])), rel=1e-3)
    assert [s["multiple"] for s in numbers.shares_of(CONVEX)] == ["1"]


def test_the_picture() -> None:
    found = tightness(F2)
    assert found is not None
    drawn = ElementTree.fromstring(found["svg"])
    assert "over its certified worst case" in drawn.attrib["aria-label"]
    looks = [path.attrib["class"] for path in drawn.iter() if path.attrib.get("class", "").startswith("line")]
    assert {"line bound", "line second"} <= set(looks)
    assert [row["form"] for row in found["rows"]].count("amended") == 5
    assert tightness("fed_norm_ec.lemma_4") is None


def test_a_command_makes_the_numbers_again(fedbounds: Any) -> None:
    pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")
    found = tightness(CONVEX)
    assert found is not None
    words = shlex.split(found["commands"][0])
    assert words[0] == "fedbounds"
    points = fedbounds(*words[1:], "--json").json["points"]
    for point, row in zip(points, found["rows"], strict=True):
        for name in ("bound", "upper", "lower"):
            assert point[name] == pytest.approx(row[name], rel=1e-6)


def test_a_statement_shows_it_when_it_is_opened(
    record: Path, fedbounds: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The picture is packed: the page itself has only the place where it goes, inside its statement."""
    chosen = tuple(bounds.get(identity) for identity in (CONVEX, "fed_norm_ec.lemma_4"))
    monkeypatch.setattr(bounds, "statements", lambda *_: chosen)
    shutil.copy(record / "record.json", tmp_path)
    pages = {}
    for more in ((), ("--no-pictures",)):
        assert fedbounds("report", tmp_path, "--no-audit", *more).code == 0
        pages[more] = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    page = pages[()]
    parts = parts_of(page)
    (number,) = [n for n, part in enumerate(parts) if "certified worst case of its class" in part]
    assert "certified worst case of its class" not in page
    _, *pieces = page.split('<details class="statement" id="')
    holding = [piece for piece in pieces if f'data-part="{number}"' in piece]
    assert [piece.partition('"')[0] for piece in holding] == ["textbook-gradient-descent-convex"]
    assert "<h6>Bound over the worst case</h6>" in holding[0]
    assert "<svg" in parts[number]
    assert "fedbounds worst textbook.gradient_descent_convex --over" in parts[number]
    assert len(json.dumps(parts[number])) < 20_000
    assert "Bound over the worst case" not in pages["--no-pictures",]
