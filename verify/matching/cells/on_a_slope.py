"""Cells on functions that are flat exactly as far as the run of a cell comes.

On the cone of a Huber function a method of gradients moves by a multiple S of the slope, whatever that is.
Started at the distance D, it ends half-way to the bowl where the bowl has the radius D/(2S + 1), and at its
edge where that is D/(S + 1): there the usual bounds on the last gap, and on a mean of gaps or of slopes, are
reached. S is measured, as only the algorithm knows its steps, its local steps and its momentum.
"""

from collections.abc import Iterator
from math import isfinite, sqrt
from typing import Final

import numpy as np

from bounds.language.statement import Statement
from synthetic.errors import Refusal
from synthetic.run import run, runnable
from verify.cell import Cell
from verify.matching.cells.grounds import AWAY, ground_of_any_size
from verify.matching.cells.largest_allowed import EDGE
from verify.matching.cells.largest_coordinate import cell_on_largest_coordinate
from verify.matching.cells.one_cell import build_cell
from verify.matching.cells.parameters import INSIDE
from verify.matching.cells.standard_problems import Candidate, leave_one_client
from verify.matching.run_settings import settings_of
from verify.matching.watched_calls import try_first

NARROW: Final = 1e-4  # radius of the bowl while S is measured
NARROWEST: Final = 1e-3  # of a cell; a method that moves on without any slope has no S
ENDS: Final = {"huber, flat as far as a run comes": 1, "huber, flat twice as far": 2}


def cells_on_a_slope(statement: Statement) -> Iterator[Cell]:
    """A run ends at the edge of the bowl, or half-way to it, or each of its steps meets another slope."""
    moved = _measure_move(statement)
    if moved is None:
        return
    for role, times in ENDS.items():
        radius = float(f"{AWAY / (times * moved + 1):.3g}")
        cell = _build(statement, role, radius)
        if cell is not None and radius >= NARROWEST:
            yield cell
    cell = cell_on_largest_coordinate(statement, moved)
    if cell is not None:
        yield cell


def _build(statement: Statement, role: str, radius: float) -> Cell | None:
    """At the edge of the conditions, on two clients that are alike, or on one."""
    arguments = {"curvature": 1.0, "threshold": radius, "centers": ((0.0,), (0.0,))}
    for some in (arguments, leave_one_client(arguments)):
        ground = ground_of_any_size(statement, Candidate(name="huber.huber", apart=some))
        if ground is not None:
            return build_cell(statement, role, ground, share=EDGE, of_domain=INSIDE)
    return None


def _measure_move(statement: Statement) -> float | None:
    """S of one run on a cone that it does not leave; None where it does, or runs away."""
    cell = _build(statement, "", NARROW)
    if cell is None or "squared_distance" not in runnable(cell.algorithm).observables:
        return None
    try:
        left = try_first(cell.algorithm, "a run", lambda: _find_end(statement, cell))
    except Refusal:
        return None
    moved = (AWAY - left) / NARROW
    return moved if isfinite(moved) and NARROW < left < AWAY else None


def _find_end(statement: Statement, cell: Cell) -> float:
    """How far from the minimizer one run ends."""
    trace = run(
        cell.algorithm,
        cell.build_problem(),
        settings_of(statement, cell),
        replicates=1,
        seed=0,
        stream="a run on a slope",
        observe=("squared_distance/last",),
    )
    return sqrt(float(np.mean(trace.measurements["squared_distance/last"])))
