"""The control of ALS-DPFL: h(tau), how far local models drift, G(tau), what it costs, and tau*.

tau* is the whole number that minimizes G among those at which the conditions of its rule hold; outside them G
is no bound, and smaller than its floor. Where no tau qualifies the rule has no answer, and that is said.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

import bounds
from bounds.evaluation.resolve import names_taken
from bounds.language.statement import Statement
from reports.errors import BadAssignment
from reports.plots.axis import Axis, label_of
from reports.plots.comparison import Comparison, Series, series_of
from reports.plots.style import Wheel, hatch_failing, on_axis, span_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RULE, DRIFT = "als_dpfl.optimal_tau", "als_dpfl.h.main"
EMPTY = "no $\\tau$ meets the conditions"
LAST = 100  # the server tries no larger tau, whatever it chose before


def compared(given: dict[str, float], longest: int) -> Comparison:
    if not 2 <= longest <= LAST:
        raise BadAssignment(f"--longest is from 2 to {LAST}, the largest tau of the search, not {longest}")
    if "tau" in given:
        raise BadAssignment("tau is what the figure is drawn over; --longest says up to where")
    rule, drift = bounds.get(RULE), bounds.get(DRIFT)
    steps = np.arange(1.0, longest + 1)
    axis = Axis(
        name="tau",
        label=label_of("tau", rule.notation.quantities["tau"]),
        values=tuple(steps.tolist()),
    )
    objective = rule.evaluate(**given, tau=steps)
    of_drift = {n: v for n, v in given.items() if n in names_taken(drift)}
    h = drift.evaluate(**of_drift, x=steps)
    g = series_of(objective, (axis,), name="G", label=_label(rule, "G_tau"))
    best = optimum(g)
    return Comparison(
        mode="control",
        title="ALS-DPFL: drift and control objective over the local steps",
        axes=(axis,),
        label=_label(rule, "G_tau"),
        unit=rule.unit,
        series=(series_of(h, (axis,), name="h", label=_label(rule, "h_tau")), g),
        notes=(_describe_best(g, best),),
        marked=best,
    )


def _label(statement: Statement, name: str) -> str:
    return label_of(name, statement.notation.quantities[name])


def optimum(objective: Series) -> float | None:
    """The first of the smallest values among the points at which nothing fails; None if there is none."""
    open_ones = [p for p in objective.points if p.shown]
    best = min(open_ones, key=lambda p: (p.value, p.at), default=None)
    return None if best is None else best.at[0]


def _describe_best(objective: Series, best: float | None) -> str:
    if best is None:
        why = objective.points[0].why
        return f"no tau meets the conditions: the domain of tau* is empty; at tau = 1: {why}"
    chosen = next(p for p in objective.points if p.at == (best,))
    doubt = f"; {chosen.why}" if chosen.usable is None else ""
    return f"tau* = {best:g}, where G = {chosen.value:.6g}{doubt}"


def draw(comparison: Comparison, figure: "Figure") -> None:
    figure.set_figheight(5.4)
    upper, lower = figure.subplots(2, 1, sharex=True)
    h, g = comparison.series
    wheel = Wheel()
    panels: Any = ((upper, h), (lower, g))
    for axes, series in panels:
        wheel.curve(axes, series)
        # The symbol beside the axis, its meaning above: there is no room for both beside half a figure.
        meaning, _, short = series.label.rpartition(", ")
        axes.set_ylabel(short)
        axes.set_title(meaning, fontsize="medium")
    figure.suptitle(comparison.title, x=0.01, ha="left", fontsize="large")
    hatch_failing(lower, comparison, series=g)
    on_axis(lower.xaxis, comparison.axes[0])
    span_axis(lower, comparison.axes[0])
    if comparison.marked is None:
        paper = {"facecolor": "white", "edgecolor": "none"}
        lower.text(0.5, 0.5, EMPTY, ha="center", va="center", transform=lower.transAxes, bbox=paper)
    else:
        _mark(lower, g, comparison.marked)
    marks = zip(*lower.get_legend_handles_labels(), strict=True)
    shown = [(handle, label) for handle, label in marks if label != g.label]
    if shown:
        figure.legend(*zip(*shown, strict=True), loc="outside lower center", ncols=2)


def _mark(axes: Any, series: Series, best: float) -> None:
    chosen = next(p for p in series.points if p.at == (best,))
    axes.axvline(best, color="black", linestyle=":", linewidth=1)
    axes.plot(
        [best],
        [chosen.value],
        marker="*",
        markersize=13,
        color="black",
        linestyle="none",
        label=f"$\\tau^* = {best:g}$",
    )
