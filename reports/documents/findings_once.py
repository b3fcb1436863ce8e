"""Findings with one defect told once: where it is gravest, with the other places that have it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from bounds.language.finding import FindingClass
from verify.ledger.same_defect import named, place_of_defect

if TYPE_CHECKING:  # the findings on file are printed without loading sympy
    from bounds.language.statement import Statement


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """A statement as far as this file needs it: its id, the key of its paper, and whether it has a proof."""

    id: str
    paper: str
    has_proof: bool


Plain = dict[str, Any]
Found = Iterable[tuple[Subject, list[Plain]]]
GRAVITY = [grade.value for grade in FindingClass]
KEYS = ("of_conclusion", "defect")  # of `description.keyed`
# A place whose defect is described elsewhere keeps these fields.
FIELDS_ELSEWHERE = (
    "id",
    "statement",
    "statements",
    "locator",
    "class",
    "where",
    "printed",
    "quoted",
    "matters",
    "right",
    "evidence",
)


def in_order(entry: Plain) -> Plain:
    """The fields as a document prints them."""
    return {key: entry[key] for key in (*FIELDS_ELSEWHERE, *KEYS) if key in entry}


def subject(statement: "Statement") -> Subject:
    return Subject(statement.id, statement.paper.key, bool(statement.steps))


def list_once(found: Found) -> list[Plain]:
    """One defect, one finding, told where it is gravest; `also` has the other places with the same defect.

    Where that place is not among what is asked for, a repetition stands by itself and says what it `repeats`.
    """
    entries = places(found)
    at: dict[tuple[str, str], Plain] = {}
    for entry in entries:
        paper, here = _place(entry)
        at |= {(paper, name): entry for name in (here, named(here, entry["statement"]))}
    alone = []
    for entry in entries:
        paper, here = _place(entry)
        entry["repeats"] = place_of_defect(paper, here, entry["statement"])
        origin = at.get((paper, entry["repeats"]))
        if origin is None:
            alone.append(entry)
        else:
            origin["also"].append({key: entry[key] for key in FIELDS_ELSEWHERE})
    shown = [{key: value for key, value in entry.items() if key not in KEYS} for entry in alone]
    return sorted(shown, key=lambda e: (GRAVITY.index(e["class"]), e["statement"]))


def _place(entry: Plain) -> tuple[str, str]:
    return entry["statement"].partition(".")[0], f"{entry['locator']}, {entry['where']}"


def places(found: Found) -> list[Plain]:
    """One place, one finding, the gravest: two forms of a theorem that share a condition share its defect.

    What refutes a conclusion is a statement's own. A term without its unit is one defect wherever it stands.
    """
    entries: dict[tuple[str, ...], Plain] = {}
    has_proof: dict[str, bool] = {}
    for statement, findings in found:
        has_proof[statement.id] = statement.has_proof
        for shown in findings:
            entry = entries.setdefault(
                _key(statement, shown), shown | {"statements": [], "repeats": None, "also": []}
            )
            graver = GRAVITY.index(shown["class"]) < GRAVITY.index(entry["class"])
            # The first of equally grave findings, but a theorem with its proof before its restatements.
            origin = statement.has_proof and not has_proof[entry["statement"]]
            if graver or (shown["class"] == entry["class"] and origin):
                entry.update(shown)
            if statement.id not in entry["statements"]:
                entry["statements"].append(statement.id)
    return list(entries.values())


def _key(statement: Subject, shown: Plain) -> tuple[str, ...]:
    if shown["defect"]:
        return statement.paper, shown["defect"]
    place = statement.paper, shown["locator"], shown["printed"]
    return (*place, "", statement.id) if shown["of_conclusion"] else (*place, shown["where"])
