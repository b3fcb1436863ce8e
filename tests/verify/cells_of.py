"""The standard cells of a statement, made once."""

from functools import cache

import bounds
from verify.cell import Cell
from verify.matching.joined import get_runs


@cache
def cells_of(identity: str) -> tuple[Cell, ...]:
    statement = bounds.get(identity)
    cells: tuple[Cell, ...] = get_runs(statement).cells(statement)
    return cells


def cell_of(identity: str, role: str) -> Cell:
    (cell,) = [c for c in cells_of(identity) if c.role == role]
    return cell
