"""Cells of a record over one or two of the things that vary: bound and measurement, or their ratio."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from bounds import discovery
from bounds.errors import nearest
from reports.errors import BadGrid
from reports.plots.axis import Axis, label_of, left_label
from reports.plots.comparison import Comparison, Kind, Point, Series
from reports.plots.style import LOGARITHMIC
from verify.study.table import RESULTS, Row, columns, without_followers

if TYPE_CHECKING:
    pass

MOST_CURVES: Final = 3  # pairs of a bound and a measurement in one figure
NO_RATIO: Final = "the measured left side and the bound are not both positive"


def chosen(table: Sequence[Row], only: Mapping[str, Any]) -> list[Row]:
    """The cells with these values; numbers agree up to rounding."""
    found = [row for row in table if all(_agrees(row.get(name), value) for name, value in only.items())]
    if not found:
        raise BadGrid(f"no cell of the record has {_describe(only)}")
    return found


def compared(table: Sequence[Row], over: Sequence[str], only: Mapping[str, Any]) -> Comparison:
    """One axis: a pair of curves for each of the other combinations; two axes: the ratio of a single one."""
    known = [name for name in columns(table) if name not in RESULTS]
    for name in (*over, *only):
        if name not in known:
            raise BadGrid(f"no cell of the record has {name}; {nearest(name, known)}")
    chosen_rows = chosen(table, only)
    axes = tuple(_axis(name, chosen_rows) for name in over)
    others = [n for n in known if n not in over and len({row.get(n) for row in chosen_rows}) > 1]
    rest = [name for name in without_followers(chosen_rows, [*over, *others]) if name not in over]
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in chosen_rows:
        groups.setdefault(tuple(row.get(name) for name in rest), []).append(row)
    most = 1 if len(axes) == 2 else MOST_CURVES
    if len(groups) > most:
        raise BadGrid(f"{_varying(chosen_rows, rest)} varies besides {' and '.join(over)}: choose by --set")
    series = [
        found
        for key, rows in groups.items()
        for found in _series(rows, axes, _describe(dict(zip(rest, key, strict=True))))
    ]
    return _comparison(chosen_rows, axes, series)


def _agrees(found: Any, asked: Any) -> bool:
    if isinstance(found, int | float) and isinstance(asked, int | float | Fraction):
        return math.isclose(found, float(asked), rel_tol=1e-12)
    return str(found) == str(asked)


def _describe(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{n} = {v:g}" if isinstance(v, float) else f"{n} = {v}" for n, v in values.items())


def _varying(rows: Sequence[Row], names: Sequence[str]) -> str:
    """The first name that varies, with a few of its values."""
    name = names[0]
    values = list(dict.fromkeys(str(row.get(name)) for row in rows))
    more = ", ..." if len(values) > 4 else ""
    return f"{name} ({', '.join(values[:4])}{more})"


def _axis(name: str, rows: Sequence[Row]) -> Axis:
    values: set[Any] = {row.get(name) for row in rows}
    if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
        raise BadGrid(f"{name} is not a number in every cell, so it is no axis: choose cells by --set")
    if len(values) < 2:
        raise BadGrid(f"{name} has one value in these cells, {values.pop()}: an axis needs two")
    places = tuple(sorted(float(v) for v in values))
    quantity = discovery.get(rows[0]["id"]).notation.quantities.get(name)
    wide = places[0] > 0 and places[-1] > LOGARITHMIC * places[0]
    return Axis(name=name, label=label_of(name, quantity), values=places, logarithmic=wide)


def _series(rows: Sequence[Row], axes: Sequence[Axis], which: str) -> list[Series]:
    found = {tuple(float(row[axis.name]) for axis in axes): row for row in rows}
    places = list(product(*(axis.values for axis in axes)))
    if len(axes) == 2:
        points = tuple(_point(at, found.get(at), "ratio") for at in places)
        return [Series(name="ratio", kind="ratio", label="ratio", points=points)]
    end = f", {which}" if which else ""
    kinds: tuple[tuple[Kind, str], ...] = (("bound", "bound"), ("measured", "measured, with confidence band"))
    return [
        Series(
            name=f"{kind}{end}",
            kind=kind,
            label=f"{label}{end}",
            points=tuple(_point(at, found.get(at), kind) for at in places),
        )
        for kind, label in kinds
    ]


def _point(at: tuple[float, ...], row: Row | None, kind: str) -> Point:
    if row is None:
        return Point(at=at, value=None, usable=False, why="the record has no such cell")
    value = row[kind]
    if value is None:
        decided = kind == "ratio" and row["bound"] is not None and row["measured"] is not None
        return Point(at=at, value=None, usable=False, why=NO_RATIO if decided else row["sentence"])
    ends = {side: row[f"measured_{side}"] for side in ("lower", "upper")} if kind == "measured" else {}
    return Point(at=at, value=float(value), why=row["sentence"], **ends)


def _comparison(rows: Sequence[Row], axes: tuple[Axis, ...], series: Sequence[Series]) -> Comparison:
    forms = list(dict.fromkeys((row["id"], row["variant"]) for row in rows))
    statements = [discovery.get(identity, variant) for identity, variant in forms]
    alone = len({s.id for s in statements}) == 1
    label, notes = left_label(statements[0]) if alone else ("left side and bound", ())
    units = list(dict.fromkeys(s.unit for s in statements))
    verdicts = [row["verdict"] for row in rows]
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(verdicts))
    ratio = len(axes) == 2
    return Comparison(
        mode="record",
        title="; ".join(f"{identity}, {variant}" for identity, variant in forms),
        axes=axes,
        label="measured left side over bound" if ratio else label,
        unit="1" if ratio else " or ".join(units),
        series=tuple(series),
        notes=(*notes, f"{len(rows)} cells of the record: {counts}"),
    )
