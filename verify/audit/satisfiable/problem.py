"""A problem that the engine builds and whose facts satisfy what a statement assumes.

Where the statement speaks about a run, one of its standard cells: parameters, problem, start and all. Else
any problem of the engine's families, with its own constants; iterates are taken within 1 of the origin.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, final

from bounds.language.statement import Statement
from synthetic.errors import WrongArguments
from synthetic.problem import Problem
from synthetic.problems import build, problem_names
from verify.audit.satisfiable import recorded_runs
from verify.audit.satisfiable.together import point_with
from verify.cell import Cell, Scalar, plain
from verify.matching.assumptions import refusal, unmet
from verify.matching.constants import certified
from verify.search.smallest import Point

REACH, BOUND = "reach", "C"  # how far iterates come; what bounds the gradients
ONE_BOWL: dict[str, Any] = {"curvatures": [[1.0]], "centers": [[0.0]]}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """`parameters` are those of the cell, and empty where the statement speaks of no run.

    At the point all conditions hold, with constants that the problem has; where a run is on file, the point
    is that of the run, which has a problem of its own.
    """

    problem: str
    arguments: dict[str, Any]
    parameters: dict[str, Any]
    role: str
    point: Point

    @property
    def sentence(self) -> str:
        return f"{self.problem}, cell {self.role!r}" if self.role else self.problem


def instance(statement: Statement, point: Point | None) -> tuple[Instance | None, str]:
    """The first that qualifies; else why the last one tried does not.

    `point` meets the conditions. A statement with standard cells speaks of their runs: where all of them
    fail, another problem with constants of its own says nothing.
    """
    cells = _cells(statement)
    if not cells:
        return _find_in_families(statement, point)
    for cell in cells:
        reason = _unmet(statement, cell)
        if reason is None:
            return _build_from_cell(statement, cell), ""
    return None, f"none of its {len(cells)} standard cells does, the last one since {reason}"


def _here(point: Point | None) -> dict[str, Scalar]:
    """The bound on gradients is that of the point."""
    return {REACH: 1.0, **{name: value for name, value in (point or {}).items() if name == BOUND}}


def _find_in_families(statement: Statement, point: Point | None) -> tuple[Instance | None, str]:
    """A problem of the class with a point; else the reason says whether one of both was found."""
    reason, of_the_class = "no problem of the engine was tried", list[str]()
    for name, arguments, problem in _families():
        missing = unmet(statement, problem, _here(point))
        if missing is not None:
            reason = missing
            continue
        together = _find_point(statement, problem, point)
        if together is not None and unmet(statement, problem, _here(together)) is None:
            return Instance(problem=name, arguments=arguments, parameters={}, role="", point=together), ""
        of_the_class.append(name)
    if of_the_class:
        reason = f"at no point that was tried do the conditions hold with the constants of {of_the_class[0]}"
        more = len(of_the_class) - 1
        reason += f", nor with those of {more} more problems of the class" if more else ""
    return None, reason


def _find_point(statement: Statement, problem: Problem, point: Point | None) -> Point | None:
    """The point of a run that is carried out is one of its own problem."""
    if not statement.conditions or point is None or recorded_runs.of(statement) is not None:
        return point or {}
    return point_with(statement, problem, point)


def _cells(statement: Statement) -> tuple[Cell, ...]:
    from verify.runs.check import standard_cells

    return standard_cells([statement])


def _unmet(statement: Statement, cell: Cell) -> str | None:
    from verify.matching.joined import get_runs
    from verify.matching.linear_bound import inputs

    reason = refusal(statement, cell)
    reason = reason or certified.unfit(get_runs(statement).requirements(statement, cell))
    if reason is not None:
        return reason
    evaluation = statement.evaluate(**inputs(statement, cell))
    return None if evaluation.applicable is True else "a condition fails there"


def _build_from_cell(statement: Statement, cell: Cell) -> Instance:
    from verify.matching.linear_bound import inputs

    return Instance(
        point=recorded_runs.point(statement) or inputs(statement, cell),
        problem=cell.problem,
        arguments=plain(cell.problem_arguments),
        parameters=plain(cell.parameters),
        role=cell.role,
    )


def _families() -> Iterator[tuple[str, dict[str, Any], Problem]]:
    """One bowl, which is attained and without divergence, and the families that need no arguments."""
    yield "quadratic.diagonal", ONE_BOWL, _built("quadratic.diagonal", bowl=True)
    for name in problem_names():
        try:
            yield name, {}, _built(name)
        except WrongArguments:
            continue


@cache
def _built(name: str, *, bowl: bool = False) -> Problem:
    return build(name, **(ONE_BOWL if bowl else {}))
