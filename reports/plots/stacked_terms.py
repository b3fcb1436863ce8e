"""What a bound is made of: its terms as stacked areas over one parameter."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.language.statement import Statement
from reports.errors import BadGrid
from reports.inputs.numbers import separated
from reports.plots.axis import Axis, left_label
from reports.plots.comparison import Comparison, Series, named, terms_of
from reports.plots.style import AREAS, hatch_failing, on_axis, title_of, value_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def compared(statement: Statement, axis: Axis, given: dict[str, float]) -> Comparison:
    own, _ = separated(statement, given)
    evaluation = statement.evaluate(**own, **{axis.name: np.array(axis.values)})
    series = terms_of(evaluation, (axis,))
    for term in series:
        negative = next((p for p in term.points if p.value is not None and p.value < 0), None)
        if negative is not None:
            raise BadGrid(
                f"the term {term.name} of {statement.id} is negative at {axis.name} = {negative.at[0]:g}, "
                "and areas stack only what is not; `compare bounds` draws the whole"
            )
    label, notes = left_label(statement)
    return Comparison(
        mode="terms",
        title=named(statement),
        axes=(axis,),
        label=label,
        unit=statement.unit,
        series=series,
        notes=(*notes, *_say_largest(axis, series)),
    )


def _say_largest(axis: Axis, series: Sequence[Series]) -> tuple[str, ...]:
    """Which term is the largest on which stretch of the axis, of the points that may be used."""
    stretches: list[tuple[str, float, float]] = []
    for place, at in enumerate(axis.values):
        values = {s.name: s.points[place].value for s in series if s.points[place].shown}
        if len(values) < len(series):
            continue
        largest = max(values, key=lambda name: values[name] or 0.0)
        if stretches and stretches[-1][0] == largest:
            stretches[-1] = (largest, stretches[-1][1], at)
        else:
            stretches.append((largest, at, at))
    if not stretches or len(series) < 2:
        return ()
    where = [f"{name} at {axis.name} = {low:g} to {high:g}" for name, low, high in stretches]
    return (f"the largest term: {', '.join(where)}",)


def draw(comparison: Comparison, figure: "Figure") -> None:
    axes: Any = figure.add_subplot()
    (axis,) = comparison.axes
    bottom = np.zeros(len(axis.values))
    for place, series in enumerate(comparison.series):
        values = np.array([p.value if p.shown else np.nan for p in series.points], dtype=np.float64)
        top = bottom + values
        color, hatch = AREAS[place % len(AREAS)]
        label = f"{series.name}: {series.label}"
        axes.fill_between(
            axis.values, bottom, top, facecolor=color, hatch=hatch, edgecolor="black", lw=0.5, label=label
        )
        bottom = top
    hatch_failing(axes, comparison)
    axes.set_ylim(bottom=0)
    axes.margins(x=0)
    on_axis(axes.xaxis, axis)
    axes.set_ylabel(value_label(comparison))
    # In the order in which the areas lie on each other.
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles[::-1], labels[::-1], loc="outside lower center", ncols=1)
    title_of(axes, comparison)
