"""Pictures of a report: which cell, which axis, and what becomes of a figure inside a page."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import bounds
from reports.page import pictures
from reports.page.cells import HIGHEST, LOWEST, WIDTH, cell
from reports.page.standard import cells as standard_cells
from reports.plots.inline import inline
from verify.cell import Cell

CONVEX = "textbook.gradient_descent_convex"


def entry(role: str, verdict: str = "holds", **more: Any) -> dict[str, Any]:
    measured = {"estimate": None if verdict in ("refused", "vacuous") else 1.0}
    return {"role": role, "verdict": verdict, "measured": measured, "ratio": None} | more


@pytest.mark.parametrize(
    ("entries", "chosen"),
    [
        ([entry("a"), entry("heterogeneous"), entry("b", "violated", ratio=2), entry("c", "violated")], "b"),
        ([entry("a", "violated"), entry("b", "violated", ratio=1.5), entry("c", "violated", ratio=1.2)], "b"),
        ([entry("a"), entry("heterogeneous")], "heterogeneous"),
        ([entry("a", "refused"), entry("b", "inconclusive"), entry("c")], "b"),
        ([entry("heterogeneous", "refused"), entry("b")], "b"),
        ([entry("a", "violated", ratio=9, reading="coupled noises"), entry("b")], "b"),
        ([entry("a", "refused"), entry("b", "vacuous")], None),
        ([entry("a", measured={"estimate": "evil"}), entry("b", measured={"estimate": True})], None),
        ([], None),
    ],
)
def test_the_rule_of_the_cell(entries: list[dict[str, Any]], chosen: str | None) -> None:
    found = pictures.representative(entries)
    assert (found["role"] if found else None) == chosen


def axis_of(identity: str, role: str) -> tuple[str, tuple[float, ...]] | None:
    statement = bounds.get(identity)
    known = standard_cells(identity, statement.variant)
    chosen = next(c for c in known if c.role == role)
    axis = pictures.rounds(statement, chosen, known)
    return (axis.name, axis.values) if axis else None


def test_the_axis_counts_the_length_of_a_run() -> None:
    """Not the local steps of a round; where nothing counts a length there is no axis."""
    name, values = axis_of("dp_fedavg.theorem_2", "heterogeneous") or ("", ())
    assert (name, len(values), values[0], values[-1]) == ("K", 7, 1, 20)  # E = 3 counts within a round
    assert all(abs(v - (1 + 19 * i / 6)) <= 0.5 and v == int(v) for i, v in enumerate(values))
    assert axis_of(CONVEX, "tight") == ("N", (1.0, 2.0, 3.0, 4.0, 5.0))
    assert axis_of("fed_norm_ec.lemma_1", "smoothing far below the memory step") is None


def test_a_cell_of_the_first_length_is_followed_to_the_longest() -> None:
    assert axis_of("als_dpfl.theorem_1.distance", "strong noise, large batch") == (
        "x",
        (1.0, 2.0, 3.0, 4.0, 5.0),
    )


def test_only_cells_of_this_installation_are_run(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object, **__: object) -> None:
        raise AssertionError("what a record asks for was run")

    monkeypatch.setattr(pictures.bound_against_run, "along", run)
    data = json.loads((record / "record.json").read_text())
    own = [c for c in data["cells"] if c["id"] == CONVEX]
    statement = bounds.get(CONVEX)
    for change in ({"digest": "0" * 16}, {"digest": None}, {"seed": -1}, {"seed": True}, {"seed": "1"}):
        drawn = pictures.picture(statement, [own[0] | change], "name", 1e-3)
        assert drawn == {"why_none": "its cell is not one that this version runs"}
    with pytest.raises(AssertionError, match="was run"):
        pictures.picture(statement, own, "name", 1e-3)


def test_a_cell_that_cannot_be_run_at_another_length_costs_its_picture_only(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*_: object, **__: object) -> None:
        raise KeyError("auxiliary_gap")

    monkeypatch.setattr(pictures.bound_against_run, "along", run)
    data = json.loads((record / "record.json").read_text())
    own = [c for c in data["cells"] if c["id"] == CONVEX]
    assert "auxiliary_gap" in pictures.picture(bounds.get(CONVEX), own, "name", 1e-3)["why_none"]


# ---- a figure inside a page


def draw(figure: Any) -> None:
    axes = figure.add_subplot()
    axes.plot([1, 2, 3], [1, 4, 2], color="#000000", marker="o", label="bound <b>&")
    axes.plot([1, 2, 3], [1, 2, 2], color="#0072B2", linestyle="--", marker="s", label="measured")
    axes.fill_between([1, 2, 3], [0, 1, 1], [2, 3, 3], color="#0072B2", alpha=0.2)
    axes.set_xlabel("rounds </svg><script>1</script>")
    figure.legend()


def test_a_figure_takes_the_colours_of_its_page_and_keeps_its_text() -> None:
    svg = inline(draw, "first", 'what "it" shows')
    root = ElementTree.fromstring(svg)
    assert root.attrib["aria-label"] == 'what "it" shows'
    assert "viewBox" in root.attrib
    assert not {"width", "height"} & root.attrib.keys()
    tags = {element.tag.split("}")[1] for element in root.iter()}
    assert not tags & {"style", "metadata", "script", "image", "a"}
    assert {"text", "path", "use"} <= tags
    assert "rounds </svg><script>1</script>" in ["".join(e.itertext()) for e in root.iter()]
    colours = set(re.findall(r"(?:fill|stroke): ([^;\"]+)", svg))
    assert colours <= {"none", "var(--ink)", "var(--line)", "var(--measured)"}
    assert "http" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_two_figures_in_one_page_share_no_name() -> None:
    ids = []
    for name in ("first", "second"):
        root = ElementTree.fromstring(inline(draw, name, "told"))
        own = {e.attrib["id"] for e in root.iter() if "id" in e.attrib}
        used = set(re.findall(r"url\(#([^)]+)\)", ElementTree.tostring(root, encoding="unicode")))
        used |= {e.attrib["href"][1:] for e in root.iter() if "href" in e.attrib}
        assert own == used, "names that nobody uses are gone, those that are used exist"
        ids.append(own)
    assert ids[0]
    assert not ids[0] & ids[1]
    assert inline(draw, "first", "told") == inline(draw, "first", "told")


# ---- the scale of the ratio


def scaled(ratio: Any, bound: Any = 2.0, lower: Any = None, upper: Any = None) -> dict[str, Any] | None:
    made = {"id": "x", "verdict": "holds", "parameters": {}, "excess": {}, "ratio": ratio}
    made |= {"bound": {"value": bound}, "measured": {"lower": lower, "upper": upper}}
    scale: dict[str, Any] | None = cell(made)["scale"]
    return scale


def test_the_scale_places_ratios_in_order_around_one() -> None:
    places = [scaled(r) for r in (1e-9, 10**LOWEST, 0.1, 0.999, 1.0, 1.001, 10**HIGHEST, 1e9)]
    at = [p["at"] for p in places if p]
    assert at == sorted(at)
    assert min(at) >= 0
    assert max(at) <= WIDTH
    assert [p["above"] for p in places if p] == [False] * 5 + [True] * 3
    assert places[4]
    assert places[4]["at"] == places[4]["one"]
    interval = scaled(0.5, bound=2.0, lower=0.2, upper=2.0)
    assert interval
    assert interval["high"] == interval["one"]
    assert interval["low"] < interval["at"] < interval["high"]


@pytest.mark.parametrize("ratio", [None, 0, -1, float("inf"), "1", True])
def test_without_a_ratio_there_is_no_scale(ratio: Any) -> None:
    assert scaled(ratio) is None
    assert scaled(1.0, bound=ratio) is None


def test_cells_are_made_once_and_are_those_of_the_form() -> None:
    first = standard_cells(CONVEX, "printed")
    assert first
    assert all(isinstance(c, Cell) and c.variant == "printed" for c in first)
    assert standard_cells(CONVEX, "printed") is first
