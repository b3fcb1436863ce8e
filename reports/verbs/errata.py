"""`fedbounds errata`: the ledger of findings over all papers, each once."""

from typing import Any

from reports import exits, json_border, terminal
from reports.terminal import Page
from reports.verbs.options import Identities, Json


def run(*ids: Identities, json: Json = False) -> int:
    """The ledger of findings over all papers."""
    entries = ledger(ids)
    if json:
        terminal.write(json_border.document("errata", {"findings": entries}))
    else:
        terminal.write(str(_page(entries)))
    return exits.OK


def ledger(names: tuple[str, ...]) -> list[dict[str, Any]]:
    """One place, one finding: two forms of a theorem that share a condition share its defect."""
    from bounds.finding import FindingClass
    from reports.description import finding
    from reports.inspection import findings
    from reports.selection import select

    entries: dict[tuple[str, ...], dict[str, Any]] = {}
    for statement in select(names):
        for found in findings(statement):
            place = (statement.paper.key, found.locator, found.printed, found.evidence)
            entry = entries.setdefault(place, finding(found) | {"statements": []})
            entry["statements"].append(statement.id)
    gravity = [grade.value for grade in FindingClass]
    return sorted(entries.values(), key=lambda e: (gravity.index(e["class"]), e["statement"]))


def _page(entries: list[dict[str, Any]]) -> Page:
    page = Page()
    page.title(f"{len(entries)} {'finding' if len(entries) == 1 else 'findings'}, gravest first")
    for e in entries:
        page.heading(f"{e['class']}: {e['locator']}, {e['where']}")
        page.paragraph(f"in {', '.join(e['statements'])}")
        page.item("printed:")
        page.verbatim(e["printed"], indent=6)
        page.item("right:", e["right"])
        page.item("evidence:", e["evidence"])
    return page
