"""Statements about runs of DPFL, Algorithm 1 of ALS-DPFL, on Huber clients.

Distances from the auxiliary sequence are in `_dpfl_distance`, the gap of the last model in `_dpfl_gap`.
"""

from typing import Any

from bounds.statement import Statement
from verify.cell import Cell
from verify.matching import _dpfl_distance, _dpfl_gap
from verify.matching.certified import Requirement
from verify.measurement import Sampled

STATEMENTS = (*_dpfl_distance.STATEMENTS, *_dpfl_gap.STATEMENTS)


def excluded(statement: Statement) -> dict[str, str]:
    return {"partial participation": "all clients take part in every round of the listing"}


def _where(statement: Statement) -> Any:
    return _dpfl_gap if statement.id in _dpfl_gap.STATEMENTS else _dpfl_distance


def cells(statement: Statement) -> tuple[Cell, ...]:
    made: tuple[Cell, ...] = _where(statement).cells(statement)
    return made


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    held: list[Requirement] = _where(statement).requirements(statement, cell)
    return held


def measure(statement: Statement, cell: Cell, replicates: int, seed: int, stream: str) -> Sampled:
    measured: Sampled = _where(statement).measure(statement, cell, replicates, seed, stream)
    return measured
