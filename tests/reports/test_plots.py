"""Figures: every symbol can be drawn, nothing overlaps, grey suffices, equal input gives equal bytes."""

import subprocess
from collections.abc import Callable
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.mathtext import MathTextParser

import bounds
from bounds.evaluation.evaluate import evaluate
from reports.plots import bounds_over_parameters, local_steps_control, stacked_terms, style
from reports.plots.axis import Axis, axes, label_of
from reports.plots.comparison import Comparison, Point, Series
from reports.plots.files import DRAWN_BY, picture
from reports.plots.style import AREAS, CURVES

Process = Callable[..., "subprocess.Popen[str]"]

THEOREM_2 = {"L": 1.0, "D0": 1.0, "alpha": 2.0, "rho": 0.1, "Delta_star_max": 0.05, "Delta_star_mean": 0.005}
CONTROL = {"R_S": 50.0, "R_C": 317.0, "tau_star": 20.0, "eta": 0.1, "beta": 1.0, "rho": 1.0, "d": 4.0}
CONTROL |= {"xi": 0.1, "C": 1.0, "B": 10.0, "sigma": 0.01, "lam": 0.1, "omega": 30.0}


def two_statements() -> Comparison:
    h, distance = (bounds.get(i) for i in ("als_dpfl.h.main", "als_dpfl.theorem_1.distance"))
    given = {"eta": 0.1, "beta": 1.0, "xi": 0.5, "d": 100.0, "sigma": 1.1, "C": 1.0, "B": 64.0}
    over = axes(["x=0:20"], h, most=1)
    return bounds_over_parameters.compared([(h, given), (distance, given | {"tau": 10.0})], over, None)


def curves() -> Comparison:
    theorem = bounds.get("dp_fedavg.theorem_2")
    given = {n: v for n, v in THEOREM_2.items() if n != "rho"} | {"E": 2.0, "C_hat": 1.0}
    over = axes(["K=10:1000:40:log"], theorem, most=1)
    return bounds_over_parameters.compared([(theorem, given)], over, ("rho", (0.05, 0.1, 0.2)))


def heat_map() -> Comparison:
    theorem = bounds.get("dp_fedavg.theorem_2")
    over = axes(["E=1:12", "C_hat=0.2:3:20"], theorem, most=2)
    return bounds_over_parameters.compared([(theorem, THEOREM_2 | {"K": 100.0})], over, None)


def terms() -> Comparison:
    theorem = bounds.get("fed_norm_ec.theorem_1.main")
    given = {"M": 10.0, "K": 99.0, "T": 5.0, "L": 1.0, "f0_gap": 1.0, "Delta_inf": 40.0, "R": 1.0}
    given |= {"beta": 0.1, "p": 0.5, "sigma_DP": 2.0, "alpha": 1.0}
    (over,) = axes(["eta=0.002:0.05:30:log"], theorem, most=1)
    return stacked_terms.compared(theorem, over, given)


def control(omega: float = 30.0) -> Comparison:
    return local_steps_control.compared(CONTROL | {"omega": omega}, 30)


def band() -> Comparison:
    """As a run gives it; also with points that have no number, and long names."""
    gone = Point(at=(5.0,), value=None, usable=False, why="refused")
    points = [Point(at=(x,), value=9 / x, lower=8 / x, upper=10 / x) for x in (1.0, 2.0, 4.0)]
    return Comparison(
        mode="run",
        title="A rather long title of a theorem on the distance of averaged models: paper.theorem_1.distance",
        axes=(Axis(name="K", label="communication rounds, $K$ [no unit]", values=(1.0, 2.0, 4.0, 5.0)),),
        label="smallest, over the rounds 0..K, of the expected gradient norm, less a random part",
        unit="F/X",
        series=(
            Series(name="bound", kind="bound", label="bound", points=(*points, gone)),
            Series(
                name="run", kind="measured", label="measured, with confidence band", points=(*points, gone)
            ),
        ),
    )


FIGURES = {
    "two_statements": two_statements,
    "curves": curves,
    "heat_map": heat_map,
    "terms": terms,
    "control": control,
    "empty": lambda: control(3.0),
    "band": band,
}


def drawn(comparison: Comparison) -> Figure:
    with style.styled() as figure:
        FigureCanvasAgg(figure)
        import_module(f"reports.plots.{DRAWN_BY[comparison.mode]}").draw(comparison, figure)
        figure.draw_without_rendering()
        return figure


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", FIGURES)
def test_nothing_overlaps_and_nothing_is_cut(name: str) -> None:
    figure = drawn(FIGURES[name]())
    width, height = figure.bbox.size
    texts, boxes = [], []
    for ax in figure.axes:
        labels = [ax.xaxis.label, ax.yaxis.label, *(getattr(ax, t) for t in ("title", "_left_title"))]
        texts += [t for t in labels if t.get_text() and t.get_visible()]
        boxes.append(ax.get_window_extent())
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = [t for t in axis.get_major_ticks() + axis.get_minor_ticks() if low <= t.get_loc() <= high]
            shown = [
                t.label1.get_window_extent() for t in ticks if t.label1.get_text() and t.label1.get_visible()
            ]
            assert not [1 for a, b in combinations(shown, 2) if _cover(a, b)], "tick labels overlap"
    extents = [t.get_window_extent() for t in texts] + [g.get_window_extent() for g in figure.legends]
    for extent in extents:
        assert min(extent.x0, extent.y0) > -1, "cut at the left or below"
        assert extent.x1 < width + 1, "cut at the right"
        assert extent.y1 < height + 1, "cut above"
    assert not [1 for a, b in combinations(extents, 2) if _cover(a, b)], "texts or legends overlap"
    assert not [1 for legend in figure.legends for b in boxes if _cover(legend.get_window_extent(), b)]


def _cover(a: Any, b: Any) -> bool:
    return bool(min(a.x1, b.x1) - max(a.x0, b.x0) > 1 and min(a.y1, b.y1) - max(a.y0, b.y0) > 1)


def test_the_check_of_overlaps_can_fail() -> None:
    figure = drawn(band())
    legend = figure.legends[0].get_window_extent()
    assert not _cover(legend, figure.axes[0].get_window_extent())
    assert _cover(legend, figure.bbox)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", FIGURES)
def test_every_axis_names_its_unit(name: str) -> None:
    for ax in drawn(FIGURES[name]()).axes:
        for label in (ax.get_xlabel(), ax.get_ylabel()):
            assert not label or label.endswith("]"), label
        assert ax.get_ylabel()


# ---- what is drawn


def test_points_at_which_a_condition_fails_are_not_on_a_curve() -> None:
    (ax,) = drawn(two_statements()).axes
    h, distance = ax.get_lines()
    assert np.isfinite(h.get_ydata()).all()
    assert np.isfinite(distance.get_ydata()).tolist() == [x <= 10 for x in range(21)]


def test_the_infeasible_region_of_a_heat_map_is_hatched() -> None:
    ax, bar = drawn(heat_map()).axes
    (mesh,) = ax.collections
    values = np.ma.filled(mesh.get_array(), np.nan)
    thresholds, steps = np.linspace(0.2, 3, 20), np.arange(1, 13)
    feasible = (thresholds[:, None] >= 4 * 0.05**0.5) & (steps <= 10)
    assert (np.isfinite(values) == feasible).all()
    assert ax.patch.get_hatch()
    assert bar.get_ylabel() == "bound [F]"


def test_where_nothing_applies_the_axes_are_still_those_asked_for() -> None:
    theorem = bounds.get("dp_fedavg.theorem_2")
    given = THEOREM_2 | {"K": 100.0, "Delta_star_max": 9.0}
    for words in (["C_hat=1:2:5", "E=1:4"], ["C_hat=1:2:5:log"]):
        over = axes(words, theorem, most=2)
        more = {} if len(words) == 2 else {"E": 1.0}
        (ax,) = drawn(bounds_over_parameters.compared([(theorem, given | more)], over, None)).axes
        assert ax.get_xlim() == pytest.approx((1, 2), rel=0.05)
        assert ax.patch.get_hatch() or [p for p in ax.patches if p.get_hatch()]


def test_tau_star_is_marked_where_g_is_smallest() -> None:
    comparison = control()
    _, lower = drawn(comparison).axes
    curve, line, star = lower.get_lines()
    best = int(np.nanargmin(curve.get_ydata())) + 1
    assert comparison.marked == best
    assert (list(line.get_xdata()), list(star.get_xdata())) == ([best, best], [best])
    _, empty = drawn(control(3.0)).axes
    assert [t.get_text() for t in empty.texts] == [local_steps_control.EMPTY]


def test_the_first_of_equal_values_is_chosen() -> None:
    points = [Point(at=(float(t),), value=v) for t, v in enumerate((3, 1, 1, 2), start=1)]
    points[1:1] = [Point(at=(0.5,), value=0.0, usable=False)]
    assert local_steps_control.optimum(Series(name="G", kind="bound", label="", points=tuple(points))) == 2


def test_stacked_areas_end_at_the_value_of_the_bound() -> None:
    comparison = terms()
    (ax,) = drawn(comparison).axes
    top = ax.collections[len(comparison.series) - 1].get_paths()[0].vertices
    first = evaluate(
        bounds.get("fed_norm_ec.theorem_1.main"),
        {"M": 10, "K": 99, "T": 5, "L": 1, "f0_gap": 1, "Delta_inf": 40, "R": 1, "beta": 0.1, "p": 0.5}
        | {"sigma_DP": 2, "alpha": 1, "eta": 0.002},
    )
    assert top[:, 1].max() == pytest.approx(first.value)
    assert len(ax.patches) == 1  # the hatched part, where the step is too long


def test_hatched_runs_end_halfway_between_points() -> None:
    assert style._runs([True, False, False, True, False]) == [(1, 3), (4, 5)]
    assert style._runs([True, True]) == []
    linear = Axis(name="x", label="x", values=(1.0, 2.0, 4.0))
    assert style._halfway(linear) == [1, 1.5, 3, 4]
    spaced = Axis(name="x", label="x", values=(1.0, 100.0), logarithmic=True)
    assert style._halfway(spaced) == pytest.approx([1, 10, 100])


# ---- colour, grey, symbols, bytes


def luminance(color: str) -> float:
    red, green, blue = to_rgb(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_curves_and_areas_differ_without_colour() -> None:
    for entries in zip(*CURVES, strict=True):
        assert len({str(entry) for entry in entries}) == len(CURVES)
    assert len({hatch for _, hatch in AREAS}) == len(AREAS)
    assert min(luminance(color) for color, _ in AREAS) > 0.5  # a hatch shows on it
    assert max(luminance(color) for color, _, _ in CURVES) < 0.75  # a line shows on white


@pytest.mark.slow("draws every symbol")
def test_every_symbol_of_every_paper_is_drawn_or_named() -> None:
    """A few displays, which nobody puts on an axis, need what only LaTeX has."""
    parser = MathTextParser("path")
    papers = {statement.paper.key: statement.paper for statement in bounds.statements()}
    labels = [
        (name, label_of(name, quantity))
        for paper in papers.values()
        for name, quantity in paper.notation.quantities.items()
    ]
    shown = [style.drawable(label, name) for name, label in labels]
    for text in shown:
        if "$" not in text:
            parser.parse(text)
    assert sum("$" in text for text in shown) > 0.95 * len(labels) > 200


def test_a_formula_that_matplotlib_does_not_know_gives_way_to_the_name() -> None:
    assert style.drawable(r"noise, $\undreamt{x}$ [X]", "sigma") == "noise, sigma [X]"
    assert style.drawable(r"noise, $\sigma$ [X]", "sigma") == r"noise, $\sigma$ [X]"
    assert style.wrapped("one two $a b c$ three", 9).split("\n") == ["one two", "$a b c$", "three"]


def test_an_axis_takes_whole_numbers_of_what_is_counted() -> None:
    theorem = bounds.get("dp_fedavg.theorem_2")
    counted, real = axes(["K=1:8:30:log", "rho=0.1:0.2:3"], theorem, most=2)
    assert counted.values == tuple(range(1, 9))
    assert real.values == pytest.approx((0.1, 0.15, 0.2))


@pytest.mark.thinned(2)
@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_equal_input_gives_equal_bytes(kind: str) -> None:
    first, second = (picture(heat_map(), kind) for _ in range(2))
    assert first == second
    assert picture(band(), kind) != first
    assert b"Date" not in first
    if kind == "svg":
        assert ElementTree.fromstring(first).tag.endswith("svg")
    else:
        assert first.startswith(b"%PDF")


LOADED = """
import sys
from reports.command_line import run
for arguments in (sys.argv[1:-2], sys.argv[1:]):
    assert run(arguments) == 0
    print("LOADED", *sys.modules, file=sys.stderr)
"""


def test_only_a_figure_loads_matplotlib_and_none_loads_pyplot(process: Process, tmp_path: Path) -> None:
    call = ["compare", "bounds", "textbook.gradient_descent_convex", "--over", "N=1:3"]
    call += ["--set", "L=1", "D0=1", "--out", str(tmp_path)]
    told, error = (done := process(*call, code=LOADED)).communicate(timeout=60)
    assert done.returncode == 0, error
    assert told
    loaded = [set(line.split()) for line in error.split("LOADED")[1:]]
    heavy = {"torch", "matplotlib", "matplotlib.pyplot"}
    assert [modules & heavy for modules in loaded] == [set(), {"matplotlib"}]
