"""The six facts of every guarantee: what a paper's rule for noise states, and what runs really kept.

Epsilon and delta; the neighbouring relation; the unit; the sampling assumed and implemented; who counts; how
it rounds. A fact that nobody states says so.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from reports.documents import record
from reports.page.section import anchor

Plain = dict[str, Any]

SILENT = "not stated"
FACTS = ("relation", "unit", "accountant", "rounding")


def rules(sections: Sequence[Plain]) -> list[Plain]:
    """The noise rules of the statements that assert privacy, as their papers have them."""
    return [_rule(section) for section in sections if section["mechanism"] is not None]


def _rule(section: Plain) -> Plain:
    rule = section["mechanism"]
    phrases = dict(rule["said"])
    drawn = SILENT if rule["sampling"] is None else f"{rule['sampling']}, at rate {rule['rate']}"
    limits = [k["text"] for k in section["conditions"] if "epsilon" in k["text"] or "delta" in k["text"]]
    right = " + ".join(term["expression"] for term in section["terms"])
    noise = f"{rule['deviation']}, {rule['spread'] or SILENT}, added by the {rule['placement'] or SILENT}"
    return {
        "id": section["id"],
        "title": section["title"],
        "locator": section["locator"],
        "anchor": section["anchor"],
        "target": ", ".join(limits) or "any",
        "relation": rule["relation"] or SILENT,
        "unit": rule["unit"] or SILENT,
        "assumed": drawn,
        "accountant": f"the paper's formula: {section['left']['expression']} = {right}",
        "noise": f"deviation {noise}; contribution at most {rule['contribution']}; rounds: {rule['rounds']}",
        "said": [{"what": what, "words": words} for what, words in phrases.items()],
    }


def guarantees(cells: Sequence[Plain], titles: Mapping[str, str]) -> list[Plain]:
    """The guarantee of each private cell, or the reason why no accountant covers it."""
    return [_describe_guarantee(entry, titles) for entry in cells if _describe(entry) is not None]


def _describe(entry: Plain) -> Plain | None:
    """What a cell says of its privacy: the facts, or what was asked of it and the reason for not running."""
    found = entry.get("privacy")
    if isinstance(found, dict):
        return found
    engine = entry.get("engine")
    asked = engine.get("privacy") if isinstance(engine, dict) else None
    return asked | {"refused": record.describe_verdict(entry)} if isinstance(asked, dict) else None


def _describe_guarantee(entry: Plain, titles: Mapping[str, str]) -> Plain:
    described = _describe(entry) or {}
    refused = described.get("refused")
    unstated = "not counted" if refused else SILENT
    drawn = {name: _drawn(described.get(f"sampling_{name}")) for name in ("assumed", "implemented")}
    facts = {name: described.get(name) or unstated for name in FACTS}
    return (
        facts
        | {name: words or unstated for name, words in drawn.items()}
        | {
            "title": titles.get(entry["id"], entry["id"]),
            "id": entry["id"],
            "anchor": anchor(entry["id"]),
            "label": record.label(entry),
            "verdict": entry["verdict"],
            "epsilon": described.get("epsilon"),
            "delta": described.get("delta"),
            "noise": described.get("sigma_over_sensitivity"),
            "rounds": described.get("rounds"),
            "refused": "" if refused is None else str(refused),
        }
    )


def _drawn(sampling: Any) -> str:
    return str(sampling.get("text", "")) if isinstance(sampling, dict) else ""
