"""A cell on the largest of the coordinates, where a method of subgradients is as slow as usual bounds say.

f_i(x) = max over j of |x_j|, smoothed, of clients that are alike, in one coordinate more than a run has
steps. The slope has the length one and points along the largest coordinate alone. So each step lowers one of
them, and whatever a method does with its points and its slopes, one coordinate is left as it was: no point of
the run is below the start. Where a step is as long as the coordinates are large, that is the usual bound
D G/sqrt(K + 1) on a gap. How far a run moves along a slope is measured.
"""

from math import prod
from typing import Final

from bounds.language.part import Of
from bounds.language.statement import Statement
from verify.cell import Cell
from verify.matching.cells.grounds import first_taken, ground_on, inputs_taken, started
from verify.matching.cells.largest_allowed import EDGE
from verify.matching.cells.one_cell import build_cell, set_one_round
from verify.matching.cells.parameters import INSIDE, USUAL
from verify.matching.cells.standard_problems import Candidate
from verify.matching.constants.constants import parts_of

ROLE: Final = "largest coordinate"
MOST: Final = 41  # coordinates: the constants of more take seconds
SLOPE: Final = "lipschitz"
BEND: Final = "smoothness"
SHARE: Final = 0.9  # of a coordinate is a mean step long; after one of twice the length it is no larger
SPREAD: Final = 1 / 64  # of the coordinates at the start, so that one is the largest
BELOW: Final = 32  # by so many temperatures the second largest is below the largest: exp(-32) rounds away


def cell_on_largest_coordinate(statement: Statement, moved: float) -> Cell | None:
    """`moved` is how many times the slope a run moves along it.

    None where a bound names the curvature, which is so large here that steps would be next to nothing.
    """
    named = {
        part.name
        for n, part in parts_of(statement.notation, Of.CONSTANT).items()
        if n in inputs_taken(statement)
    }
    if SLOPE not in named or BEND in named:
        return None
    return next(filter(None, (_build(statement, moved, clients) for clients in (2, 1))), None)


def _build(statement: Statement, moved: float, clients: int) -> Cell | None:
    steps = _count_steps(statement)
    if not 0 < steps < MOST:
        return None
    dimension, size = steps + 1, float(f"{moved / (SHARE * steps):.3g}")
    temperature = float(f"{size * SPREAD / (dimension * BELOW):.3g}")
    arguments = {"clients": clients, "dimension": dimension, "temperature": temperature}
    ground = ground_on(statement, Candidate(name="log_sum_exp.coordinates", apart=arguments), arguments)
    if ground is None:
        return None
    start = tuple(size * (1 + SPREAD * (dimension - j) / dimension) for j in range(dimension))
    return build_cell(statement, ROLE, started(ground, start), share=EDGE, of_domain=INSIDE)


def _count_steps(statement: Statement) -> int:
    """A usual run has so many: its rounds, times the usual local steps where the statement counts them."""
    rounds = [USUAL["rounds"]] if set_one_round(statement) else []
    local = [USUAL["local_steps"]] if first_taken(statement, ("local_steps",)) else []
    return int(prod(rounds + local)) if rounds else 0
