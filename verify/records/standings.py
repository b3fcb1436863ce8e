"""From judged entries of a record to counts, and to how each statement stands."""

from collections.abc import Mapping, Sequence
from typing import Any

from bounds.language.finding import REFUTED, UNCHECKED, Standing, Status, Verdict
from bounds.language.statement import AMENDED
from verify.cell import NAMED
from verify.objects.check import KIND
from verify.worst_case.verdict import HOLDS, TIGHT, VIOLATED

Entry = dict[str, Any]
DECIDED = (HOLDS, TIGHT, VIOLATED)  # verdicts of certified worst cases that count


def apart(entries: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    """Cells, and properties."""
    return [e for e in entries if not _on_objects(e)], [e for e in entries if _on_objects(e)]


def _on_objects(entry: Entry) -> bool:
    return entry.get("kind") == KIND


def summary(entries: Sequence[Entry], worst_cases: Sequence[Entry] = ()) -> dict[str, Any]:
    """Entries by verdict, `holds` of cells with and without a certificate apart, and standings.

    `standings` are those of the statements as printed, `amended` those of their amended forms. They follow
    from these entries and certified worst cases alone: what is refuted by other evidence is in the ledger.
    """
    cells, properties = apart(entries)
    return {
        "cells": _counts(cells) | {"holds, asymptotic": sum(_holds(e) and not e["certified"] for e in cells)},
        "properties": _counts(properties),
        "standings": _sentences(standings(entries, worst_cases)),
        "amended": _sentences(standings(entries, worst_cases, amended=True)),
    }


def standings(
    entries: Sequence[Entry], worst_cases: Sequence[Entry] = (), *, amended: bool = False
) -> dict[str, Standing]:
    """Each statement with how it stands as printed, or in its amended form, by these entries alone."""
    decided = [e for e in worst_cases if e.get("verdict") in DECIDED and isinstance(e.get("id"), str)]
    chosen, certified = (
        [e for e in given if (e.get("variant") == AMENDED) is amended] for given in (entries, decided)
    )
    return {
        i: standing(*([e for e in given if e["id"] == i] for given in (chosen, certified)))
        for i in dict.fromkeys(e["id"] for e in (*chosen, *certified))
    }


def _sentences(found: Mapping[str, Standing]) -> dict[str, str]:
    return {identity: str(one) for identity, one in found.items()}


def _counts(entries: Sequence[Entry]) -> dict[str, int]:
    return {verdict.value: sum(e["verdict"] == verdict.value for e in entries) for verdict in Verdict}


def _holds(entry: Entry) -> bool:
    return bool(entry["verdict"] == Verdict.HOLDS.value)


def standing(entries: Sequence[Entry], worst_cases: Sequence[Entry] = ()) -> Standing:
    """The standing of one form, from its properties, the cells of its named reading, and certificates.

    A certified worst case decides one point for the whole class: an instance above the bound refutes. A tight
    bound counts apart: it lies below the end that is certified.
    """
    named = [e for e in entries if _on_objects(e) or e["reading"] == NAMED]
    if any(e["verdict"] == Verdict.VIOLATED.value for e in (*named, *worst_cases)):
        return REFUTED
    held = [e for e in named if _holds(e)]
    if not held and not worst_cases:
        return UNCHECKED
    runs = [e for e in held if not _on_objects(e)]
    return Standing(
        status=Status.UNREFUTED,
        cells=len(runs),
        asymptotic=sum(not e["certified"] for e in runs),
        cases=sum(e["cases"] for e in held if _on_objects(e)),
        certified=_count(worst_cases, HOLDS),
        tight=_count(worst_cases, TIGHT),
        best_ratio=max((r for e in held if (r := _ratio(e)) is not None), default=None),
    )


def _count(worst_cases: Sequence[Entry], verdict: str) -> int:
    return sum(e["verdict"] == verdict for e in worst_cases)


def _ratio(entry: Entry) -> float | None:
    found = entry["worst"] if _on_objects(entry) else entry
    ratio: float | None = None if found is None else found["ratio"]
    return ratio
