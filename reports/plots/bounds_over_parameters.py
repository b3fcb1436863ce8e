"""Bounds as functions of one parameter (curves) or of two (a heat map, hatched where conditions fail)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.evaluation.free_bound import free_names
from bounds.evaluation.resolve import names_taken
from bounds.language.statement import Statement
from reports.errors import BadAssignment
from reports.inputs.numbers import separated
from reports.plots.axis import Axis, left_label, symbol
from reports.plots.comparison import Comparison, Point, Series, named, series_of
from reports.plots.style import FAILING, curves, on_axis, title_of, value_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Numbers = Mapping[str, float]
DECADES = 100  # values that span more than this are coloured by their logarithm


def compared(
    statements: Sequence[tuple[Statement, Numbers]],
    axes: tuple[Axis, ...],
    each: tuple[str, tuple[float, ...]] | None,
) -> Comparison:
    """`statements` with the constants of a file; one series per statement and value of `each`."""
    if len(axes) == 2 and (len(statements) > 1 or each is not None):
        raise BadAssignment("a heat map, of two --over, takes one statement and no --each")
    series: list[Series] = []
    for statement, given in statements:
        own, at_start = separated(statement, given)
        names = [statement.id] if len(statements) > 1 or each is None else []
        for value in (None,) if each is None else each[1]:
            more = {} if each is None or value is None else {each[0]: value}
            evaluation = statement.evaluate(**own, **more, **_arrays(axes))
            name, shown = (", ".join([*names, *_describe(statement, more, latex)]) for latex in (False, True))
            series.append(series_of(evaluation, axes, name=name, label=shown, more=at_start))
    first = statements[0][0]
    alone = len(statements) == 1
    label, notes = left_label(first) if alone else ("bound", ())
    if len({s.unit for s, _ in statements}) > 1:
        notes = ("the bounds have different units: only their shapes compare",)
    units = list(dict.fromkeys(s.unit for s, _ in statements))
    return Comparison(
        mode="bounds",
        title=named(first) if alone else "Bounds compared",
        axes=axes,
        label=label,
        unit=" or ".join(units),
        series=tuple(series),
        notes=notes,
    )


def _describe(statement: Statement, values: Numbers, latex: bool) -> list[str]:
    known = statement.notation.quantities if latex else {}
    return [f"{symbol(n, known[n].latex) if n in known else n} = {v:g}" for n, v in values.items()]


def shared(statements: Sequence[Statement], given: Numbers) -> list[dict[str, float]]:
    """Each name to every statement that takes it; one that none takes to the first, which says why not."""
    out: list[dict[str, float]] = [{} for _ in statements]
    for name, value in given.items():
        takers = [i for i, s in enumerate(statements) if name in names_taken(s) | free_names(s)] or [0]
        for i in takers:
            out[i][name] = value
    return out


def _arrays(axes: Sequence[Axis]) -> dict[str, Any]:
    rank = len(axes)
    return {
        axis.name: np.array(axis.values).reshape([-1 if i == k else 1 for i in range(rank)])
        for k, axis in enumerate(axes)
    }


def draw(comparison: Comparison, figure: "Figure") -> None:
    if len(comparison.axes) == 2:
        heat_map(comparison, figure)
    else:
        curves(comparison, figure)


def heat_map(comparison: Comparison, figure: "Figure") -> None:
    """The only series over two axes; hatched where it has no number."""
    from matplotlib.colors import LogNorm
    from matplotlib.patches import Patch

    x, y = comparison.axes
    points = comparison.series[0].points
    axes: Any = figure.add_subplot()
    shape = (len(x.values), len(y.values))
    values = np.array([p.value if p.shown else np.nan for p in points], dtype=np.float64).reshape(shape).T
    finite = values[np.isfinite(values)]
    wide = len(finite) and finite.min() > 0 and finite.max() > DECADES * finite.min()
    # Cells without a number show the hatched paper beneath.
    axes.patch.set(**FAILING)
    if len(finite):
        mesh = axes.pcolormesh(
            _edges(x),
            _edges(y),
            values,
            norm=LogNorm() if wide else None,
            rasterized=True,
        )
        figure.colorbar(mesh, ax=axes, label=value_label(comparison))
    else:
        axes.set(xlim=(x.values[0], x.values[-1]), ylim=(y.values[0], y.values[-1]))
    for axis, of in ((x, axes.xaxis), (y, axes.yaxis)):
        on_axis(of, axis)
    if any(not p.shown for p in points):
        patch = Patch(**FAILING, label=_why_hatched(points))
        figure.legend(handles=[patch], loc="outside lower center")
    title_of(axes, comparison)


def _edges(axis: Axis) -> Any:
    """Halfway between the places, as the scale of the axis has it, and as far beyond both ends."""
    places = np.log(axis.values) if axis.logarithmic else np.array(axis.values)
    inner = (places[1:] + places[:-1]) / 2
    edges = np.concatenate([[2 * places[0] - inner[0]], inner, [2 * places[-1] - inner[-1]]])
    return np.exp(edges) if axis.logarithmic else edges


def _why_hatched(points: Sequence[Point]) -> str:
    failing = any(p.usable is False for p in points)
    return "a condition fails" if failing else "no finite value"
