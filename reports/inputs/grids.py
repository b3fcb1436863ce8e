"""--grid: many points at once, from a CSV of points or a TOML product of axes."""

import csv
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from reports.errors import BadGrid, MalformedFile
from reports.inputs.files import read_table, read_text
from reports.inputs.numerals import number, read_number

Array = NDArray[np.float64]

MOST_POINTS = 5_000_000  # a few seconds and a few hundred megabytes; more is a slip of the keyboard


@final
@dataclass(frozen=True, slots=True)
class Grid:
    """Arrays that broadcast to `shape`; the last name of a product moves fastest."""

    values: dict[str, Array]
    shape: tuple[int, ...]

    def columns(self) -> dict[str, Array]:
        """Each name at every point, in the order of the output."""
        return {name: np.broadcast_to(array, self.shape).ravel() for name, array in self.values.items()}


def read_grid(path: Path) -> Grid:
    kind = path.suffix.lower()
    if kind == ".csv":
        return _points(path)
    if kind in (".toml", ".json"):
        return _product(path)
    raise MalformedFile(f"{path} must end in .csv (points), .toml or .json (axes of a product)")


def _points(path: Path) -> Grid:
    try:
        rows = list(csv.reader(read_text(path).splitlines(), strict=True))
    except csv.Error as error:
        raise MalformedFile(f"{path} is not valid CSV: {error}") from error
    lines = [(i, [cell.strip() for cell in row]) for i, row in enumerate(rows, start=1) if any(row)]
    if len(lines) < 2:
        raise BadGrid(f"{path} has no points: it needs a line of names and at least one line of numbers")
    names = lines[0][1]
    _check_header(names, path)
    columns: list[list[float]] = [[] for _ in names]
    for line, cells in lines[1:]:
        if len(cells) != len(names):
            raise MalformedFile(f"{path}, line {line}: {len(cells)} cells under {len(names)} names")
        for name, cell, column in zip(names, cells, columns, strict=True):
            column.append(number(cell, f"{path}, line {line}: {name}"))
    values = {name: np.array(column) for name, column in zip(names, columns, strict=True)}
    return Grid(values, (len(lines) - 1,))


def _check_header(names: list[str], path: Path) -> None:
    for position, name in enumerate(names):
        if not name:
            raise MalformedFile(f"{path}: column {position + 1} has no name")
        if name in names[:position]:
            raise MalformedFile(f"{path} has two columns named {name}")


def _product(path: Path) -> Grid:
    table = read_table(path)
    if not table:
        raise BadGrid(f"{path} has no axis: give lists, or {{start, stop, num, spacing}}, by name")
    axes = {name: axis(name, entry, path) for name, entry in table.items()}
    shape = tuple(len(axis) for axis in axes.values())
    if prod(shape) > MOST_POINTS:
        raise BadGrid(f"{path} has {prod(shape):,} points; at most {MOST_POINTS:,} are evaluated at once")
    rank = len(shape)
    values = {
        name: axis.reshape([-1 if i == position else 1 for i in range(rank)])
        for position, (name, axis) in enumerate(axes.items())
    }
    return Grid(values, shape)


def axis(name: str, entry: Any, path: Path) -> Array:
    """A number, a list of numbers, or a range {start, stop, num, spacing}."""
    if isinstance(entry, dict):
        return _range(name, entry, path)
    listed = entry if isinstance(entry, list) else [entry]
    if not listed:
        raise BadGrid(f"{path}: the list of {name} is empty")
    return np.array([read_number(name, item, path) for item in listed])


def _range(name: str, entry: dict[str, Any], path: Path) -> Array:
    unknown = sorted(entry.keys() - {"start", "stop", "num", "spacing"})
    lacking = sorted({"start", "stop", "num"} - entry.keys())
    if unknown or lacking:
        what = f"does not know {', '.join(unknown)}" if unknown else f"lacks {', '.join(lacking)}"
        raise MalformedFile(f"{path}: the range of {name} {what}; it has start, stop, num and spacing")
    start, stop = (read_number(f"{name}.{key}", entry[key], path) for key in ("start", "stop"))
    num, spacing = entry["num"], entry.get("spacing", "linear")
    if isinstance(num, bool) or not isinstance(num, int) or not 1 <= num <= MOST_POINTS:
        raise BadGrid(f"{path}: {name}.num must be an integer from 1 to {MOST_POINTS:,}, not {num!r}")
    if spacing == "linear":
        with np.errstate(
            over="ignore"
        ):  # ends too far apart give infinities, which evaluation refuses by name
            return np.linspace(start, stop, num)
    if spacing != "log":
        raise MalformedFile(f'{path}: {name}.spacing must be "linear" or "log", not {spacing!r}')
    if start <= 0 or stop <= 0:
        raise BadGrid(f"{path}: a log range of {name} needs positive ends, not {start:g} and {stop:g}")
    return np.geomspace(start, stop, num)
