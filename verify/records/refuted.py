"""Which statements are refuted, and the numbers behind it: reading the files computes nothing."""

from functools import cache
from pathlib import Path
from typing import Any

from bounds.language.finding import FindingClass
from verify.records import errata
from verify.records.errata import BrokenErrata, Erratum
from verify.records.json_numbers import load

FILE = Path(__file__).parents[1] / "ledger.json"
MEASURED = Path(__file__).parents[1] / "witnesses.json"
AGAIN = "python -m verify.ledger.witnesses"


@cache
def refutations() -> dict[str, dict[str, Any]]:
    """The recorded cell of every statement that a run refutes."""
    data = load(FILE)
    return {cell["id"]: cell for cell in data["cells"]}


@cache
def measurements() -> dict[str, dict[str, Any]]:
    """Both sides of what each witness measured, by the name of its function."""
    numbers: dict[str, dict[str, Any]] = load(MEASURED)
    return numbers


def measurement(erratum: Erratum) -> dict[str, Any]:
    """The numbers on file of the witness that a finding names."""
    found = measurements().get(erratum.evidence)
    if found is None:
        raise BrokenErrata(
            f"{erratum.source}: no measurement of {erratum.evidence} is on file; run `{AGAIN}`"
        )
    return found


def recorded_cell(erratum: Erratum) -> dict[str, Any]:
    """The cell that a finding names by its role."""
    found = refutations().get(erratum.statement)
    if found is None or found["role"] != erratum.evidence:
        name = f"cell {erratum.evidence!r} of {erratum.statement}"
        raise BrokenErrata(f"{erratum.source}: {name} is not in {FILE.name}")
    return found


def worded(statement: str) -> Erratum | None:
    """The finding on the conclusion of a statement, if a witness or a cell is against it."""
    found = errata.of_paper(statement.partition(".")[0])
    conclusions = (e for e in found if e.where == errata.CONCLUSION and e.kind != errata.AUDIT)
    return next((e for e in conclusions if e.statement == statement), None)


def refuted() -> set[str]:
    """Statements that are false as printed, under their named reading."""
    return {e.statement for e in errata.all_errata() if e.grade is FindingClass.FALSE}
