"""Where each number that a plan took for granted comes from, in words."""

from collections.abc import Mapping

from bounds.language.part import Of, Part
from bounds.language.statement import Statement
from verify.matching.constants.offered import offer_constants
from verify.planning.numbers import noise_quantity
from verify.planning.simulated import find_confined
from verify.planning.task import Task

GIVEN = "given"
OF_TARGET = "the noise that the privacy target needs, by an accountant"
ON_A_BALL = "enclosed, on a ball that no iterate leaves"


def find_sources(
    statement: Statement, task: Task, fixed: Mapping[str, float], given: Mapping[str, float]
) -> dict[str, str]:
    """Name the source of each constant and measure of the start; what the task counts is left out."""
    known = {} if task.problem is None else offer_constants(statement, task.build())
    noise = noise_quantity(statement)
    on_a_set = find_confined(statement, task, given)
    found = {}
    for name in fixed:
        part = statement.notation.quantities[name].part
        if name in given:
            found[name] = GIVEN
        elif name == noise:
            found[name] = OF_TARGET
        elif on_a_set is not None and name in on_a_set.constants:
            found[name] = ON_A_BALL
        elif part is not None and part.of is Of.START and task.problem is not None:
            found[name] = f"{_describe(part)} at the start, rounded to the safe side"
        elif name in known and part is not None and part.name not in ("clients", "dimension"):
            found[name] = f"{_describe(part, known[name].constant)}, {known[name].provenance}"
    return found


def _describe(part: Part, constant: str = "") -> str:
    """The constant or measure, and what of it the quantity is."""
    name = constant or part.name
    whole = name if part.times == 1 else f"{part.times} times {name}"
    whole = f"mean of {whole}" if part.mean else whole
    return f"root of {whole}" if part.root else whole
