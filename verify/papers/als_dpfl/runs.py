"""Statements about runs of DPFL, Algorithm 1 of ALS-DPFL, on Huber clients.

Distances from the auxiliary sequence are in `runs_distance`, the gap of the last model in `runs_gap`.

Constants are held as the quantities declare. By hand are three readings of the companion's noise, with a
second moment for each, and hypotheses about the path of the run, for which no number is known before it.
"""

from typing import Any

from bounds.language.statement import Statement
from synthetic.algorithms.dpfl import Settings
from verify.cell import Cell
from verify.matching.certified import Requirement
from verify.matching.measurement import Sampled
from verify.matching.runs import Runs
from verify.papers.als_dpfl import runs_distance, runs_gap

STATEMENTS = (*runs_distance.STATEMENTS, *runs_gap.STATEMENTS)


def excluded(statement: Statement) -> dict[str, str]:
    return {"partial participation": "all clients take part in every round of the listing"}


def _where(statement: Statement) -> Any:
    return runs_gap if statement.id in runs_gap.STATEMENTS else runs_distance


def cells(statement: Statement) -> tuple[Cell, ...]:
    made: tuple[Cell, ...] = _where(statement).cells(statement)
    return made


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    held: list[Requirement] = _where(statement).requirements(statement, cell)
    return held


def settings(statement: Statement, cell: Cell) -> Settings:
    told: Settings = _where(statement).settings(statement, cell)
    return told


def measure(statement: Statement, cell: Cell, replicates: int, seed: int, stream: str) -> Sampled:
    measured: Sampled = _where(statement).measure(statement, cell, replicates, seed, stream)
    return measured


FILLS = {
    "homogeneous, batch of 6": "homogeneous",
    "homogeneous, large batch": "homogeneous",
    "edge of its conditions, large batch": "edge of its conditions",
    "strong noise, large batch": "strong noise",
    "strong noise, started near": "strong noise",
    "strong noise, as C.thm2.2 allows": "strong noise",
}

RUNS = Runs(
    algorithm="dpfl",
    statements=STATEMENTS,
    cells=cells,
    excluded=excluded,
    fills=FILLS,
    requirements=requirements,
    settings=settings,
    observe=measure,
)
