"""Compare two records: standings and verdicts that changed, entries that one of them lacks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reports.documents import record
from verify.json_numbers import as_float
from verify.standing import standing_of

Plain = dict[str, Any]
Key = tuple[str, ...]

# Two measurements of one cell are compared with this much room: processors round differently.
CLOSE = 1e-9


def changes(old: Plain, new: Plain, places: tuple[Path, Path]) -> Plain:
    """Return what differs, as plain data; `places` are the folders of the two records."""
    before, after = _entries(old), _entries(new)
    both = [key for key in after if key in before]
    return {
        "old": str(places[0]),
        "new": str(places[1]),
        "settings": _settings(old, new),
        "standings": _standings(old, new),
        "verdicts": [
            _entry(after[k]) | {"before": before[k]["verdict"]}
            for k in both
            if before[k]["verdict"] != after[k]["verdict"]
        ],
        "numbers": [
            _entry(after[k]) | {"before": a, "after": b}
            for k in both
            if _differ(a := _number(before[k]), b := _number(after[k]))
            and before[k]["verdict"] == after[k]["verdict"]
        ],
        "gone": [_entry(before[k]) for k in before if k not in after],
        "added": [_entry(after[k]) for k in after if k not in before],
        "same": sum(
            before[k]["verdict"] == after[k]["verdict"] and not _differ(_number(before[k]), _number(after[k]))
            for k in both
        ),
    }


def _entries(data: Plain) -> dict[Key, Plain]:
    """A cell is known by its statement, form and digest; what was tried on objects by the first two."""
    found: dict[Key, Plain] = {}
    for entry in [*data["cells"], *record.properties(data)]:
        digest = str(entry.get("digest", ""))
        found[str(entry["id"]), str(entry.get("variant", "printed")), digest] = entry
    return found


def _entry(entry: Plain) -> Plain:
    label = record.label(entry) if "role" in entry else "tried on objects"
    return {"id": entry["id"], "what": label, "verdict": entry["verdict"]}


def _number(entry: Plain) -> float | None:
    """The measured value of a cell, the worst ratio of what was tried on objects."""
    worst = entry.get("worst")
    value = worst.get("ratio") if isinstance(worst, dict) else entry.get("measured", {}).get("estimate")
    return as_float(value)


def _differ(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is not b
    return abs(a - b) > CLOSE * max(1.0, abs(a), abs(b))


def _standings(old: Plain, new: Plain) -> list[Plain]:
    """The standings of both forms; a statement that a record lacks is unchecked in it."""
    out = []
    for form in ("printed", "amended"):
        before, after = (record.standings(data, form) for data in (old, new))
        for identity in sorted(before | after):
            pair = [of.get(identity) or standing_of(identity, form) for of in (before, after)]
            if pair[0].status is not pair[1].status:
                out.append({"id": identity, "form": form, "before": str(pair[0]), "after": str(pair[1])})
    return out


def _settings(old: Plain, new: Plain) -> list[Plain]:
    """Level, seed, and the versions that made the records, where they differ."""
    pairs = [(name, old.get(name), new.get(name)) for name in ("error_level", "seed", "schema")]
    a, b = (_mapping(data.get("environment")) for data in (old, new))
    pairs += [(name, a.get(name), b.get(name)) for name in dict.fromkeys([*a, *b])]
    return [{"name": name, "before": x, "after": y} for name, x, y in pairs if x != y]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def lines(found: Plain) -> list[str]:
    """The changes for a terminal: standings and verdicts by name, the rest by number."""
    out = [f"{s['id']} ({s['form']}): {s['before']} -> {s['after']}" for s in found["standings"]]
    out += [f"{v['id']}, {v['what']}: {v['before']} -> {v['verdict']}" for v in found["verdicts"]]
    counts = {name: len(found[name]) for name in ("numbers", "gone", "added")}
    out.append(
        f"{found['same']} entries agree, {counts['numbers']} have other numbers, "
        f"{counts['gone']} are only in {found['old']}, {counts['added']} only in {found['new']}"
    )
    return out
