"""Two pages for a referee: how each numbered claim of a paper stands, and its findings, gravest first."""

from collections.abc import Sequence
from typing import Any

from bounds.language.finding import FindingClass, Status
from reports.documents.findings_once import GRAVITY
from reports.page.front import counts, finding
from reports.page.section import CLAIMS, NAMES

Plain = dict[str, Any]
Entries = Sequence[Plain]

SHOWN = GRAVITY[: GRAVITY.index(FindingClass.LOOSE.value) + 1]  # the rest is listed by its places
MEANT = (
    "A cell is one experiment: an algorithm of the paper, run on a problem whose constants are known.",
    "The error level bounds the probability that any verdict is wrong.",
    "A witness is a counterexample that can be computed again; amended is our correction of a statement.",
    "A locator, such as B.thm2, names a place in our transcription of the paper.",
)
LONGEST = 240  # characters of evidence for one finding
MOST = 28  # findings in words; two pages hold no more
WORDS = {
    Status.REFUTED.value: "false",
    Status.VACUOUS.value: "empty",
    Status.UNINFORMATIVE.value: "uninformative",
    Status.PROVED.value: "proved",
    Status.UNREFUTED.value: "no counterexample",
    Status.UNCHECKED.value: "not checked",
}


def review(contents: Plain) -> Plain:
    """What the two templates show; `contents` are those of a report on one paper."""
    (paper,) = contents["opening"]
    sections = {s["id"]: s for s in contents["statements"]}
    numbered = [s for s in sections.values() if s["tier"] not in (CLAIMS, NAMES) or s in paper["main"]]
    found = [entry for entry in contents["found"] if entry["statement"] in sections]
    grave = [entry for entry in found if entry["class"] in SHOWN]
    return {
        "paper": paper,
        "summary": contents["summary"],
        "tried": contents["tried"],
        "level": contents["level"],
        "seed": contents["seed"],
        "counts": counts(found),
        "main": paper["main"],
        "claims": _by_standing(numbered),
        "others": _by_standing([s for s in sections.values() if s not in numbered]),
        "grave": [_short(finding(entry, sections[entry["statement"]])) for entry in grave[:MOST]],
        "rest": _places([*grave[MOST:], *(entry for entry in found if entry["class"] not in SHOWN)]),
        "replay": contents["replay"],
        "recheck": f"fedbounds errata {paper['key']} --recheck",
        "meant": MEANT,
    }


def _by_standing(sections: Entries) -> list[Plain]:
    """The locators of each standing, gravest first, each once."""
    groups: dict[str, list[str]] = {}
    for status, word in WORDS.items():
        names = [str(s.get("locator", s["id"])) for s in sections if s["status"] == status]
        if names:
            groups[word] = list(dict.fromkeys(names))
    return [{"standing": word, "locators": names} for word, names in groups.items()]


def _short(entry: Plain) -> Plain:
    return entry | {name: _clipped(entry[name]) for name in ("words", "right")}


def _clipped(text: str) -> str:
    """At the end of a word."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST].rsplit(' ', 1)[0].rstrip(' ,;:.')} [...]"


def _places(found: Entries) -> list[Plain]:
    """The other findings by class: where they are."""
    groups: dict[str, list[str]] = {}
    for entry in found:
        groups.setdefault(entry["class"], []).append(entry["locator"])
    return [{"class": grade, "locators": list(dict.fromkeys(places))} for grade, places in groups.items()]
