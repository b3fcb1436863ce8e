"""A cell on fresh randomness: the judge of cells decides, and float64 has to carry the excess.

Its stream has a name that no search uses, so that what was selected for is not what is judged.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from bounds.language.finding import Verdict
from bounds.language.quantity import Role
from bounds.language.statement import Kind, Statement
from synthetic.engine.disturbance import disturbed
from synthetic.run import runnable
from verify.cell import NAMED, Cell
from verify.falsify.outcome import Confirmation, NotAnInstance, unconfirmed
from verify.json_numbers import is_count
from verify.matching.assumptions import refusal
from verify.matching.constants import certified
from verify.matching.joined import get_runs
from verify.matching.linear_bound import LinearBound, inputs, linear_bound
from verify.matching.measurements.measurement import Computed, Measurement, Sampled
from verify.records import record
from verify.runs.judge import Judged, Run, judge
from verify.runs.rounding import FEW, explain, recurs

JUDGED: Final = 4096  # replicates
MOVED, SAME = 1e-9, 0.1  # of the data; of the excess, which may change by so much where they are moved
FARTHER: Final = 3.0  # times the largest coordinate


def qualifies(statement: Statement, cell: Cell) -> bool:
    """Every assumption, every certified end, every condition."""
    if refusal(statement, cell) is not None:
        return False
    if certified.unfit(get_runs(statement).requirements(statement, cell)) is not None:
        return False
    if certified.blurred(cell.build_problem(), cell.engine.get("start")) is not None:
        return False
    evaluation = statement.evaluate(**inputs(statement, cell))
    return all(c.holds is True for c in evaluation.conditions) and not evaluation.left_domains


def instance_of(cell: Cell, seed: int) -> dict[str, Any]:
    return {"kind": "run", "cell": cell.document() | {"replicates": JUDGED, "seed": seed}}


def confirm_run(statement: Statement, instance: Mapping[str, Any], level: float) -> Confirmation:
    """Confirm a run by the judge of cells, on a random stream that no search has seen."""
    entry = instance.get("cell")
    if not isinstance(entry, Mapping) or (entry.get("id"), entry.get("variant")) != (
        statement.id,
        statement.variant,
    ):
        raise NotAnInstance(f"the witness holds no cell of {statement.id}, {statement.variant}")
    cell = record.cell_of(entry)
    try:
        seed, replicates = _read_counts(entry)
        if not qualifies(statement, cell):
            return unconfirmed("the cell does not meet everything that the statement asks")
        bound = linear_bound(statement, cell)
        here = _fresh(statement, cell, cell, seed)
        judged = judge(bound, here, replicates, level)
        refutes = judged.verdict is Verdict.VIOLATED and cell.reading == NAMED
        elsewhere = _fresh(statement, cell, moved(cell), seed)
        if refutes and not _stands(judged, judge(bound, elsewhere, replicates, level)):
            return unconfirmed("the excess is rounding: data moved by 1e-9 of themselves have another")
        again = partial(judge, bound, here, replicates, level)
        if refutes and runnable(cell.algorithm).outside and _is_explained(bound, here, judged, again):
            return unconfirmed(
                "the excess is rounding: a run whose products are rounded otherwise has another"
            )
    except (KeyError, TypeError, ValueError, ArithmeticError, AssertionError) as error:
        raise NotAnInstance(f"the cell of the witness cannot be run: {error}") from error
    left, right = judged.measured.estimate, float(bound.constant)
    sampled = judged.measured.exact is None
    how = f"{judged.method}; level {level:.3g}, {replicates} fresh replicates" if sampled else judged.method
    return Confirmation(
        refutes=refutes,
        left=left,
        right=right,
        ratio=left / right if right > 0 and left >= 0 and not bound.right else None,
        method=how,
        sentence=judged.sentence + _with_constants(statement, cell),
        details={"digest": cell.digest, "verdict": judged.verdict.value},
    )


def _read_counts(entry: Mapping[str, Any]) -> tuple[int, int]:
    seed, replicates = entry["seed"], entry["replicates"]
    if not is_count(seed) or not is_count(replicates):
        raise NotAnInstance("the seed and the replicates of a run are whole numbers from 0 on")
    return seed, replicates


def _with_constants(statement: Statement, cell: Cell) -> str:
    """What a rate leaves open, and the cell names."""
    if statement.kind is not Kind.RATE:
        return ""
    quantities = statement.notation.quantities
    order = [n for n in cell.parameters if n in quantities and quantities[n].role is Role.ORDER_CONSTANT]
    return f"; with {', '.join(f'{n} = {float(cell.parameters[n]):g}' for n in sorted(order))}"


def _stands(judged: Judged, again: Judged) -> bool:
    """Whether float64 carries the excess. A betting test knows of chance, and of no rounding."""
    excess, other = judged.excess.estimate, again.excess.estimate
    # runs that diverge agree, though infinity less infinity is no number
    same = excess == other or abs(excess - other) <= SAME * abs(excess)
    return again.verdict is judged.verdict and same


def _is_explained(bound: LinearBound, run: Run, judged: Judged, again: Callable[[], Judged]) -> bool:
    """Whether roundings explain what an author measures, which no data need to change."""
    seen = run("main", FEW)
    if isinstance(seen, Computed):
        return not recurs(judged, seen, again)
    with disturbed():
        changed = run("main", FEW)
    return isinstance(seen, Sampled) and explain(bound, seen, changed)


def moved(cell: Cell) -> Cell:
    """Its data and its start a little larger, in every float, and elsewhere: no rounding repeats itself.

    Centers are moved with the start where they are told, to where float64 has two bits less for a distance.
    """
    start, arguments = _larger(cell.engine.get("start")), _larger(cell.problem_arguments)
    if "centers" in arguments and start is not None:
        away = FARTHER * max(_sizes(start) + _sizes(arguments["centers"]), default=0.0)
        start, arguments["centers"] = _by(start, away), _by(arguments["centers"], away)
    return replace(cell, problem_arguments=arguments, engine=dict(cell.engine) | {"start": start})


def _sizes(value: Any) -> list[float]:
    return [abs(x) for entry in value for x in (_sizes(entry) if isinstance(entry, list) else [entry])]


def _by(value: Any, away: float) -> Any:
    """Every coordinate moved; what is written in fractions stays where it is, as it has no roundings."""
    if isinstance(value, list):
        return [_by(entry, away) for entry in value]
    return value + away if isinstance(value, float) else value


def _larger(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _larger(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_larger(entry) for entry in value]
    return value * (1 + MOVED) if isinstance(value, float) else value


def _fresh(statement: Statement, cell: Cell, run_on: Cell, seed: int) -> Callable[[str, int], Measurement]:
    """Runs of one cell, or of one hardly moved, on the randomness of the first."""

    def run(purpose: str, count: int) -> Measurement:
        stream = f"{cell.digest}/{purpose}"
        return get_runs(statement).measure(statement, run_on, count, seed, stream)

    return run
