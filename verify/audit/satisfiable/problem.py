"""A problem that the engine builds and whose facts satisfy what a statement assumes.

Where the statement speaks about a run, one of its standard cells: parameters, problem, start and all. Else
any problem of the engine's families, with its own constants; iterates are taken within 1 of the origin.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, final

from bounds.language.statement import Statement
from synthetic.errors import WrongArguments
from synthetic.problems import build, problem_names
from synthetic.problems.interface import Problem
from verify.cell import Cell, Scalar, plain
from verify.matching import certified
from verify.matching.assumptions import refusal, unmet

REACH, BOUND = "reach", "C"  # how far iterates come; what bounds the gradients
ONE_BOWL: dict[str, Any] = {"curvatures": [[1.0]], "centers": [[0.0]]}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """`parameters` are those of the cell; empty where the statement speaks of no run."""

    problem: str
    arguments: dict[str, Any]
    parameters: dict[str, Any]
    role: str

    @property
    def sentence(self) -> str:
        return f"{self.problem}, cell {self.role!r}" if self.role else self.problem


def instance(statement: Statement, point: Mapping[str, float]) -> tuple[Instance | None, str]:
    """The first that qualifies; else why the last one does not. The bound on gradients is the point's."""
    here: dict[str, Scalar] = {REACH: 1.0, **{n: value for n, value in point.items() if n == BOUND}}
    reason, cells = "no problem of the engine was tried", _cells(statement)
    for cell in cells:
        missing = _unmet(statement, cell)
        if missing is None:
            return _build_from_cell(cell), ""
        reason = missing
    for name, arguments, problem in _families():
        unmet_by_facts = unmet(statement, problem, here)
        if unmet_by_facts is None:
            return Instance(problem=name, arguments=arguments, parameters={}, role=""), ""
        if not cells:
            reason = unmet_by_facts
    return None, reason


def _cells(statement: Statement) -> tuple[Cell, ...]:
    from verify.runs.check import standard_cells

    return standard_cells([statement])


def _unmet(statement: Statement, cell: Cell) -> str | None:
    from verify.matching.joined import get_runs
    from verify.runs.linear_bound import inputs

    reason = refusal(statement, cell)
    reason = reason or certified.unfit(get_runs(statement).requirements(statement, cell))
    if reason is not None:
        return reason
    evaluation = statement.evaluate(**inputs(statement, cell))
    return None if evaluation.applicable is True else "a condition fails there"


def _build_from_cell(cell: Cell) -> Instance:
    return Instance(
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
