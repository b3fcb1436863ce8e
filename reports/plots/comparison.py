"""A comparison as numbers: axes, series of points, and which of the points may be used."""

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import product
from typing import Any, Literal, final

import numpy as np

from bounds.evaluation.evaluate import Evaluation
from bounds.evaluation.free_bound import inform_everywhere
from bounds.language.expression import condition_text
from bounds.language.statement import Statement
from reports.documents.json_border import not_finite
from reports.errors import BadGrid
from reports.plots.axis import Axis

Mode = Literal["run", "algorithms", "bounds", "control", "terms", "record", "worst"]
Kind = Literal["bound", "measured", "ratio", "term"]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """`usable` is False where a condition fails and None where one is undecided; `why` says which.

    `free` is what is known there without any run, and `informative` whether a bound is below it.
    """

    at: tuple[float, ...]
    value: float | None
    lower: float | None = None
    upper: float | None = None
    usable: bool | None = True
    why: str = ""
    free: float | None = None
    informative: bool | None = None

    @property
    def shown(self) -> bool:
        """A number that may be used: a condition that is undecided is left to the reader."""
        return self.usable is not False and self.value is not None and math.isfinite(self.value)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    name: str
    kind: Kind
    label: str
    points: tuple[Point, ...]
    uninformed: str = ""  # why nothing is known without a run


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """`label` and `unit` belong to the values; `marked` is the point of the axis that stands out.

    `moved`: what is random on the right-hand side is taken to the left.
    """

    mode: Mode
    title: str
    axes: tuple[Axis, ...]
    label: str
    unit: str
    series: tuple[Series, ...]
    notes: tuple[str, ...] = ()
    marked: float | None = None
    moved: bool = False


def named(statement: Statement) -> str:
    variant = "" if statement.variant == "printed" else f", {statement.variant}"
    return f"{statement.title}: {statement.id}{variant}"


def series_of(
    evaluation: Evaluation,
    axes: Sequence[Axis],
    *,
    name: str,
    label: str,
    more: Mapping[str, float] | None = None,
) -> Series:
    """The value of a statement at every point of the product of the axes; `more` is for its free bound."""
    series = _series(evaluation, evaluation.value, axes, name=name, label=label, kind="bound")
    informed = inform_everywhere(evaluation, more)
    if informed.free is None:
        return replace(series, uninformed=informed.reason)
    shape = tuple(len(axis.values) for axis in axes)
    free, verdicts = (
        np.broadcast_to(v, shape).ravel().tolist() for v in (informed.free, informed.informative)
    )
    points = zip(series.points, free, verdicts, strict=True)
    return replace(series, points=tuple(replace(p, free=f, informative=v) for p, f, v in points))


def informative_notes(comparison: "Comparison") -> list[str]:
    """A line per bound: at how many points it says more than is known without any run."""
    out = []
    for series in comparison.series:
        known = [p for p in series.points if p.informative is not None]
        if series.uninformed:
            out.append(f"{series.name}: {series.uninformed}")
        elif known:
            count = sum(bool(p.informative) for p in known)
            sentence = f"informative at {count} of {len(known)} usable points"
            elsewhere = "" if count == len(known) else "; elsewhere it says less than doing nothing"
            out.append(f"{series.name}: {sentence}{elsewhere}")
    return out


def terms_of(evaluation: Evaluation, axes: Sequence[Axis]) -> tuple[Series, ...]:
    return tuple(
        _series(evaluation, evaluation.terms[t.name], axes, name=t.name, label=t.pays_for, kind="term")
        for t in evaluation.statement.terms
    )


def _series(
    evaluation: Evaluation, values: Any, axes: Sequence[Axis], *, name: str, label: str, kind: Kind
) -> Series:
    shape = tuple(len(axis.values) for axis in axes)
    if values is None:
        raise BadGrid(
            f"{evaluation.statement.id} is an O(.) until its constant is set: "
            f"--set {', '.join(evaluation.unset)}=..."
        )
    numbers = np.broadcast_to(values, shape).ravel().tolist()
    usable = np.broadcast_to(np.asarray(evaluation.applicable), shape).ravel().tolist()
    reasons = _reasons(evaluation, shape)
    places = product(*(axis.values for axis in axes))
    points = zip(places, numbers, usable, reasons, strict=True)
    return Series(
        name=name,
        kind=kind,
        label=label,
        points=tuple(Point(at=at, value=v, usable=u, why=w) for at, v, u, w in points),
    )


def _reasons(evaluation: Evaluation, shape: tuple[int, ...]) -> list[str]:
    out: list[list[str]] = [[] for _ in range(math.prod(shape))]
    for checked in (*evaluation.conditions, *evaluation.left_domains):
        where = f"{checked.condition.id} ({condition_text(checked.condition)})"
        if checked.holds is None:
            for reasons in out:
                reasons.append(f"{where} is undecided without {', '.join(checked.needs)}")
            continue
        for position in np.flatnonzero(~np.broadcast_to(checked.holds, shape).ravel()):
            out[position].append(f"{where} fails")
    return ["; ".join(reasons) for reasons in out]


def refuse_what_has_no_number(comparison: Comparison) -> Comparison:
    """Refuse an empty picture: some value must be finite, whether it may be used or not."""
    values = [p.value for s in comparison.series for p in s.points]
    if not any(v is not None and math.isfinite(v) for v in values):
        reasons = [p.why for s in comparison.series for p in s.points if p.why]
        why = f": {reasons[0]}" if reasons else ""
        raise BadGrid(f"{comparison.title}: no value is finite, so there is nothing to compare{why}")
    return comparison


def gaps(comparison: Comparison) -> list[str]:
    """A line per series that has points without a number that may be used."""
    out = []
    for series in comparison.series:
        absent = [p for p in series.points if not p.shown]
        if absent:
            share = f"{len(absent)} of {len(series.points)} points"
            out.append(f"{series.name}: nothing to use at {share}; {numbers_of(absent[0])['reason']}")
    return out


def rows(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """One point after another; the last axis moves fastest."""
    for series in comparison.series:
        for point in series.points:
            places = dict(zip((axis.name for axis in comparison.axes), point.at, strict=True))
            yield {"series": series.name, "kind": series.kind, **places} | numbers_of(point)


def numbers_of(point: Point) -> dict[str, Any]:
    numbers = {"value": point.value, "lower": point.lower, "upper": point.upper}
    reasons = [point.why] if point.why else []
    reasons += [f"{name} is {word}" for name, v in numbers.items() if (word := not_finite(v))]
    known = {"free_bound": point.free, "informative": point.informative}
    return numbers | {"usable": point.usable, "reason": "; ".join(reasons)} | known


def as_csv(comparison: Comparison) -> str:
    """Numbers in full precision; an empty cell where there is none."""
    buffer = StringIO()
    axes = [axis.name for axis in comparison.axes]
    names = ["series", "kind", *axes, "value", "lower", "upper", "usable", "reason"]
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(names)
    for row in rows(comparison):
        writer.writerow([_cell(row[name]) for name in names])
    return buffer.getvalue()


def _cell(value: Any) -> Any:
    if value is None or not_finite(value):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else value
