"""Curves that a user has measured, from a CSV file, drawn beside bounds.

One column is named after the axis, and `value` has what was measured there; `lower`, `upper` and `series` may
be missing. Nothing here can tell whether the numbers measure what a bound bounds.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from reports.errors import MalformedFile
from reports.inputs.files import read_text
from reports.inputs.numerals import number
from reports.plots.comparison import Comparison, Point, Series

BAND: Final = ("lower", "upper")


def with_measured(comparison: Comparison, path: Path) -> Comparison:
    """The comparison with the curves of the file, and at how many places each is above a bound."""
    curves = _curves(path, comparison.axes[0].name)
    notes = [note for curve in curves for bound in comparison.series for note in _compare(curve, bound)]
    return replace(comparison, series=(*comparison.series, *curves), notes=(*comparison.notes, *notes))


def _curves(path: Path, axis: str) -> tuple[Series, ...]:
    found: dict[str, list[Point]] = {}
    for name, point in _points(path, axis):
        found.setdefault(name, []).append(point)
    return tuple(
        Series(name=name, kind="measured", label=name, points=tuple(sorted(points, key=lambda p: p.at)))
        for name, points in found.items()
    )


def _points(path: Path, axis: str) -> Iterator[tuple[str, Point]]:
    rows = csv.DictReader(read_text(path).splitlines(), strict=True, skipinitialspace=True)
    absent = [name for name in (axis, "value") if name not in (rows.fieldnames or ())]
    if absent:
        raise MalformedFile(f"{path} has no column {absent[0]}: needed are {axis} and value, in a first line")
    try:
        for row in rows:
            yield row.get("series") or path.name, _point(row, axis, f"{path}, line {rows.line_num}")
    except csv.Error as error:
        raise MalformedFile(f"{path}, line {rows.line_num}: {error}") from error


def _point(row: Mapping[str, str | None], axis: str, source: str) -> Point:
    def read(name: str) -> float:
        return number(row.get(name) or "", f"{name} in {source}")

    lower, upper = (read(name) if row.get(name) else None for name in BAND)
    return Point(at=(read(axis),), value=read("value"), lower=lower, upper=upper)


def _compare(curve: Series, bound: Series) -> list[str]:
    """Count the places above the bound, among those at which both have a usable number."""
    known = {point.at: point.value for point in bound.points if point.shown}
    pairs = [(p.value, known[p.at]) for p in curve.points if p.at in known]
    above = sum(value > most for value, most in pairs if value is not None and most is not None)
    if not pairs:
        return [f"{curve.name}: no place in common with {bound.name}"]
    return [f"{curve.name}: above {bound.name} at {above} of {len(pairs)} places that both have"]
