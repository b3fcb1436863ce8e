"""The cells that this installation runs, made once: problems must be built for them."""

from functools import cache

from verify.cell import Cell


@cache
def cells(identity: str, variant: str) -> tuple[Cell, ...]:
    """Of one form of a statement."""
    from bounds import discovery
    from verify.run import standard_cells

    return standard_cells((discovery.get(identity, variant),))
