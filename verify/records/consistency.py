"""What a record says as a whole, beside its entries: error level, seed, counts, standings.

Everything has to follow from the entries that are in the file. A record that is a part of another one (see
`verify.records.part`) shares its error level with all cells of its parent; its summary is that of its own
entries.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeGuard, final

from verify.json_numbers import agree, differing, is_finite
from verify.records.part import KEY, WORST_CASES, Parent, parent_of
from verify.records.standings import Entry, apart, summary
from verify.statistics.error_level import per_cell

KEYS: Final = frozenset(("schema", "error_level", "seed", "environment", "summary", "cells", "properties"))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """`part_of` is the parent that the record names, if it is a part."""

    agrees: bool
    part_of: Parent | None
    sentence: str


def compare_whole(data: Mapping[str, Any], entries: Sequence[Entry]) -> Whole:
    """`entries` are those that came out again: what a record says as a whole has to follow from them."""
    try:
        parent, malformed = parent_of(data), []
    except ValueError:
        parent, malformed = None, [KEY]
    unlike = [
        *_keys(data),
        *malformed,
        *_parent(parent, entries),
        *_level(data, parent, entries),
        *_seed(data, entries),
        *_twice(data, entries),
        *_summary(data, entries),
    ]
    outcome = f"differs in {', '.join(dict.fromkeys(unlike))}" if unlike else "agrees"
    return Whole(agrees=not unlike, part_of=parent, sentence=f"the record as a whole: {outcome}")


def _twice(data: Mapping[str, Any], entries: Sequence[Entry]) -> list[str]:
    """Lists that have an entry twice: it would count as more evidence than it is."""
    cells, properties = apart(entries)
    named = {
        "cells": [cell["digest"] for cell in cells],
        "properties": [(entry["id"], entry["variant"]) for entry in properties],
        WORST_CASES: [
            (e["id"], e["variant"], *sorted(e["parameters"].items())) for e in data.get(WORST_CASES, ())
        ],
    }
    return [f"{name} (an entry is in it twice)" for name, of in named.items() if len({*of}) < len(of)]


def _summary(data: Mapping[str, Any], entries: Sequence[Entry]) -> list[str]:
    """The keys of the summary that are not those of the entries."""
    here, recorded = summary(entries, data.get(WORST_CASES, ())), data.get("summary")
    if not isinstance(recorded, Mapping):
        return ["summary"]
    return [] if agree(here, recorded) else [f"summary.{name}" for name in differing(here, recorded)]


def _keys(data: Mapping[str, Any]) -> list[str]:
    """Records from before properties have none."""
    return sorted((data.keys() - KEYS - {KEY, WORST_CASES}) | (KEYS - {"properties"} - data.keys()))


def _parent(parent: Parent | None, entries: Sequence[Entry]) -> list[str]:
    """A part has no more entries than its parent."""
    cells, properties = apart(entries)
    fits = parent is None or (len(cells) <= parent.cells and len(properties) <= parent.properties)
    return [] if fits else [KEY]


def _seed(data: Mapping[str, Any], entries: Sequence[Entry]) -> list[str]:
    return [] if all(agree(entry["seed"], data.get("seed")) for entry in entries) else ["seed"]


def _level(data: Mapping[str, Any], parent: Parent | None, entries: Sequence[Entry]) -> list[str]:
    """Every cell has its share of the level, which all cells of the record, or of its parent, share."""
    level, cells = data.get("error_level"), apart(entries)[0]
    if not _is_level(level):
        return ["error_level"]
    sharing = len(cells) if parent is None else parent.cells
    fits = not cells or (sharing > 0 and all(_has(cell["level"], per_cell(level, sharing)) for cell in cells))
    return [] if fits else ["error_level"]


def _has(own: Any, share: float) -> bool:
    return _is_level(own) and own == share


def _is_level(value: Any) -> TypeGuard[float]:
    return is_finite(value) and 0 < value < 1
