"""`fedbounds errata`: the ledger of findings over all papers, each once."""

from typing import Annotated, Any

from cyclopts import Parameter

from reports import exits, json_border, terminal
from reports.terminal import Page
from reports.verbs.options import Identities, Json

Recheck = Annotated[
    bool,
    Parameter(name="--recheck", negative="", help="Run the evidence again; exit 1 where it differs."),
]


# What is kept of a place whose defect is told elsewhere.
TOLD = ("id", "statement", "locator", "class", "where", "printed", "right", "evidence")


def run(*ids: Identities, recheck: Recheck = False, json: Json = False) -> int:
    """The ledger of findings over all papers."""
    entries = ledger(ids)
    rechecked = _rechecked(entries) if recheck else None
    if json:
        extra = {} if rechecked is None else {"rechecked": rechecked}
        terminal.write(json_border.document("errata", {"findings": entries} | extra))
    else:
        terminal.write(str(_page(entries, rechecked)))
    return exits.OK if all(entry["agrees"] for entry in rechecked or ()) else exits.REFUTED


def _rechecked(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The evidence of those statements that are shown."""
    from verify.ledger import recheck

    shown = {identity for entry in entries for identity in entry["statements"]}
    return [
        {"id": identity, "agrees": agrees, "sentence": sentence}
        for identity, agrees, sentence in recheck()
        if identity in shown
    ]


def ledger(names: tuple[str, ...]) -> list[dict[str, Any]]:
    """One defect, one finding, told where it is gravest; `also` has the other places with the same defect.

    Where that place is not among what is asked for, a repetition stands by itself and says what it `repeats`.
    """
    from bounds.finding import FindingClass
    from verify.repeats import named, told_at

    gravity = [grade.value for grade in FindingClass]
    entries = places(names)
    at: dict[tuple[str, str], dict[str, Any]] = {}
    for entry in entries:
        paper, here = _place(entry)
        at |= {(paper, name): entry for name in (here, named(here, entry["statement"]))}
    alone = []
    for entry in entries:
        paper, here = _place(entry)
        entry["repeats"] = told_at(paper, here, entry["statement"])
        origin = at.get((paper, entry["repeats"]))
        if origin is None:
            alone.append(entry)
        else:
            origin["also"].append({key: entry[key] for key in TOLD})
            origin["statements"] += [i for i in entry["statements"] if i not in origin["statements"]]
    return sorted(alone, key=lambda e: (gravity.index(e["class"]), e["statement"]))


def _place(entry: dict[str, Any]) -> tuple[str, str]:
    return entry["statement"].partition(".")[0], f"{entry['locator']}, {entry['where']}"


def places(names: tuple[str, ...]) -> list[dict[str, Any]]:
    """One place, one finding, the gravest: two forms of a theorem that share a condition share its defect.

    What refutes a conclusion is a statement's own. A term without its unit is one defect wherever it stands.
    """
    import bounds
    from bounds.finding import FindingClass
    from reports.description import finding
    from reports.inspection import findings
    from reports.selection import select

    gravity = [grade.value for grade in FindingClass]
    entries: dict[tuple[str, ...], dict[str, Any]] = {}
    for statement in select(names):
        for found in findings(statement):
            # What comes out of the source instead is a defect of the conclusion, as a counterexample is.
            where = "conclusion" if found.where.startswith("value of") else found.where
            place: tuple[str, ...] = (statement.paper.key, found.locator, where, found.printed)
            if where == "conclusion":
                place = (*place, statement.id)
            if found.evidence.startswith("units: ") and where.startswith(("term ", "definition of ")):
                place = (statement.paper.key, found.evidence.rsplit("; ", 1)[-1])
            shown = finding(found)
            entry = entries.setdefault(place, shown | {"statements": [], "repeats": None, "also": []})
            graver = gravity.index(shown["class"]) < gravity.index(entry["class"])
            # Of equally grave ones the first, but a theorem with its proof before what restates it.
            origin = statement.steps and not bounds.get(entry["statement"]).steps
            if graver or (shown["class"] == entry["class"] and origin):
                entry.update(shown)
            if statement.id not in entry["statements"]:
                entry["statements"].append(statement.id)
    return list(entries.values())


def _page(entries: list[dict[str, Any]], rechecked: list[dict[str, Any]] | None) -> Page:
    page = Page()
    page.title(f"{len(entries)} {'finding' if len(entries) == 1 else 'findings'}, gravest first")
    for e in entries:
        page.heading(f"{e['class']}: {e['locator']}, {e['where']}")
        page.paragraph(f"in {', '.join(e['statements'])}")
        page.item("printed:")
        page.verbatim(e["printed"], indent=6)
        page.item("right:", e["right"])
        page.item("evidence:", e["evidence"])
        if e["repeats"]:
            page.item("repeats:", e["repeats"])
        if e["also"]:
            elsewhere = (f"{o['locator']}, {o['where']} ({o['class']})" for o in e["also"])
            page.item("also at:", "; ".join(elsewhere))
    if rechecked is not None:
        page.heading(f"Checked again: {sum(r['agrees'] for r in rechecked)} of {len(rechecked)} agree")
        for r in rechecked:
            page.item(r["sentence"])
    return page
