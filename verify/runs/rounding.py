"""What rounding may change in a cell's numbers on another kernel, library or device; see docs/replay.md.

Numbers of a formula have a running error bound. Numbers of a run are measured: the same cell is judged once
more while every product of the engine is moved by what its rounding may be (`synthetic.engine.disturbance`),
and what changes is the amount.
"""

from collections.abc import Callable
from math import isfinite, log2

import numpy as np

from bounds.arithmetic.program import compile_expressions
from bounds.arithmetic.program import run as run_program
from bounds.arithmetic.running_error import ULP, Pair, RunningError
from bounds.evaluation.evaluate import Evaluation
from synthetic.engine.disturbance import disturbed
from verify.runs.judge import Interval, Judged
from verify.runs.linear_bound import LinearBound

Roundings = dict[str, float]
# Of the distance of an interval's end from the floor of its samples: where `verify.statistics.betting` stops
# its search.
SEARCH = 1e-10


def of_cell(
    evaluation: Evaluation, bound: LinearBound, judged: Judged, again: Callable[[], Judged], replicates: int
) -> Roundings | None:
    """Absolute amounts by group of numbers; None where none is known. `again` judges the cell once more."""
    constant = abs(float(bound.constant))
    amounts = {"bound": of_formula(evaluation) + ULP * constant}
    if judged.measured.exact is not None:
        amounts |= {"estimate": 0.0, "ends": 0.0}
    else:
        with disturbed():
            moved = again()
        if moved.verdict is not judged.verdict:
            return None
        amounts |= _of_measured(bound, judged.measured, moved.measured, replicates)
    if constant > 0:
        share = abs(judged.measured.estimate) / constant
        amounts["ratio"] = (amounts["estimate"] + share * amounts["bound"]) / constant + ULP * share
    return amounts if all(map(isfinite, amounts.values())) else None


def of_formula(evaluation: Evaluation) -> float:
    """The rounding of the value and of each of its terms."""
    program = compile_expressions(list(evaluation.resolved.terms))
    known = {name: Pair(np.float64(evaluation.inputs[name]), 0.0) for name in program.inputs}
    with np.errstate(all="ignore"):  # an amount that is not finite is no amount
        pairs = run_program(program, RunningError(), known)
        return float(sum(pair.error + len(pairs) * ULP * abs(pair.value) for pair in pairs))


def _of_measured(bound: LinearBound, one: Interval, moved: Interval, replicates: int) -> Roundings:
    """What the disturbance changed, with the sum of the mean, and the search for the ends of the interval."""
    floor = float(bound.floor())
    sizes = [abs(x) for x in (one.lower, one.upper, floor) if x is not None and isfinite(x)]
    size = max((abs(one.estimate), *sizes))
    summed = ULP * log2(replicates + 1)
    # no sample is below the floor, which bounds the mean of the magnitudes
    magnitude = abs(one.estimate) + 2 * _below_zero(floor, size)
    estimate = abs(one.estimate - moved.estimate) + summed * magnitude
    ends = max(_change(one.lower, moved.lower), _change(one.upper, moved.upper))
    return {"estimate": estimate, "ends": ends + (2 * SEARCH + summed) * size}


def _below_zero(floor: float, size: float) -> float:
    return max(0.0, -floor) if isfinite(floor) else size


def _change(one: float | None, other: float | None) -> float:
    """Infinite if only one of the two exists."""
    if one is None or other is None:
        return 0.0 if one is other else float("inf")
    return abs(one - other)
