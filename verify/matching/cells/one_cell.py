"""One cell of a statement on a ground: parameters that meet its conditions, in as many rounds as are seen."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isfinite
from typing import Final

from bounds.errors import Misuse
from bounds.language.statement import Statement
from synthetic.measures import yardstick
from synthetic.run import runnable
from verify.cell import Cell, Scalar
from verify.matching.cells.grounds import Ground, first_taken
from verify.matching.cells.parameters import (
    INSIDE,
    measured_numbers,
    move_into_domain,
    parameters_of,
    usual_values,
)
from verify.matching.linear_bound import linear_bound
from verify.matching.measurements.own_at_start import PASSES, own_measures, settle
from verify.matching.measurements.point_rounding import rounding_of
from verify.matching.run_settings import missing_setting

CLEAR: Final = 10.0  # times the roundings of the iterates, below which a bound decides nothing either
BEYOND: Final = 1e-12  # a bound below this share of the one after one round is too small for float64
LONGER: Final = (1, 4, 16, 64)  # times the usual length, where a condition asks for a long run


def set_one_round(statement: Statement) -> dict[str, float]:
    """One round: what is wrong with the first one is not hidden by the mean of many."""
    named = [first_taken(statement, (setting,)) for setting in ("rounds", "steps")]
    return {name: move_into_domain(statement, name, 1.0) for name in named if name is not None}


def build_cell(
    statement: Statement,
    role: str,
    ground: Ground,
    change: Mapping[str, float] | None = None,
    share: float = INSIDE,
    of_domain: float | None = None,
) -> Cell | None:
    """The cell with these settings changed; None where no parameters meet the conditions.

    `of_domain` is the share of what no condition limits but its domain alone, such as a probability.
    """
    if missing_setting(statement) is not None:
        return None
    fixed = measured_numbers(statement, ground)
    for longer in LONGER:
        usual = usual_values(statement, ground.problem, longer) | dict(change or {})

        def choose(own: Mapping[str, Scalar], usual: Mapping[str, float] = usual) -> Cell | None:
            known = {**fixed, **{name: float(value) for name, value in own.items()}}
            parameters = parameters_of(statement, known, usual, share, of_domain)
            return None if parameters is None else _place(statement, role, ground, parameters)

        cell = _settle_start(statement, choose)
        if cell is not None and _applies(statement, cell.parameters):
            # our own algorithms run in fractions, which judge such a bound too
            return shorten(statement, cell) if runnable(cell.algorithm).outside and not change else cell
    return None


def _place(statement: Statement, role: str, ground: Ground, parameters: Mapping[str, Scalar]) -> Cell:
    return Cell(
        statement=statement.id,
        variant=statement.variant,
        algorithm=str(statement.algorithm),
        role=role,
        problem=ground.candidate.name,
        problem_arguments=ground.arguments,
        parameters=parameters,
        engine={"start": list(ground.start)},
    )


def _settle_start(statement: Statement, choose: Callable[[Mapping[str, Scalar]], Cell | None]) -> Cell | None:
    """The cell whose settings, chosen beside observables of the start, give these observables."""
    own, cell = own_measures(statement), choose({})
    for _ in range(PASSES if own else 0):
        settled = cell and settle(statement, cell)
        if settled is None or settled == cell:
            return cell
        cell = choose({name: settled.parameters[name] for name in own if name in settled.parameters})
    return cell


def shorten(statement: Statement, cell: Cell) -> Cell:
    """The cell with the most rounds after which roundings do not hide on which side of the bound a run is.

    No fewer: what is wrong with a bound may show only where its largest term has died away.
    """
    single = {name: int(count) for name, count in set_one_round(statement).items()}
    found = _change_rounds(cell, single)
    if not single or not _applies(statement, found.parameters):
        return cell
    least = BEYOND * size_of_bound(statement, found)
    if _decides(statement, cell, least):
        return cell
    counts = {name: int(cell.parameters[name]) for name in single}
    enough, most = max(single.values()), max(counts.values())
    while most - enough > 1:
        rounds = (enough + most) // 2
        shorter = _change_rounds(cell, {name: min(rounds, count) for name, count in counts.items()})
        if _applies(statement, shorter.parameters) and _decides(statement, shorter, least):
            enough, found = rounds, shorter
        else:
            most = rounds
    return found


def _decides(statement: Statement, cell: Cell, least: float) -> bool:
    return size_of_bound(statement, cell) >= least and is_clear_of_roundings(statement, cell)


def is_clear_of_roundings(statement: Statement, cell: Cell) -> bool:
    """Whether the bound is above the roundings that a left side of its size has."""
    size = size_of_bound(statement, cell)
    return size >= CLEAR * _bound_roundings(statement, cell, size)


def _bound_roundings(statement: Statement, cell: Cell, size: float) -> float:
    problem = cell.build_problem()
    lowest = float(yardstick(problem).minimum or 0.0)
    known, start = statement.notation.observables, cell.engine["start"]
    return sum(
        abs(float(weight)) * rounding_of(known[name].measured, size, problem, start, lowest)
        for name, weight in linear_bound(statement, cell).left.items()
    )


def _change_rounds(cell: Cell, rounds: Mapping[str, float]) -> Cell:
    return replace(cell, parameters={**cell.parameters, **rounds})


def size_of_bound(statement: Statement, cell: Cell) -> float:
    return abs(float(statement.evaluate(**{n: float(v) for n, v in cell.parameters.items()}).value))


def _applies(statement: Statement, parameters: Mapping[str, Scalar]) -> bool:
    try:
        evaluation = statement.evaluate(**{name: float(value) for name, value in parameters.items()})
    except Misuse:
        return False
    return evaluation.applicable is True and isfinite(float(evaluation.value))
