"""Records as the border sees them: read, checked for shape, and told in words."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reports.errors import MalformedFile

NAMED = "named reading"  # other readings are diagnostics: they do not speak for the statement

_ORDER = {word: i for i, word in enumerate(("holds", "violated", "vacuous", "inconclusive", "refused"))}


def read(path: Path) -> dict[str, Any]:
    """A record, from its file or its directory. A file from elsewhere may hold anything under any key."""
    from verify.record import read as read_record

    data: dict[str, Any] = read_record(path)
    for position, cell in enumerate(data["cells"], start=1):
        if not isinstance(cell, dict) or not all(isinstance(cell.get(k), str) for k in ("id", "verdict")):
            raise MalformedFile(f"{path}: cell {position} has no id or no verdict")
        for key in ("measured", "bound", "excess", "parameters"):
            if not isinstance(cell.get(key), dict):
                raise MalformedFile(f"{path}: {key} of cell {position} is missing or no object")
    return data


def standings(data: Mapping[str, Any]) -> dict[str, str]:
    """As the record has them; what the ledger refutes stays refuted whatever cells hold."""
    from bounds.finding import Standing
    from verify.ledger import refuted

    summary = data.get("summary")
    found = summary.get("standings") if isinstance(summary, dict) else None
    recorded = {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}
    return recorded | dict.fromkeys(refuted(), Standing.REFUTED.value)


def verdicts(cells: list[dict[str, Any]]) -> list[str]:
    """Of the cells that speak for their statement."""
    return [cell["verdict"] for cell in cells if cell.get("reading", NAMED) == NAMED]


def counts(data: Mapping[str, Any]) -> str:
    """One sentence; `holds` with and without a certificate apart."""
    cells = data["cells"]
    tally: dict[str, int] = {}
    for cell in cells:
        tally[cell["verdict"]] = tally.get(cell["verdict"], 0) + 1
    asymptotic = sum(cell["verdict"] == "holds" and cell.get("certified") is False for cell in cells)
    parts = []
    for verdict, count in sorted(tally.items(), key=lambda item: _ORDER.get(item[0], len(_ORDER))):
        of_these = f" ({asymptotic} of them asymptotic)" if verdict == "holds" and asymptotic else ""
        parts.append(f"{count} {verdict}{of_these}")
    level = data.get("error_level")
    return f"{len(cells)} {'cell' if len(cells) == 1 else 'cells'} at error level {level}: {', '.join(parts)}"


def by_statement(cells: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    out: dict[str, list[dict[str, Any]]] = {}
    for cell in cells:
        out.setdefault(cell["id"], []).append(cell)
    return out


def label(cell: Mapping[str, Any]) -> str:
    """What distinguishes a cell among those of its statement."""
    reading = cell.get("reading", NAMED)
    other = "" if reading == NAMED else f" [{reading}]"
    variant = "" if cell.get("variant", "printed") == "printed" else f" [{cell['variant']}]"
    return f"{cell.get('role') or cell.get('problem', '')}{other}{variant}"


def ratio(cell: Mapping[str, Any]) -> str:
    value = cell.get("ratio")
    return f"{value:.3g}" if isinstance(value, int | float) else ""


def told(cell: Mapping[str, Any]) -> str:
    """The cell's sentence without the verdict that stands beside it."""
    return str(cell.get("sentence", "")).removeprefix(f"{cell['verdict']}: ")
