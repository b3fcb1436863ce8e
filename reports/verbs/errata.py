"""`fedbounds errata`: the ledger of findings over all papers, each once."""

from typing import TYPE_CHECKING, Annotated, Any

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Identities, Json, take_flag

if TYPE_CHECKING:
    from reports.documents.types import errata as types

Recheck = Annotated[
    bool,
    take_flag("Run the evidence again. Exit with 1 if a result differs."),
]


def run(*ids: Identities, recheck: Recheck = False, json: Json = False) -> int:
    """List the defects found in the papers, gravest first."""
    from reports.documents.findings_once import list_once
    from reports.recorded_findings import rows

    found = rows(ids)
    entries = list_once(found)
    rechecked = _rechecked(entries, {subject.paper for subject, _ in found}) if recheck else None
    if json:
        extra = {} if rechecked is None else {"rechecked": rechecked}
        terminal.write(json_border.document("errata", {"findings": entries} | extra))
    else:
        terminal.write(str(_page(entries, rechecked)))
    return exits.OK if all(entry["agrees"] for entry in rechecked or ()) else exits.REFUTED


def _rechecked(entries: list[dict[str, Any]], papers: set[str]) -> "list[types.Rechecked]":
    """Run the evidence of the statements shown again."""
    from bounds.installed_papers import own, registered
    from reports.recorded_findings import AGAIN, differing
    from verify.ledger.recheck import recheck, recheck_package

    if not entries:
        return []
    places = [place for entry in entries for place in (entry, *entry["also"])]
    shown = {identity for place in places for identity in place["statements"]}
    progress = terminal.Progress()
    ours = bool(papers & own().keys())
    rechecked = recheck(progress) if ours else []
    for paper in sorted(papers & registered().keys()):
        rechecked += recheck_package(paper, progress)
    progress.close()
    stale: list[types.Rechecked] = [
        {
            "id": identity,
            "agrees": False,
            "sentence": f"{identity}: its recorded findings differ; run `{AGAIN}`",
        }
        for identity in (differing() if ours else ())
    ]
    return stale + [
        {"id": identity, "agrees": agrees, "sentence": sentence}
        for identity, agrees, sentence in rechecked
        if identity in shown
    ]


def _page(entries: list[dict[str, Any]], rechecked: "list[types.Rechecked] | None") -> Page:
    from reports.documents.quotation import LABELS

    page = Page()
    page.title(f"{len(entries)} {'finding' if len(entries) == 1 else 'findings'}, gravest first")
    for e in entries:
        page.heading(f"{e['class']}: {e['locator']}, {e['where']}")
        if e["matters"]:
            page.item("why it matters:", e["matters"])
        page.paragraph(f"in {', '.join(e['statements'])}")
        page.item(LABELS[e["quoted"]])
        page.verbatim(e["printed"], indent=6)
        page.item("correction:", e["right"])
        page.item("evidence:", e["evidence"])
        if e["repeats"]:
            page.item("repeated at:", e["repeats"])
        if e["also"]:
            elsewhere = (f"{o['locator']}, {o['where']} ({o['class']})" for o in e["also"])
            page.item("also at:", "; ".join(elsewhere))
    if rechecked is None and entries:
        _tell_how_to_check(page, entries)
    if rechecked is not None:
        page.heading(f"Evidence run again: {sum(r['agrees'] for r in rechecked)} of {len(rechecked)} agree")
        for r in rechecked:
            page.item(r["sentence"])
    return page


def _tell_how_to_check(page: Page, entries: list[dict[str, Any]]) -> None:
    """Name the commands that run this evidence, and counterexamples of a search, again."""
    from verify.falsify.witness_folder import WITNESSES

    statements = sorted({identity for e in entries for identity in e["statements"]})
    files = [file for identity in statements if (file := WITNESSES / f"{identity}.json").is_file()]
    page.heading("Check it yourself")
    which = f" {statements[0]}" if len(statements) == 1 else ""
    page.item("the evidence above:", f"fedbounds errata{which} --recheck")
    if files:
        several = "" if len(files) == 1 else f", for each ID of {len(files)} statements"
        name = files[0] if len(files) == 1 else WITNESSES / "ID.json"
        page.item(f"another counterexample, found by a search{several}:", f"fedbounds replay {name}")
