"""Bounds beside certified worst cases, as a record has them. A file from elsewhere may hold anything."""

from collections.abc import Collection, Mapping
from typing import Any

from reports.page.section import anchor
from verify.json_numbers import is_number

Plain = dict[str, Any]


def worst_cases(data: Plain, shown: Collection[str], only: str | None) -> list[Plain]:
    """One row for each certified worst case; links lead to statements that the page has (`shown`)."""
    rows = [_row(entry, shown) for entry in data.get("worst_cases", []) if isinstance(entry, dict)]
    return [row for row in rows if only is None or row["id"].startswith(f"{only}.")]


def _row(entry: Plain, shown: Collection[str]) -> Plain:
    found = entry.get("parameters")
    parameters = found if isinstance(found, Mapping) else {}
    numbers = {name: entry.get(name) for name in ("bound", "upper", "lower", "ratio")}
    identity = str(entry.get("id"))
    return {
        "id": identity,
        "anchor": anchor(identity) if identity in shown else "",
        "variant": str(entry.get("variant")),
        "verdict": str(entry.get("verdict")),
        "at": ", ".join(f"{name}={value}" for name, value in parameters.items()),
        **{name: value if is_number(value) else None for name, value in numbers.items()},
    }
