"""Pictures of a report: which cell, which axis, and what becomes of a figure inside a page."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

import bounds
from reports.page import pictures
from reports.page.cells import HIGHEST, LOWEST, WIDTH, cell
from reports.page.standard import cells as standard_cells
from reports.plots import light
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
    """The label, what counts the rounds and its meaning, and the values."""
    statement = bounds.get(identity)
    known = standard_cells(identity, statement.variant)
    chosen = next(c for c in known if c.role == role)
    axis = pictures.rounds(statement, chosen, known)
    return (axis.label, axis.values) if axis else None


def test_the_axis_counts_the_length_of_a_run() -> None:
    """Not the local steps of a round; where nothing counts a length there is no axis."""
    label, values = axis_of("dp_fedavg.theorem_2", "heterogeneous") or ("", ())
    assert label == "K: communication rounds"  # E = 3 counts within a round
    assert (len(values), values[0], values[-1]) == (7, 1, 20)
    assert all(abs(v - (1 + 19 * i / 6)) <= 0.5 and v == int(v) for i, v in enumerate(values))
    assert axis_of(CONVEX, "tight") == ("N: number of gradient steps", (1.0, 2.0, 3.0, 4.0, 5.0))
    assert axis_of("fed_norm_ec.lemma_1", "smoothing far below the memory step") is None


def test_a_cell_of_the_first_length_is_followed_to_the_longest() -> None:
    assert axis_of("als_dpfl.theorem_1.distance", "strong noise, large batch") == (
        "x: local steps since the last aggregation, t-(k-1)tau",
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
        drawn = pictures.picture(statement, [own[0] | change], 1e-3)
        assert drawn == {"why_none": "its cell is not one that this version runs"}
    with pytest.raises(AssertionError, match="was run"):
        pictures.picture(statement, own, 1e-3)


def test_a_cell_that_cannot_be_run_at_another_length_costs_its_picture_only(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*_: object, **__: object) -> None:
        raise KeyError("auxiliary_gap")

    monkeypatch.setattr(pictures.bound_against_run, "along", run)
    data = json.loads((record / "record.json").read_text())
    own = [c for c in data["cells"] if c["id"] == CONVEX]
    assert "auxiliary_gap" in pictures.picture(bounds.get(CONVEX), own, 1e-3)["why_none"]


# ---- a chart inside a page


def chart(**more: Any) -> light.Chart:
    bound = light.Curve(name="bound <b>&", look=light.BOUND, points=((1, 4.0), (2, 2.0), (3, 1.0)))
    band = ((1.0, 1.0, 3.0), (2.0, 0.5, 1.5))
    measured = light.Curve(
        name="measured", look=light.MEASURED, points=((1, 2.0), (2, 1.0), (3, None)), band=band
    )
    usual: dict[str, Any] = {
        "x": "rounds </svg><script>1</script>",
        "y": "gap",
        "in_words": 'what "it" shows',
    }
    return light.Chart(**(usual | {"curves": (bound, measured)} | more))


def test_a_chart_takes_the_colors_of_its_page_and_keeps_its_text() -> None:
    root = ElementTree.fromstring(light.svg(chart()))
    assert root.attrib["aria-label"] == 'what "it" shows'
    assert "viewBox" in root.attrib
    assert {element.tag for element in root.iter()} == {"svg", "path", "text"}
    assert not any(
        {"style", "fill", "stroke", "id", "href"} & element.attrib.keys() for element in root.iter()
    )
    texts = [element.text for element in root.iter("text")]
    assert "rounds </svg><script>1</script>" in texts
    assert "bound <b>&" in texts
    assert len(light.svg(chart())) < 3000


def test_a_name_in_the_legend_ends_before_the_next_sample_in_a_narrow_window_too() -> None:
    """There the letters are larger, and the font that most systems fall back to is a wide one."""
    style = (files("reports") / "templates" / "report.css").read_text(encoding="utf-8")
    narrow = style[style.index("@media (max-width") :]
    size = float(re.findall(r"svg\.chart text { font-size: (\d+)px; }", narrow)[0])
    names = ("bound", "mean local update P(x)", "measured")
    curves = tuple(light.Curve(name=name, look=light.BOUND, points=((1, 2.0),)) for name in names)
    svg = light.svg(light.Chart(x="K", y="gap", in_words="words", curves=curves))
    samples = [float(x) for x in re.findall(r'd="M(\d+) 14h26"', svg)]
    begins = {text: float(x) for x, text in re.findall(r'<text x="(\d+)" y="18">([^<]*)<', svg)}
    for name, following in zip(names[:-1], samples[1:], strict=True):
        width = (
            TextPath((0, 0), name, size=size, prop=FontProperties(family="DejaVu Sans")).get_extents().width
        )
        assert begins[name] + width + 8 <= following, name


def line(svg: str, look: str) -> list[tuple[float, float]]:
    found = re.findall(rf'<path class="line {look}" d="([^"]*)"', svg)[0]  # the second one is of the legend
    return [(float(x), float(y)) for x, y in re.findall(r"([0-9.]+) ([0-9.]+)", found)]


def test_points_stand_where_their_values_are() -> None:
    """Linear in both axes: halfway between two values is halfway between their places."""
    (x1, y4), (x2, y2), (x3, y1) = line(light.svg(chart()), light.BOUND)
    assert x2 - x1 == pytest.approx(x3 - x2)
    assert (y2 - y4) == pytest.approx(2 * (y1 - y2), abs=0.2)
    assert len(line(light.svg(chart()), light.MEASURED)) == 2, "a missing value is not drawn"


def test_values_that_span_decades_are_drawn_on_a_logarithmic_axis() -> None:
    points = ((1, 1.0), (2, 10.0), (3, 100.0))
    svg = light.svg(chart(curves=(light.Curve(name="a", look=light.BOUND, points=points),)))
    (_, a), (_, b), (_, c) = line(svg, light.BOUND)
    assert a - b == pytest.approx(b - c, abs=0.2)
    assert ">100</text>" in svg


@pytest.mark.parametrize("values", [(1.0, 1.0), (0.0, 0.0), (-1e300, 1e300), (1e-300, 2e-300)])
def test_any_range_of_values_is_drawn(values: tuple[float, float]) -> None:
    curve = light.Curve(name="a", look=light.BOUND, points=((1, values[0]), (2, values[1])))
    ElementTree.fromstring(light.svg(chart(curves=(curve,))))


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


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (0.0001, "1e-4"),
        (0.001, "0.001"),
        (1000, "1000"),
        (100000, "1e5"),
        (1e-8, "1e-8"),
        (0.12345, "0.12345"),
    ],
)
def test_a_label_at_an_axis_is_short(value: float, label: str) -> None:
    assert light._number(value) == label
