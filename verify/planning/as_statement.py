"""The settings of a run from a statement's own quantities: no number is converted by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from bounds.language.part import Of
from bounds.language.statement import Statement
from bounds.solve.free import free_parameters
from verify.matching.constants.constants import parts_of
from verify.planning.chosen import guess_own_start, measure_start
from verify.planning.numbers import LENGTHS, numbers
from verify.planning.simulated import refuse_unmet, settings_of, unmet_requirements
from verify.planning.task import NotPlanned, SaysNothing, Task, name_failures


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AsStatement:
    """`parameters` are all quantities of the statement: those that were set, and those of the problem."""

    settings: Any
    parameters: Mapping[str, float]


def as_statement(statement: Statement, task: Task, given: Mapping[str, float]) -> AsStatement:
    """Constants and the start come from the problem; what is free must be set."""
    guess = guess_own_start(statement, task, given)
    parameters = numbers(statement, task, given, guess)
    absent = free_parameters(statement, parameters)
    if absent:
        raise NotPlanned(f"{statement.id} leaves {', '.join(absent)} free: give them by --set, or use `plan`")
    parameters |= measure_start(statement, task, parameters) if guess else {}
    failing = name_failures(statement.evaluate(**parameters))
    if failing:
        raise SaysNothing(f"{statement.id} says nothing of this run: {failing} fails")
    refuse_unmet(statement, unmet_requirements(statement, task, parameters))
    return AsStatement(settings=settings_of(statement, task, parameters), parameters=parameters)


def rounds_of(statement: Statement, given: Mapping[str, float]) -> int:
    """From the quantity that counts them."""
    found = find_rounds(statement, given)
    if found is not None:
        return found
    names = " or ".join(_lengths(statement)) or "another statement"
    raise NotPlanned(f"{statement.id} needs the number of rounds: give {names}")


def find_rounds(statement: Statement, given: Mapping[str, float]) -> int | None:
    """None where no quantity that counts them is given."""
    lengths = _lengths(statement)
    return next((int(given[name]) + more for name, more in lengths.items() if name in given), None)


def _lengths(statement: Statement) -> dict[str, int]:
    """The quantities that count rounds, with how many rounds there are beyond each."""
    parts = parts_of(statement.notation, Of.SETTING)
    return {name: part.more for name, part in parts.items() if part.name in LENGTHS}
