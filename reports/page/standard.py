"""The cells that this installation runs, made once: problems must be built for them."""

from functools import cache

from verify.cell import Cell
from verify.matching.privacy import STANDARD, Target


@cache
def cells(identity: str, variant: str, target: Target = STANDARD) -> tuple[Cell, ...]:
    """Of one form of a statement; target: what its private cells are to keep."""
    from bounds import discovery
    from verify.runs.check import standard_cells

    return standard_cells((discovery.get(identity, variant),), target)
