"""Cells that fit lengths which only an author's algorithm has: a threshold just reached, half a step away.

A sum of jumps reaches a threshold with certainty in one round where both are alike, and in two rounds most
often where the threshold is twice as large: there what is printed of a tail is nearest to it. A method whose
steps are as long wherever it is, such as one of signs, goes back and forth for ever on a round bowl if it
starts half a step from the minimizer: there its term for the length of a step is all that is left.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bounds.language.statement import Statement
from synthetic.errors import Refusal
from synthetic.run import run, runnable
from verify.cell import Cell
from verify.matching.cells.grounds import Ground, ground_of_any_size, started
from verify.matching.cells.one_cell import build_cell, set_one_round
from verify.matching.cells.own_settings import find_own_settings
from verify.matching.cells.parameters import INSIDE
from verify.matching.cells.standard_problems import Candidate
from verify.matching.measurements.observed import observables_of
from verify.matching.run_settings import NOISES, settings_of, settings_that_are_quantities
from verify.matching.watched_calls import try_first
from verify.parameters.valid import domain_of

REACHED: Final = {1: "a threshold that one round reaches", 2: "a threshold that two rounds reach"}
HALF: Final = "started half a step away"
ALIKE: Final = 1e-9  # as a share: a step that is computed by a decomposition has roundings of its own
_BOWL: Final = {"curvatures": ((1.0,) * 4,) * 2, "centers": ((0.0,) * 4,) * 2}
# as a matrix of two rows it is a turn, whose singular values are alike
_AWAY: Final = (64.0, 64.0, 64.0, -64.0)


def cells_at_thresholds(statement: Statement, ground: Ground) -> Iterator[Cell]:
    """Take the largest of a probability's settings of one unit as many times the others as rounds."""
    if not any(o.highest is not None for o in observables_of(statement).values()):
        return
    single = set_one_round(statement)
    for names in _settings_of_one_unit(statement):
        least, largest = float(statement.example[names[0]]), names[-1]
        for rounds, role in REACHED.items():
            if rounds > 1 and not single:
                continue
            change = dict.fromkeys(names, least) | {largest: rounds * least}
            change |= dict.fromkeys(single, float(rounds))
            cell = build_cell(statement, role, ground, change, INSIDE, INSIDE)
            if cell is not None and all(float(cell.parameters[n]) == change[n] for n in change):
                yield cell


def _settings_of_one_unit(statement: Statement) -> Iterator[list[str]]:
    """An author's settings, and a noise, two or more of each unit, in the order of the example's values."""
    known = settings_that_are_quantities(statement)
    named = {*find_own_settings(statement), *(known[noise] for noise in NOISES if noise in known)}
    real = [n for n in sorted(named & statement.example.keys()) if not domain_of(statement, n).integer]
    units: dict[str, list[str]] = {}
    for name in sorted(real, key=lambda name: float(statement.example[name])):
        units.setdefault(str(statement.notation.quantities[name].dimension), []).append(name)
    yield from (names for names in units.values() if len(names) > 1)


def cell_half_a_step_away(statement: Statement) -> Cell | None:
    """None where steps from three places, each with draws of its own, are not one and the same."""
    ground = ground_of_any_size(statement, Candidate(name="quadratic.diagonal", apart=_BOWL))
    if ground is None or ground.problem.dimension != len(_AWAY):
        return None
    step = _find_first_step(statement, ground, 0)
    if step is None or not (step.any() and np.isfinite(step).all()):
        return None
    for turn in (1, 2):
        other = _find_first_step(statement, ground, turn)
        if other is None or not np.allclose(other, step, rtol=ALIKE, atol=ALIKE * float(np.abs(step).max())):
            return None
    return build_cell(statement, HALF, started(ground, tuple((-step / 2).tolist())), share=INSIDE)


def _find_first_step(statement: Statement, ground: Ground, turn: int) -> NDArray[np.float64] | None:
    """From twice as far at each turn, so that no product is rounded in another way."""
    far = started(ground, tuple(2**turn * entry for entry in _AWAY))
    cell = build_cell(statement, HALF, far)
    if cell is None or not runnable(cell.algorithm).outside:
        return None
    settings: Any = settings_of(statement, cell)
    if getattr(settings, "rounds", 0) < 1:
        return None

    def find() -> NDArray[np.float64]:
        trace = run(
            cell.algorithm,
            cell.build_problem(),
            replace(settings, rounds=1),
            replicates=1,
            seed=turn,
            stream="half a step",
            observe=("state",),
        )
        states = trace.measurements["state"][0]
        step: NDArray[np.float64] = states[1] - states[0]
        return step

    try:
        return try_first(cell.algorithm, "a step", find)
    except Refusal:
        return None
