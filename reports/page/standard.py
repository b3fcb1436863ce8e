"""The cells that this installation runs, made once: problems must be built for them."""

from functools import cache

from verify.cell import Cell
from verify.matching.privacy import STANDARD, Target


@cache
def cells(identity: str, variant: str, target: Target = STANDARD) -> tuple[Cell, ...]:
    """The cells of one form of a statement; target: the privacy target of its private cells."""
    from bounds import discovery
    from verify.runs.check import standard_cells

    return standard_cells((discovery.get(identity, variant),), target)
