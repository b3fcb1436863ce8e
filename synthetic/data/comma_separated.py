"""CSV: a sample per line, cells separated by commas, semicolons or tabs, with or without a line of names."""

import csv
import io

import numpy as np

from synthetic.data._refusal import number, number_in, refused
from synthetic.engine.arithmetic import Array

Rows = list[tuple[int, list[str]]]  # line numbers and cells


def comma_separated(
    text: str, source: str, *, target: str | int | None, header: str
) -> tuple[Array, list[str]]:
    """The features, and the targets as they are written."""
    return _columns(_rows(text, source), target, header, source)


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


def _columns(rows: Rows, target: str | int | None, header: str, source: str) -> tuple[Array, list[str]]:
    names = rows[0][1]
    # a first line without a single number names the columns
    named = header == "yes" or (header == "auto" and all(number_in(cell) is None for cell in names))
    body = rows[1:] if named else rows
    if not body:
        raise refused(source, "no data", "a header only", "a row per sample", "give a file with samples")
    position = _position(target, names if named else None, len(names), source)
    features = []
    for line, row in body:
        places = [index for index in range(len(row)) if index != position]
        called = [names[index] if named else str(index) for index in places]
        features.append(
            [
                number(row[index], source, f"line {line}, column {name}")
                for index, name in zip(places, called, strict=True)
            ]
        )
    answers = [row[position] for _, row in body]
    for (line, _), word in zip(body, answers, strict=True):
        if not word:
            raise refused(
                source, f"line {line} has no target", "an empty cell", "a label or a number", "fill it in"
            )
    return np.array(features), answers


def _position(target: str | int | None, names: list[str] | None, width: int, source: str) -> int:
    if target is None:
        return width - 1
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
        "set target to one of them",
    )
