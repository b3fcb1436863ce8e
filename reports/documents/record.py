"""Records as the border sees them: read, checked for shape, and told in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
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


def standings(data: Mapping[str, Any]) -> "dict[str, Standing]":
    """Those that the entries give, with what is refuted or proved whatever the entries show."""
    from verify.records.standings import standings as of_entries

    return from_the_ledger(of_entries([*data["cells"], *properties(data)], worst_cases(data)))


def from_the_ledger(known: "Mapping[str, Standing]") -> "dict[str, Standing]":
    """The standings, where a certificate on file proves a statement and the ledger refutes it."""
    from bounds.installed_papers import registered
    from bounds.language.finding import REFUTED
    from verify.ledger.errata_check import is_readable
    from verify.records.refuted import refuted, refuted_in

    found = refuted().union(*(refuted_in(paper) for paper in registered() if is_readable(paper)))
    return _proved(known, "printed") | dict.fromkeys(found, REFUTED)


def _proved(known: "Mapping[str, Standing]", variant: str) -> "dict[str, Standing]":
    """Proved where a certificate is on file, with the cells that were run; an entry against it prevails."""
    from bounds.language.finding import REFUTED, UNCHECKED, Status
    from verify.proofs.store import proved

    found = {identity: known.get(identity, UNCHECKED) for identity, form in proved() if form == variant}
    replaced = {i: replace(one, status=Status.PROVED) for i, one in found.items() if one != REFUTED}
    return {**known, **replaced}


def amended(data: Mapping[str, Any]) -> "dict[str, Standing]":
    """The standings of the amended forms."""
    from verify.records.standings import standings as of_entries

    entries = [*data["cells"], *properties(data)]
    return _proved(of_entries(entries, worst_cases(data), amended=True), "amended")


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
