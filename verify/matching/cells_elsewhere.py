"""Standard cells of a paper on a problem that the paper does not name.

Constants of the problem and of the start take their certified ends there; the rest stays as it is where the
conditions allow that, and moves inside them where they do not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, floor, inf, sqrt
from typing import Any, Final

import numpy as np

from bounds.errors import Misuse
from bounds.language.part import Of
from bounds.language.statement import Statement
from synthetic.errors import Refusal
from synthetic.problem import Problem
from verify.cell import Cell, Scalar
from verify.matching.assumptions import unmet
from verify.matching.cells.required import certify_numbers
from verify.matching.cells.standard_problems import CANDIDATES, built
from verify.matching.constants.constants import parts_of
from verify.matching.constants.pinned import by_parameter, fixed_in, pinned_in
from verify.matching.linear_bound import inputs
from verify.matching.runs import Runs
from verify.parameters.inputs import inputs_of
from verify.parameters.solved import with_limits
from verify.parameters.valid import UnsolvableCondition

PASSES: Final = 3  # constants may depend on free inputs, and limits on constants
INSIDE: Final = 0.5  # of a limit


def moved_to(name: str, statement: Statement, cells: Sequence[Cell], runs: Runs) -> list[Cell]:
    """The cells that the paper has on the problem; else all that can be moved to it."""
    there = [cell for cell in cells if cell.problem == name]
    if there:
        return there
    arguments: Mapping[str, Any] = next((c.apart for c in CANDIDATES if c.name == name), {})
    problem = built(name, arguments)
    if problem is None:
        raise Misuse(f"no problem {name} can be built")
    candidates = [
        _moved(cell, statement, runs, name, arguments, problem) for cell in cells if _is_apart(cell)
    ]
    usable = [cell for cell in candidates if cell is not None]
    if not usable:
        why = unmet(statement, problem, dict(cells[0].parameters)) if cells else None
        raise Misuse(f"{statement.id} has no cell on {name}: {why or 'nothing meets its conditions there'}")
    return usable


def _is_apart(cell: Cell) -> bool:
    """A problem that is given has the clients that it has."""
    return "homogeneous" not in cell.role


def _moved(
    base: Cell, statement: Statement, runs: Runs, name: str, arguments: Mapping[str, Any], problem: Problem
) -> Cell | None:
    start = _start(base, problem)
    declared = parts_of(statement.notation, Of.CONSTANT).keys() & base.parameters.keys()
    if declared - certify_numbers(statement, problem, start).keys():
        return None
    cell = replace(
        base, problem=name, problem_arguments=arguments, engine={**_engine(base, problem), "start": start}
    )
    try:
        fixed = fixed_in(base, by_parameter(runs.requirements(statement, base)))
        for _ in range(PASSES):
            before, cell = cell, _settled(cell, statement, runs, fixed)
            if before == cell:
                break
    except (ArithmeticError, ValueError, LookupError, AssertionError, TypeError, AttributeError, Refusal):
        # the problem lacks what the paper's own cells are made of; another role may do without it
        return None
    return cell


def _start(base: Cell, problem: Problem) -> list[float]:
    """As far from the minimizer, in root mean square, as the paper starts."""
    here = np.asarray([float(x) for x in base.engine["start"]])
    offset = here - _middle(base.build_problem(), len(here))
    away = float(np.linalg.norm(offset)) / sqrt(len(here))
    start: list[float] = (_middle(problem, problem.dimension) + away).tolist()
    return start


def _middle(problem: Problem, dimension: int) -> Any:
    try:
        return np.asarray(problem.minimiser(), dtype=np.float64)
    except Refusal:
        return np.zeros(dimension)


def _engine(base: Cell, problem: Problem) -> dict[str, Any]:
    """As many clients of all as in the paper's cell: everyone, or one."""
    engine, clients = dict(base.engine), base.build_problem().clients
    for name in ("clients_per_round", "participants"):
        if engine.get(name) == clients:
            engine[name] = type(engine[name])(problem.clients)
    return engine


def _settled(cell: Cell, statement: Statement, runs: Runs, fixed: set[str]) -> Cell:
    pinned = pinned_in(cell, by_parameter(runs.requirements(statement, cell)), fixed)
    given = {n: v for n, v in cell.parameters.items() if pinned.get(n, v) != inf}
    known = given | {n: v for n, v in pinned.items() if n in given}
    engine = dict(cell.engine) | {n: v for n, v in pinned.items() if n in cell.engine}
    settled = replace(cell, parameters=known, engine=engine)
    if _applies(statement, settled):
        return settled
    free = [n for n in known if n not in fixed]
    inside = _inside(statement, free, known)
    return settled if inside is None else replace(settled, parameters=known | inside)


def _applies(statement: Statement, cell: Cell) -> bool:
    try:
        return statement.evaluate(**inputs(statement, cell)).applicable is True
    except Misuse:
        return False


def _inside(statement: Statement, free: list[str], known: Mapping[str, Scalar]) -> dict[str, Scalar] | None:
    """Every free input where it is, or inside the limit that it violates, one after the other."""
    given = replace(statement, where=tuple(d for d in statement.where if d.symbol.name not in known))
    typical = {n: float(known[n]) for n in free}
    try:
        ranges = inputs_of(with_limits(given, free), free, typical)
        point = {n: float(v) for n, v in known.items() if n not in free}
        for name in ranges.names:
            ends = ranges.ends(name, point)
            if ends is None:
                return None
            point[name] = _between(typical[name], ends[0], ends[1], integral=isinstance(known[name], int))
    except (UnsolvableCondition, KeyError):
        return None
    return {n: int(point[n]) if isinstance(known[n], int) else point[n] for n in free}


def _between(value: float, low: float, high: float, *, integral: bool) -> float:
    """The value; where it is beyond an end, half or twice that end, if the other one allows it."""
    if value > high:
        value = max(low, min(high, high * INSIDE))
    elif value < low:
        value = min(high, low / INSIDE if low > 0 else low * INSIDE)
    return min(high, max(ceil(low), floor(value))) if integral else value
