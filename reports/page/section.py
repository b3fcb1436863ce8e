"""The section of one statement: what is printed, what is wrong with it, and what was found in trying it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

from bounds.errors import Misuse
from bounds.statement import AMENDED, SUFFICIENT, Amendment, Statement
from reports import record
from reports.description import amendment, condition, describe, finding
from reports.evaluation import at_a_point, margin_text
from reports.inspection import findings
from reports.page.cells import cell, property_, shown
from reports.page.no_cell import why_no_cell
from reports.page.pictures import Draw

Plain = dict[str, Any]
Entries = Sequence[Plain]

PRINTED = "printed"
UNCHECKED = "unchecked"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a record has of one statement. `again` has, by identity, the command that runs an entry again."""

    cells: Entries
    properties: Entries
    standing: str
    amended: str
    again: Mapping[int, str]

    def only(self, chosen: Callable[[Any], bool]) -> "Recorded":
        """The entries of the variants that are chosen."""
        cells, properties = (
            [e for e in entries if chosen(e.get("variant"))] for entries in (self.cells, self.properties)
        )
        return replace(self, cells=cells, properties=properties)


def installed(statement: Statement, recorded: Recorded, draw: Draw | None) -> Plain:
    """Without `draw` there is no picture."""
    from bounds.discovery import variants

    forms = variants(statement.id)[1:]
    others = [form.variant for form in forms]
    # What names a form that is not installed here stands with the printed one, under its own label.
    printed = recorded.only(lambda variant: variant not in others)
    body = describe(statement, findings(statement)) | _form(statement, printed, draw)
    return (
        body
        | _verdicts(statement.id, recorded)
        | {
            "no_cell": "" if recorded.cells or recorded.properties else why_no_cell(statement),
            "amended": [_amended(form, statement, recorded, draw) for form in forms],
        }
    )


def stranger(identity: str, recorded: Recorded) -> Plain:
    """A statement that only the record knows."""
    return (
        _verdicts(identity, recorded)
        | _entries(recorded)
        | {
            "id": identity,
            "title": "not installed here",
            "paper": {"key": ""},
            "findings": [],
            "amended": [],
            "no_cell": "",
        }
    )


def _verdicts(identity: str, recorded: Recorded) -> Plain:
    """What the table at the top says of a statement; other readings and forms do not speak for it."""
    speaking = [e for e in recorded.cells if e.get("reading", record.NAMED) == record.NAMED]
    held = [e for e in speaking if e["verdict"] == "holds" and e.get("variant", PRINTED) == PRINTED]
    ratios = [e["ratio"] for e in held if isinstance(e.get("ratio"), int | float)]
    entries = [*recorded.cells, *recorded.properties]
    counts = Counter(e["verdict"] for e in entries if e.get("variant") != AMENDED)
    return {
        "standing": recorded.standing,
        "counts": ", ".join(f"{number} {verdict}" for verdict, number in counts.items()),
        "judged": len(entries),
        "best_ratio": max(ratios, default=None),
        "anchor": anchor(identity),
    }


def _form(statement: Statement, recorded: Recorded, draw: Draw | None) -> Plain:
    """What the printed and the amended form of a statement both have."""
    name = anchor(f"{statement.id} {statement.variant}")
    return _entries(recorded) | {
        "example": _example(statement),
        "picture": draw(statement, recorded.cells, name) if draw is not None else {"why_none": ""},
    }


def _entries(recorded: Recorded) -> Plain:
    again = recorded.again
    return {
        "cells": [cell(entry, again[id(entry)]) for entry in recorded.cells],
        "properties": [property_(entry, again[id(entry)]) for entry in recorded.properties],
    }


def _amended(form: Statement, printed: Statement, recorded: Recorded, draw: Draw | None) -> Plain:
    before = {c.id for c in printed.conditions}
    return _form(form, recorded.only(lambda variant: variant == form.variant), draw) | {
        "standing": recorded.amended,
        "amendment": amendment(form),
        "needed": _needed(form.amendment),
        "printed": list(form.printed),
        "added": [condition(c) for c in form.conditions if c.id not in before],
        "findings": [finding(f) for f in findings(form)],
        "terms": [{"name": t.name, "pays_for": t.pays_for} for t in form.terms],
    }


def _needed(entry: Amendment | None) -> str:
    if entry is None or entry.needed in ("", SUFFICIENT):
        return "" if entry is None else entry.needed
    return f"yes: without it {entry.needed} is refuted"


def anchor(identity: str) -> str:
    return "".join(c if c.isalnum() and c.isascii() else "-" for c in identity)


def _example(statement: Statement) -> Plain | None:
    """The statement's own example; None where its author gave none."""
    if not statement.evaluable or not statement.example:
        return None
    try:
        body = at_a_point(statement.evaluate(**statement.example))
    except Misuse as error:  # an installed package's example need not fit its statement
        return {"why_none": str(error)}
    for checked in body["conditions"]:
        checked["told"] = margin_text(checked)
    return body | {"shown_parameters": shown(statement.example)}
