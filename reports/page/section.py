"""The section of one statement: what is printed, what is wrong with it, and what was found in trying it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

from bounds.errors import Misuse
from bounds.language.finding import Standing, Verdict
from bounds.language.statement import AMENDED, SUFFICIENT, Amendment, Kind, Statement
from reports.documents import record
from reports.documents.description import amendment, condition, describe, finding, keyed
from reports.documents.evaluation import describe_point, margin_text
from reports.page import answer, attempts
from reports.page.cells import cell, property_, shown
from reports.page.checks import checks, standing
from reports.page.pictures import picture
from reports.page.refutation import refutation
from reports.page.tightness import tightness
from verify.ledger.true_form import findings

Plain = dict[str, Any]
Entries = Sequence[Plain]

PRINTED = "printed"
UNRUN = "this record has none of its cells"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a record has of one statement. Every entry has, as `again`, the command that runs it again.

    attempts: the row of the hardest attempt to break it, by form.
    """

    cells: Entries
    properties: Entries
    standing: Standing
    amended: Standing
    attempts: Mapping[str, Plain]

    def only(self, chosen: Callable[[Any], bool]) -> "Recorded":
        """The entries of the variants that are chosen."""
        cells, properties = (
            [e for e in entries if chosen(e.get("variant"))] for entries in (self.cells, self.properties)
        )
        return replace(self, cells=cells, properties=properties)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What takes time; level: of the pictures; directory: where the commands find the record."""

    pictures: bool
    audit: bool
    level: float
    directory: Path


def installed(statement: Statement, recorded: Recorded, wanted: Wanted) -> Plain:
    from bounds.discovery import variants

    forms = variants(statement.id)[1:]
    others = [form.variant for form in forms]
    # What names a form that is not installed here stands with the printed one, under its own label.
    printed = recorded.only(lambda variant: variant not in others)
    found = findings(statement)
    body: Plain = {**describe(statement, found), **_form(statement, printed, wanted)}
    verdicts = _verdicts(statement.id, recorded)
    verdicts |= _stands(standing(recorded.standing, body["audit"]))
    section = (
        body
        | verdicts
        | {
            "tier": tier(statement),
            "no_cell": "" if recorded.cells else _why_no_cell(statement),
            "keyed": [keyed(f) for f in found],
            "amended": [_amended(form, statement, recorded, wanted) for form in forms],
            "refutation": refutation(statement, _violated(printed), wanted.directory),
            "tightness": tightness(statement.id) if wanted.pictures else None,
        }
    )
    return section | {"answer": answer.sentence(section), "looseness": answer.looseness(section)}


MAIN, BOUNDS, CLAIMS, NAMES = "main", "bounds", "claims", "names"
TIERS = {
    MAIN: "What the paper is cited for",
    BOUNDS: "Other bounds, lemmas and identities",
    CLAIMS: "Claims in prose",
    NAMES: "Definitions and rules",
}


def tier(statement: Statement) -> str:
    """The group of a paper's list to which a statement belongs."""
    if statement.id.partition(".")[2] in statement.paper.main:
        return MAIN
    if statement.kind in (Kind.DEFINITION, Kind.RULE):
        return NAMES
    return CLAIMS if statement.kind is Kind.CLAIM else BOUNDS


def _violated(recorded: Recorded) -> list[Plain]:
    """Entries of the named reading that contradict the form, the largest ratio first."""
    entries = [*recorded.cells, *recorded.properties]
    against = [
        e
        for e in entries
        if e["verdict"] == Verdict.VIOLATED.value and e.get("reading", record.NAMED) == record.NAMED
    ]
    return sorted(against, key=lambda e: -r if isinstance(r := _ratio(e), int | float) else 0.0)


def stranger(identity: str, recorded: Recorded) -> Plain:
    """A statement that only the record knows."""
    return (
        _verdicts(identity, recorded)
        | _entries(recorded)
        | {
            "id": identity,
            "title": "not installed here",
            "tier": BOUNDS,
            "answer": "not installed here, so only its entries are shown.",
            "looseness": None,
            "refutation": None,
            "tightness": None,
            "paper": {"key": ""},
            "findings": [],
            "amended": [],
            "no_cell": "",
            "mechanism": None,
            "attempt": None,
        }
    )


def _why_no_cell(statement: Statement) -> str:
    from verify.matching import why_not_run
    from verify.notes_on_packages import lacks

    return why_not_run(statement) or lacks(statement) or UNRUN


def _verdicts(identity: str, recorded: Recorded) -> Plain:
    """What the table at the top says of a statement; other readings and forms do not speak for it."""
    entries = [*recorded.cells, *recorded.properties]
    speaking = [e for e in entries if e.get("reading", record.NAMED) == record.NAMED]
    held = [e for e in speaking if e["verdict"] == "holds" and e.get("variant", PRINTED) == PRINTED]
    ratios = [ratio for e in held if isinstance(ratio := _ratio(e), int | float)]
    counts = Counter(e["verdict"] for e in entries if e.get("variant") != AMENDED)
    return {
        **_stands(recorded.standing),
        "counts": ", ".join(f"{number} {verdict}" for verdict, number in counts.items()),
        "judged": len(entries),
        "best_ratio": max(ratios, default=None),
        "anchor": anchor(identity),
    }


def _stands(standing: Standing) -> Plain:
    """The words for readers, and the value that the page counts and selects by."""
    return {
        "standing": str(standing),
        "status": standing.status.value,
        "tried_on": standing.tried,
        "tried": {"cells": standing.cells, "cases": standing.cases, "best_ratio": standing.best_ratio},
    }


def _ratio(entry: Plain) -> Any:
    """The ratio of a cell, or of the worst objects that a statement was tried on."""
    worst = entry.get("worst")
    return worst.get("ratio") if isinstance(worst, dict) else entry.get("ratio")


def _form(statement: Statement, recorded: Recorded, wanted: Wanted) -> Plain:
    """What the printed and the amended form of a statement both have."""
    row = recorded.attempts.get(statement.variant)
    drawn = picture(statement, recorded.cells, wanted.level) if wanted.pictures else {"why_none": ""}
    return _entries(recorded) | {
        "example": _example(statement),
        "audit": checks(statement) if wanted.audit else None,
        "picture": drawn,
        "unfilled": _unfilled(statement) if recorded.cells else [],
        "attempt": None if row is None else attempts.attempt(row),
    }


def _unfilled(statement: Statement) -> list[Plain]:
    """The standard roles without a cell, and why; a statement that needs no run has no roles."""
    from verify.matching import unfilled, why_not_run

    if why_not_run(statement) is not None:
        return []
    return [{"role": role, "why": why or "no reason is known"} for role, why in unfilled(statement).items()]


def _entries(recorded: Recorded) -> Plain:
    return {
        "cells": [cell(entry) for entry in recorded.cells],
        "properties": [property_(entry) for entry in recorded.properties],
    }


def _amended(form: Statement, printed: Statement, recorded: Recorded, wanted: Wanted) -> Plain:
    before = {c.id for c in printed.conditions}
    body = _form(form, recorded.only(lambda variant: variant == form.variant), wanted)
    return body | {
        **_stands(standing(recorded.amended, body["audit"])),
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
        body: Plain = {**describe_point(statement.evaluate(**statement.example))}
    except Misuse as error:  # an installed package's example need not fit its statement
        return {"why_none": str(error)}
    for checked in body["conditions"]:
        checked["told"] = margin_text(checked)
    return body | {"shown_parameters": shown(statement.example)}
