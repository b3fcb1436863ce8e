"""`fedbounds list`: every statement on one line."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.documents import json_border
from reports.verbs.options import Json, take_path

if TYPE_CHECKING:
    from bounds.language.finding import Standing
    from bounds.language.statement import Statement
    from reports.documents.types.list import Listed

COLUMNS = ("id", "locator", "kind", "title", "standing")
WIDE_ENOUGH = 130  # columns for the table; below it a title would be squeezed into a ribbon


Words = Annotated[
    str, Parameter(name="ID", help="Ids, modules or papers, or words that occur. Default: all statements.")
]
Record = Annotated[Path | None, take_path("Take standings from this record of `fedbounds verify`.")]


def run(
    *ids: Words,
    record: Record = None,
    json: Json = False,
) -> int:
    """List statements with locator, kind, title and standing."""
    from reports.inputs.statements import find_with_findings

    shown = {} if record is None else _read(record)
    rows = [_row(statement, shown) for statement in find_with_findings(ids)]
    if json:
        terminal.write(json_border.document("list", {"statements": rows}))
        return exits.OK
    rows = [row | {"standing": _say(row)} for row in rows]
    if not terminal.is_terminal():
        terminal.write(_lines(rows))
    else:
        terminal.write(_table(rows) if _columns() >= WIDE_ENOUGH else _pairs(rows))
    return exits.OK


def _read(path: Path) -> "dict[str, Standing]":
    from reports.documents.record import parent, properties, read, standings
    from reports.errors import MalformedFile
    from verify.records.follows import find_contradiction

    data = read(path)
    for entry in (*data["cells"], *properties(data)):
        if (name := find_contradiction(entry)) is not None:
            of = f"{entry['id']}, {entry['role']}" if "role" in entry else entry["id"]
            raise MalformedFile(f"{path}: the {name} of {of} is not what its other numbers lead to")
    if parent(data):
        terminal.say(f"{path} is {parent(data)}: the standings are those of the entries in it")
    return standings(data)


def _row(statement: "Statement", shown: "dict[str, Standing]") -> "Listed":
    from bounds.discovery import variants
    from verify.standing import standing_of

    standing = shown.get(statement.id) or standing_of(statement.id)
    return {
        "id": statement.id,
        "locator": statement.locator,
        "paper": statement.paper.key,
        "kind": statement.kind.value,
        "title": statement.title,
        "variants": [variant.variant for variant in variants(statement.id)],
        "standing": str(standing),
        "note": _describe_evidence(statement, standing),
    }


def _describe_evidence(statement: "Statement", standing: "Standing") -> str:
    """What tests a statement that is unchecked here, and what of a refutation is believed."""
    from bounds.language.finding import Status
    from bounds.language.statement import Kind
    from verify.matching.roles import ON_OBJECTS, why_not_run
    from verify.records.refuted import rests_on_record

    if standing.status is Status.REFUTED:
        return "as recorded; errata --recheck runs it" if rests_on_record(statement.id) else ""
    if standing.status is not Status.UNCHECKED:
        return ""
    if statement.kind in (Kind.DEFINITION, Kind.RULE):
        return "claims nothing"
    if why_not_run(statement) in (None, ON_OBJECTS):
        return "verify runs it"
    if statement.kind is Kind.CLAIM:
        return "audit says what tests it"
    return f"verify runs {statement.explicit}" if statement.explicit else ""


def _say(row: "Listed") -> str:
    return f"{row['standing']} ({row['note']})" if row["note"] else row["standing"]


def _lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """One line per statement of any length, for grep and awk."""
    sizes = {c: max(len(row[c]) for row in rows) for c in COLUMNS}
    order = ("id", "locator", "kind", "standing", "title")
    return "".join("  ".join(f"{row[c]:<{sizes[c]}}" for c in order).rstrip() + "\n" for row in rows)


def _columns() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in COLUMNS:
        table.add_column(column, no_wrap=column != "title", overflow="fold")
    for row in rows:
        table.add_row(*(row[column] for column in COLUMNS))
    return terminal.render(table, _columns())


def _pairs(rows: "list[Listed]") -> str:
    """Two lines per statement in a narrow window."""
    page = terminal.Page()
    for row in rows:
        page.title(f"{row['id']}  ({row['locator']})")
        page.paragraph(f"{row['title']}. {row['kind'].capitalize()}; {row['standing']}.")
    return str(page)
