"""CSV: a sample per line, cells separated by commas, semicolons or tabs, with or without a line of names."""

import csv
import io
from dataclasses import dataclass
from typing import final

import numpy as np

from synthetic.data._refusal import number, number_in, refused
from synthetic.data.labels import refuse_missing
from synthetic.engine.arithmetic import Array

Rows = list[tuple[int, list[str]]]  # line numbers and cells
CHANGE = "fill it in, leave out its row or its column, or, if it says whose the row is, set client={}"


@final
@dataclass(frozen=True, slots=True)
class Columns:
    """The features, and the targets and the clients' names as they are written; no names without a column.

    lines: the number of each row's line in the file.
    """

    features: Array
    answers: list[str]
    owners: list[str] | None
    lines: list[int]


def comma_separated(
    text: str, source: str, *, target: str | int | None, client: str | int | None, header: str
) -> Columns:
    return _columns(_rows(text, source), target, client, header, source)


def _rows(text: str, source: str) -> Rows:
    """Line numbers and cells, without empty lines."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True
    )
    try:
        found = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error as error:
        raise refused(
            source,
            f"not valid CSV, line {reader.line_num}",
            error,
            "cells and quotes in pairs",
            "mend the line",
        ) from error
    rows = [(line, row) for line, row in found if any(row)]
    if not rows:
        raise refused(source, "no data", "an empty file", "a row per sample", "give a file with samples")
    width = len(rows[0][1])
    if width < 2:
        raise refused(
            source,
            "one column only",
            "1",
            "features and a target",
            "use commas, semicolons or tabs",
        )
    for line, row in rows:
        if len(row) != width:
            raise refused(
                source, f"line {line} has another length", f"{len(row)} cells", f"{width}", "mend the line"
            )
    return rows


def _columns(
    rows: Rows, target: str | int | None, client: str | int | None, header: str, source: str
) -> Columns:
    names = rows[0][1]
    named = _are_names(names, header, source)
    body = rows[1:] if named else rows
    if not body:
        raise refused(source, "no data", "a header only", "a row per sample", "give a file with samples")
    known = names if named else None
    position = len(names) - 1 if target is None else _position(target, known, len(names), source, "target")
    owner = None if client is None else _position(client, known, len(names), source, "client")
    if owner == position:
        raise refused(source, "the target and the client are one column", client, "two", "set another target")
    features = []
    for line, row in body:
        places = [index for index in range(len(row)) if index not in (position, owner)]
        called = [names[index] if named else str(index) for index in places]
        features.append(
            [
                number(row[index], source, f"line {line}, column {name}", CHANGE.format(name))
                for index, name in zip(places, called, strict=True)
            ]
        )
    if named and not names[0] and 0 not in (position, owner):
        _refuse_counting([row[0] for row in features], source)
    answers = _words(body, position, source, "target", "a label or a number")
    owners = None if owner is None else _words(body, owner, source, "client", "a name or a number")
    lines = [line for line, _ in body]
    if owners is not None:
        refuse_missing(owners, lines, source, "client", "fill it in or leave out its row")
    return Columns(np.array(features), answers, owners, lines)


def _are_names(cells: list[str], header: str, source: str) -> bool:
    """Whether the first line names the columns: by itself, if it has no number."""
    if header == "auto" and len(cells) > 2 and cells == [str(place) for place in range(len(cells))]:
        # tables without names are written so, and as a sample it would change every constant
        found = ", ".join(cells[:20])
        raise refused(
            source,
            "the first line counts the columns",
            found,
            "names, or a sample",
            "set header=yes if it names them, header=no if it is a sample",
        )
    return header == "yes" or (header == "auto" and all(number_in(cell) is None for cell in cells))


def _refuse_counting(column: list[float], source: str) -> None:
    """Tables are written with the numbers of their rows in a first column without a name: no feature."""
    if len(column) > 1 and column == list(range(int(column[0]), int(column[0]) + len(column))):
        found = f"{column[0]:g}, {column[0] + 1:g}, ..."
        change = "leave out the column, or name it if it is a feature"
        raise refused(source, "the column without a name counts the rows", found, "features", change)


def _words(body: Rows, position: int, source: str, what: str, needed: str) -> list[str]:
    """The cells of a column, none of which may be empty."""
    for line, row in body:
        if not row[position]:
            raise refused(source, f"line {line} has no {what}", "an empty cell", needed, "fill it in")
    return [row[position] for _, row in body]


def _position(target: str | int, names: list[str] | None, width: int, source: str, what: str) -> int:
    if names is not None and str(target) in names:
        if names.count(str(target)) > 1:
            raise refused(
                source, f"two columns named {target}", names.count(str(target)), "one", "rename one of them"
            )
        return names.index(str(target))
    if str(target).lstrip("-").isdigit() and -width <= int(target) < width:
        return int(target) % width
    raise refused(
        source,
        f"no column {target}",
        "columns " + (", ".join(names[:20]) if names is not None else f"0..{width - 1}"),
        "the name or the number of a column",
        f"set {what} to one of them",
    )
