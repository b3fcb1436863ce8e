"""The opening of the page: for each paper what it is cited for, its gravest findings and one picture."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from bounds.language.finding import FindingClass, Status
from bounds.language.statement import Statement
from reports.documents.findings_once import GRAVITY
from reports.page.section import BOUNDS, MAIN, TIERS
from verify.records.refuted import worded

Plain = dict[str, Any]
Entries = Sequence[Plain]

MOST = 5  # statements and findings of a paper that are shown
GRAVE = GRAVITY[: GRAVITY.index(FindingClass.INCONSISTENT.value) + 1]


def opening(statements: Sequence[Statement], sections: Entries, found: Entries) -> list[Plain]:
    """One entry for each paper in order; `found` are the findings of all papers, each defect once."""
    papers = {statement.paper.key: statement.paper for statement in statements}
    by_id = {section["id"]: section for section in sections}
    out = []
    for key, paper in papers.items():
        own = [section for section in sections if section["paper"]["key"] == key]
        main = [by_id[f"{key}.{name}"] for name in paper.main if f"{key}.{name}" in by_id]
        main = main or [section for section in own if section["tier"] == BOUNDS][:MOST]
        defects = [entry for entry in found if entry["statement"] in {s["id"] for s in own}]
        out.append(
            {
                "key": key,
                "title": paper.title,
                "method": paper.method,
                "authors": paper.authors,
                "url": paper.url if paper.url.startswith("https://") else "",
                "main": main,
                "counts": counts(defects),
                "gravest": _gravest(defects, by_id, {section["id"] for section in main}),
                "picture": _picture([*main, *own]),
            }
        )
    return out


def counts(found: Entries) -> str:
    """Return "3 false, 2 loose", gravest first."""
    numbers = Counter(entry["class"] for entry in found)
    return ", ".join(f"{numbers[grade]} {grade}" for grade in GRAVITY if numbers[grade])


def _gravest(found: Entries, by_id: dict[str, Plain], main: Collection[str]) -> list[Plain]:
    """Without what the sentences of the main statements, which stand above, say already."""
    grave = [
        entry
        for entry in found
        if entry["class"] in GRAVE and not (_is_conclusion(entry) and entry["statement"] in main)
    ]
    order = list(TIERS)  # a lemma that is false weighs more than a sentence that is
    grave.sort(key=lambda e: (GRAVE.index(e["class"]), order.index(by_id[e["statement"]]["tier"])))
    return [finding(entry, by_id[entry["statement"]]) for entry in grave[:MOST]]


def _is_conclusion(entry: Plain) -> bool:
    return bool(entry["class"] == FindingClass.FALSE.value)


def finding(entry: Plain, section: Plain) -> Plain:
    """A finding in its shortest words: the clause of the errata file if it has one, else the evidence."""
    erratum = worded(entry["statement"])
    is_conclusion = erratum is not None and (erratum.locator, erratum.where) == (
        entry["locator"],
        entry["where"],
    )
    words = erratum.short if erratum is not None and is_conclusion else ""
    return {
        "class": entry["class"],
        "locator": entry["locator"],
        "where": entry["where"],
        "title": section["title"],
        "anchor": section["anchor"],
        "words": words or entry["evidence"],
        "right": entry["right"],
        "elsewhere": len(entry["also"]),
    }


def _picture(sections: Entries) -> Plain | None:
    """The gravest fact that can be drawn, of what the paper is cited for before the rest."""
    drawn = [(section, svg) for section in sections if (svg := _drawn(section))]
    drawn.sort(key=lambda pair: (pair[0]["status"] != Status.REFUTED.value, pair[0]["tier"] != MAIN))
    for section, svg in drawn[:1]:
        refuted = section["refutation"]
        words = list(refuted["words"]) if refuted else []
        if not (refuted and refuted["chart"]):
            words.append(f"{section['picture']['told']}.")
        return {
            "section": section,
            "svg": svg,
            "words": words,
            "commands": refuted["commands"] if refuted else [],
        }
    return None


def _drawn(section: Plain) -> str:
    refuted = section["refutation"]
    return str((refuted and refuted["chart"]) or section.get("picture", {}).get("svg", ""))
