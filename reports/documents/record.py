"""Records as the border sees them: read, checked for shape, and told in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.errors import MalformedFile

if TYPE_CHECKING:
    from bounds.language.finding import Standing

NAMED = "named reading"  # other readings are diagnostics: they do not speak for the statement

_ORDER = {word: i for i, word in enumerate(("holds", "violated", "vacuous", "inconclusive", "refused"))}


def read(path: Path) -> dict[str, Any]:
    """A record, from its file or its directory, that follows as a whole from its own entries."""
    from verify.records.consistency import compare_whole
    from verify.records.record import read as read_record

    data: dict[str, Any] = read_record(path)
    found = compare_whole(data, [*data["cells"], *properties(data)])
    if not found.agrees:
        raise MalformedFile(f"{path} does not follow from its own entries: {found.sentence}")
    return data


def parent(data: Mapping[str, Any]) -> str:
    """The record that this one is a part of, as a phrase; empty if it is a whole one."""
    from verify.records.part import parent_of

    found = parent_of(data)
    return "" if found is None else f"a part of {found.sentence}"


def properties(data: Mapping[str, Any]) -> list[Any]:
    """Statements that were tried on objects instead of in runs."""
    found = data.get("properties")
    return found if isinstance(found, list) else []


def worst_cases(data: Mapping[str, Any]) -> list[Any]:
    """Bounds that a certificate compares with the worst case over the whole class."""
    found = data.get("worst_cases")
    return found if isinstance(found, list) else []


def standings(data: Mapping[str, Any], variant: str = "printed") -> "dict[str, Standing]":
    """How the printed or the amended forms stand of which the record has entries or certificates."""
    from bounds.language.statement import AMENDED
    from verify.records.standings import standings as of_entries
    from verify.standing import standing_of

    entries, amended = [*data["cells"], *properties(data)], variant == AMENDED
    shown = of_entries(entries, worst_cases(data), amended=amended)
    return {identity: standing_of(identity, variant, one) for identity, one in shown.items()}


def verdicts(cells: list[dict[str, Any]]) -> list[str]:
    """The verdicts of the cells that count for their statement."""
    return [cell["verdict"] for cell in cells if cell.get("reading", NAMED) == NAMED]


def counts(data: Mapping[str, Any]) -> str:
    """One sentence; `holds` with and without a certificate apart."""
    cells = data["cells"]
    asymptotic = sum(cell["verdict"] == "holds" and cell.get("certified") is False for cell in cells)
    parts = []
    for verdict, count in tally(cells):
        of_these = f" ({asymptotic} of them asymptotic)" if verdict == "holds" and asymptotic else ""
        parts.append(f"{count} {verdict}{of_these}")
    level = data.get("error_level")
    return f"{counted(len(cells), 'cell')} at error level {level}: {', '.join(parts)}"


def properties_counted(data: Mapping[str, Any]) -> str:
    """The same for what was tried on objects; empty where nothing was."""
    found = properties(data)
    parts = ", ".join(f"{count} {verdict}" for verdict, count in tally(found))
    return f"{counted(len(found), 'statement')} tried on objects: {parts}" if found else ""


def tally(entries: list[dict[str, Any]]) -> list[tuple[str, int]]:
    """How many have each verdict, in the usual order of verdicts."""
    counts = Counter(entry["verdict"] for entry in entries)
    return sorted(counts.items(), key=lambda item: _ORDER.get(item[0], len(_ORDER)))


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def by_statement(cells: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
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


def describe_verdict(cell: Mapping[str, Any]) -> str:
    """The cell's sentence without the verdict that stands beside it."""
    return str(cell.get("sentence", "")).removeprefix(f"{cell['verdict']}: ")
