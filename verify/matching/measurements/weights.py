"""The weights of the states in observables that are sums over rounds, at the numbers of a cell."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import compile_expressions
from bounds.errors import Misuse
from bounds.language.part import Of
from bounds.language.quantity import Notation, Observable, Over
from bounds.language.statement import Statement
from verify.cell import Cell
from verify.matching.constants.constants import parts_of
from verify.matching.linear_bound import inputs
from verify.matching.measurements.measurement import OF_STATES

Weights = Mapping[str, NDArray[np.float64]]


def weigh(
    statement: Statement, cell: Cell, observables: Mapping[str, Observable], listed: Mapping[str, Any]
) -> Weights:
    """For each observable that is a sum over rounds, one weight for each state that it takes."""
    sums = {name: o for name, o in observables.items() if o.over is Over.SUM}
    if not sums:
        return {}
    evaluation = statement.evaluate(**inputs(statement, cell))
    numbers = evaluation.inputs | evaluation.derived
    states = np.arange(int(listed["rounds" if "rounds" in listed else "steps"]) + 1, dtype=np.float64)
    return {
        name: _weigh_states(o, statement.notation, numbers, states[OF_STATES[o.states]])
        for name, o in sums.items()
    }


def _weigh_states(
    observable: Observable, notation: Notation, numbers: Mapping[str, Any], states: NDArray[np.float64]
) -> NDArray[np.float64]:
    program = compile_expressions([observable.weight])
    known = {**numbers, **dict.fromkeys(parts_of(notation, Of.INDEX), states)}
    (found,) = run_arrays(program, {name: known[name] for name in program.inputs})
    if not np.all(found >= 0):  # a weight without a value too
        raise Misuse(
            f"a weight of {observable.name} is not at least 0: {float(np.min(found)):.6g}; "
            "write the sum as the difference of two observables"
        )
    return np.broadcast_to(found, states.shape)
