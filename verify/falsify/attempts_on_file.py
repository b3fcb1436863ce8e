"""Rows of attempts on file: what is read as one, and which are of the forms as they are now."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from bounds import discovery
from bounds.errors import Misuse
from verify.falsify.attempted_form import form_of
from verify.json_numbers import decoded, is_finite

ROWS: Final = "falsify.jsonl"

Rows = dict[tuple[str, str], dict[str, Any]]


class NotARow(Misuse):
    """A file of rows cannot be read, or a row lacks what the table shows."""


def every_form() -> list[tuple[str, str]]:
    return [(s.id, s.variant) for p in discovery.statements() for s in discovery.variants(p.id)]


def last_rows(place: Path) -> Rows:
    """The last row of each form, of a file or of a folder with one.

    Half a line, from a run that was killed, is passed over.
    """
    file = place / ROWS if place.is_dir() else place
    return {form: row for form, (row, _) in _placed(file).items()}


def _placed(file: Path) -> dict[tuple[str, str], tuple[dict[str, Any], str]]:
    """Rows with the place of each."""
    out = {}
    for number, line in enumerate(_lines(file), start=1):
        place = f"{file}, line {number}"
        try:
            row = decoded(line, place, NotARow)
            out[row["id"], row["variant"]] = row, place
        except NotARow as error:
            if not isinstance(error.__cause__, json.JSONDecodeError):
                raise
        except (KeyError, TypeError):
            continue
    return out


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise NotARow(f"{file} cannot be read as rows of attempts: {why}") from error


def rows_of_now(*places: Path) -> Rows:
    """Rows of the current forms, from files or folders; the later place counts where two have a row."""
    forms = {form: form_of(discovery.get(*form)) for form in every_form()}
    out = {}
    for place in places:
        for form, (row, where) in _placed(place / ROWS if place.is_dir() else place).items():
            if form in forms and row.get("form") == forms[form]:
                _check(row, where)
                out[form] = row
    return out


def end_of_line(file: Path) -> str:
    """What a next row needs before it, where the last one was cut."""
    try:
        return "" if file.read_bytes()[-1:] in (b"", b"\n") else "\n"
    except OSError:
        return ""


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _or_null(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or fits(value)


# The table and the next run read these fields of a row.
FIELDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "searched": lambda value: isinstance(value, bool),
    "refuted": lambda value: isinstance(value, bool),
    "half_refuted": _or_null(lambda value: isinstance(value, bool)),
    "ratio": _or_null(is_finite),
    "excess": _or_null(is_finite),
    "budget": is_finite,
    "seconds": is_finite,
    "instances": _is_count,
    "family": _or_null(lambda value: isinstance(value, str)),
    "witness": _or_null(lambda value: isinstance(value, str | dict)),
}


def _check(row: Mapping[str, Any], place: str) -> None:
    for name, fits in FIELDS.items():
        if name not in row:
            raise NotARow(f"{place} is no row of an attempt: it has no {name}")
        if not fits(row[name]):
            shown = json.dumps(row[name])
            raise NotARow(f"{place} is no row of an attempt: its {name} is {shown[:40]}")
