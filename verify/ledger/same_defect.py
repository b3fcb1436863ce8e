"""Which places of a paper have one defect: it is one finding, told where it is gravest.

A place is a locator and a part of it, as the ledger names them; if several statements share it, with the
statement that is meant. Claims in prose quote displays of proofs, one display is printed in two theorems, and
what rests on a mistake is mistaken with it. No evidence shows that two defects are one, so `also_at` in the
errata files says it; a test asks for a word on every two findings that share a place, a display or what is
right instead. What is told elsewhere keeps its evidence, which runs again.
"""

from functools import cache

from verify.records import errata


@cache
def _places_of_defects(paper: str) -> dict[str, str]:
    return {other: found.place for found in errata.of_paper(paper) for other in found.also_at}


def place_of_defect(paper: str, here: str, statement: str) -> str | None:
    """The place where the defect of this place is told; None where it is told here."""
    table = _places_of_defects(paper)
    return table.get(named(here, statement), table.get(here))


def named(here: str, statement: str) -> str:
    """A place that several statements share, of this one."""
    return f"{here} of {statement}"
