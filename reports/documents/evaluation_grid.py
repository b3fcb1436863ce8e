"""A grid of evaluations as rows: the inputs, the value, every term, every margin."""

import csv
import math
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bounds.evaluation.evaluate import Evaluation
from bounds.evaluation.free_bound import inform_everywhere
from reports.documents.json_border import not_finite
from reports.inputs.grids import Grid

Column = NDArray[Any] | list[Any]


def columns(evaluation: Evaluation, grid: Grid, more: Mapping[str, float] | None = None) -> dict[str, Column]:
    """Everything at every point, flat, in the order of the output."""

    def flat(values: Any) -> Column:
        if values is None:
            return [None] * math.prod(grid.shape)
        return np.broadcast_to(values, grid.shape).ravel()

    out: dict[str, Column] = dict(grid.columns())
    out["value"] = flat(evaluation.value)
    out["applicable"] = flat(evaluation.applicable)
    informed = inform_everywhere(evaluation, more)
    out["free_bound"] = flat(informed.free)
    out["informative"] = flat(informed.informative)
    for name, values in evaluation.terms.items():
        out[f"term:{name}"] = flat(values)
    for name, checked in _named_conditions(evaluation):
        out[f"margin:{name}"] = flat(checked.margin)
    return out


def _named_conditions(evaluation: Evaluation) -> Iterator[tuple[str, Any]]:
    for checked in (*evaluation.conditions, *evaluation.left_domains):
        yield checked.condition.id, checked


def usable(table: Mapping[str, Column]) -> int:
    """At how many points there is a number, and every condition holds."""
    # None becomes nan in the one column and False in the other.
    numbers = np.isfinite(np.asarray(table["value"], dtype=np.float64))
    return int(np.sum(numbers & np.asarray(table["applicable"]).astype(bool)))


def absent(evaluation: Evaluation, more: Mapping[str, float] | None = None) -> list[str]:
    """Why a column is empty at every point."""
    reasons = [f"value needs {', '.join(evaluation.unset)}"] if evaluation.unset else []
    for name, checked in _named_conditions(evaluation):
        if checked.needs:
            reasons.append(f"margin:{name} needs {', '.join(checked.needs)}")
    reason = inform_everywhere(evaluation, more).reason
    return [*reasons, *([reason] if reason else [])]


def as_csv(table: Mapping[str, Column], always: list[str]) -> str:
    """Numbers in full precision; an empty cell where there is none, and the reason in the last column."""
    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([*table, "reason"])
    for row in rows(table, always):
        writer.writerow([*(_cell(row[name]) for name in table), row.get("reason", "")])
    return buffer.getvalue()


def rows(table: Mapping[str, Column], always: list[str]) -> Iterator[dict[str, Any]]:
    """One point after another, as Python numbers."""
    lists = [column.tolist() if isinstance(column, np.ndarray) else column for column in table.values()]
    for values in zip(*lists, strict=True):
        row = dict(zip(table, values, strict=True))
        reasons = always + [f"{name} is {word}" for name, value in row.items() if (word := not_finite(value))]
        yield row | ({"reason": "; ".join(reasons)} if reasons else {})


def _cell(value: Any) -> str:
    if value is None or not_finite(value):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return (
        repr(int(value))
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15
        else repr(value)
    )
