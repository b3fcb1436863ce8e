"""Cells that start from the minimizer along the least and the greatest curvature, where rates are reached.

A start that is as far in every coordinate mixes the curvatures of a problem. A rate that is too fast for the
least one is seen late there, or within noise never; after one round along it, it is seen at once.
"""

from collections.abc import Iterator
from math import isfinite
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bounds.language.part import Of
from bounds.language.statement import Statement
from synthetic.errors import Refusal
from synthetic.problem import Problem
from verify.cell import Cell
from verify.matching.cells.grounds import Ground, inputs_taken, started
from verify.matching.cells.largest_allowed import EDGE
from verify.matching.cells.one_cell import build_cell, set_one_round
from verify.matching.constants.constants import parts_of

Floats = NDArray[np.float64]
FAR: Final = 100.0  # of the start from the minimizer, so that noise hides nothing of the rate
NEAR: Final = 1e-3  # so near the minimizer every smooth function is a quadratic
STEP: Final = 2.0**-10  # of the differences of gradients
SQUARED: Final = 16  # times: as if the matrix were multiplied 65,536 times
GRID: Final = 2.0**-20  # of a direction, to which it is rounded
MOST: Final = 64  # coordinates, each of which costs two gradients
SMALL: Final = 0.01  # of the limits


def cells_along_curvatures(statement: Statement, ground: Ground, *, both: bool) -> Iterator[Cell | None]:
    """One round at the edge of the conditions along each, or the least one, and small steps along that."""
    one, facts = set_one_round(statement), ground.problem.facts()
    if not one or ground.problem.dimension > MOST or not isfinite(facts.smoothness):
        return
    family = ground.candidate.family
    for word, direction in zip(("least", "greatest"), _directions(ground.problem), strict=False):
        away = FAR if facts.quadratic else NEAR
        place = started(ground, tuple((away * direction).tolist()))
        if word == "least" or both:
            role = f"one round along the {word} curvature, {family}"
            yield build_cell(statement, role, place, one, share=EDGE)
        if word == "least":
            yield build_cell(
                statement, f"small steps along the least curvature, {family}", place, share=SMALL
            )


def names_strong_convexity(statement: Statement) -> bool:
    parts = parts_of(statement.notation, Of.CONSTANT)
    return any("strong_convexity" in parts[n].name for n in inputs_taken(statement) & parts.keys())


def _directions(problem: Problem) -> Iterator[Floats]:
    """Along the least and the greatest curvature at the minimizer; none where these are not to be had."""
    apart = STEP * np.eye(problem.dimension)
    try:
        middle = np.asarray(problem.minimiser(), dtype=np.float64)
        slopes = [np.asarray(problem.gradient(middle + side * apart), dtype=np.float64) for side in (1, -1)]
    except Refusal:  # the minimizer is not known, or an author's gradient makes a mistake, which a cell tells
        return
    bends = (slopes[0] - slopes[1]) / (2 * STEP)
    bends = (bends + bends.T) / 2
    highest = float(np.abs(bends).sum(axis=1).max())
    if not 0 < highest < np.inf:
        return
    for side in (-1, 1):  # twice the highest, so that neither matrix is zero where all curvatures are alike
        yield _multiplied(2 * highest * np.eye(problem.dimension) + side * bends)


def _multiplied(matrix: Floats) -> Floats:
    """A start without symmetries, drawn to the largest eigenvalue: unlike an eigenvector no tie turns it."""
    for _ in range(SQUARED):
        matrix = matrix / np.abs(matrix).max()
        matrix = matrix @ matrix
    found = matrix @ (1 + np.arange(len(matrix)) / (1 + len(matrix)))
    rounded: Floats = np.round(found / np.abs(found).max() / GRID) * GRID
    return rounded
