"""The standard cells of a statement, made once."""

from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

import pytest

import bounds
from verify.cell import Cell
from verify.matching.joined import get_runs


def some_first(names: Iterable[str], first: Collection[str]) -> list[Any]:
    """The statements as parameters of a test of every cell; all but the first ones are slow."""
    rest = pytest.mark.slow("every cell; some statements are enough")
    return [pytest.param(name, marks=() if name in first else rest) for name in names]


@cache
def cells_of(identity: str) -> tuple[Cell, ...]:
    statement = bounds.get(identity)
    cells: tuple[Cell, ...] = get_runs(statement).cells(statement)
    return cells


def cell_of(identity: str, role: str) -> Cell:
    (cell,) = [c for c in cells_of(identity) if c.role == role]
    return cell
