"""Which statements are refuted, and what the files of the ledger hold: reading them computes nothing."""

from functools import cache
from pathlib import Path
from typing import Any

from bounds.language.finding import FindingClass
from verify.records.json_numbers import load

FILE = Path(__file__).parents[1] / "ledger.json"
MEASURED = Path(__file__).parents[1] / "witnesses.json"


@cache
def refutations() -> dict[str, dict[str, Any]]:
    """The recorded cell of every refuted statement."""
    data = load(FILE)
    return {cell["id"]: cell for cell in data["cells"]}


@cache
def kept() -> tuple[dict[str, Any], ...]:
    """What every witness measured."""
    entries: list[dict[str, Any]] = load(MEASURED)
    return tuple(entries)


def measured() -> dict[str, dict[str, Any]]:
    """What the witness of every statement that has one measured; of a whole statement, not of a part."""
    return {entry["statement"]: entry for entry in kept() if not entry["step"] and not entry["line"]}


def refuted() -> set[str]:
    """Statements that are false as printed, under their named reading."""
    false = {name for name, seen in measured().items() if seen["class"] == FindingClass.FALSE.value}
    return {*refutations(), *false}
