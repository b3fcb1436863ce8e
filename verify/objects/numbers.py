"""Numbers inside the conditions of a statement, for one that speaks of nothing else."""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import compile_expressions
from bounds.language.statement import Statement
from verify.parameters.points import points

NUMBERS: Final = "numbers between the limits and at their ends"


def speaks_of_numbers(statement: Statement) -> bool:
    """Whether every object is a quantity of the notation table, and so has a domain."""
    concrete = statement.concrete
    return concrete is not None and concrete.objects.keys() <= statement.notation.quantities.keys()


def inside_the_conditions(
    statement: Statement, names: Iterable[str], count: int, seed: int
) -> dict[str, Any]:
    """Half of the cases between the limits, half at their ends or far out; (cases,) for each name."""
    wanted = list(names)
    point_by_point = list(points(statement, wanted, count, seed=seed))
    drawn = {name: np.array([point[name] for point in point_by_point]) for name in wanted}
    for choice in statement.choices:
        program = compile_expressions([choice.expression])
        if choice.symbol.name in drawn and set(program.inputs) <= drawn.keys():
            value = run_arrays(program, {name: drawn[name] for name in program.inputs})[0]
            drawn[choice.symbol.name] = np.broadcast_to(value, len(point_by_point)).astype(float)
    return drawn
