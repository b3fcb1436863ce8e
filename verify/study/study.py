"""A study: which statements, over which parameters, on which problems; and the cells that this comes to.

Cells are the statements' standard ones, of the roles that are asked for, with the parameters of the study in
place of theirs. On a problem that the study names they are made anew from what the statement declares, so
that the constants are those of the problem. What does not meet the conditions there is judged `refused`, by
name, and stays in the record.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, Final, final

from bounds.errors import Misuse
from bounds.language.statement import Statement
from verify.cell import Cell, Scalar
from verify.matching.cells import grounds, standard
from verify.matching.cells.standard_problems import Candidate
from verify.matching.joined import find_runs
from verify.runs.check import LEVEL, REPLICATES, SEED

MOST_CELLS: Final = 1_000_000

Point = Mapping[str, float]


class UnusableStudy(Misuse):
    """A study that comes to no cell, or to too many."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """`parameters` are axes of a product; an axis of several names moves them together.

    `problems` are names with axes of arguments; none means those of the standard cells. `roles` of standard
    cells; none means all of them.
    """

    statements: tuple[Statement, ...]
    parameters: Sequence[Sequence[Point]] = ()
    problems: Sequence[tuple[str, Sequence[Mapping[str, Any]]]] = ()
    roles: tuple[str, ...] = ()
    level: float = LEVEL
    seed: int = SEED
    replicates: int = REPLICATES


def refuse_too_many(points: int) -> None:
    if points > MOST_CELLS:
        raise UnusableStudy(
            f"the parameters have {points:,} points; a study has at most {MOST_CELLS:,} cells"
        )


def cells_of(study: Study) -> tuple[Cell, ...]:
    """Every cell, each once, in the order of statements, roles and points."""
    refuse_too_many(prod(len(axis) for axis in study.parameters))
    found: dict[str, Cell] = {}
    for statement in study.statements:
        for cell in _cells_of_form(study, statement):
            found.setdefault(cell.digest, cell)
            if len(found) > MOST_CELLS:
                raise UnusableStudy(f"the study has more than {MOST_CELLS:,} cells")
    if not found:
        raise UnusableStudy(f"the study has no cell: {_why_none(study)}")
    return tuple(found.values())


def _cells_of_form(study: Study, statement: Statement) -> Iterator[Cell]:
    for template in _templates(study, statement):
        if study.roles and template.role not in study.roles:
            continue
        for point in _points(study, template):
            yield _moved(statement, template, point)


def _templates(study: Study, statement: Statement) -> Iterator[Cell]:
    runs = find_runs(statement)
    if runs is None:
        return
    if not study.problems:
        yield from runs.cells(statement)
        return
    for name, arguments in study.problems if _declared(statement) else ():
        for one in arguments:
            yield from standard.cells(statement, (Candidate(name=name, apart=one, title=name),))


def _points(study: Study, template: Cell) -> Iterator[Point]:
    """The points of the study; a statement that lacks a quantity has them without that axis."""
    for parts in product(*study.parameters):
        point = {name: value for part in parts for name, value in part.items()}
        yield {name: value for name, value in point.items() if name in template.parameters}


def _moved(statement: Statement, template: Cell, point: Point) -> Cell:
    """At the study's parameters; what is free stays, or follows the conditions where it is declared how."""
    given = {name: _like(template.parameters[name], value) for name, value in point.items()}
    if all(template.parameters[name] == value for name, value in given.items()):
        return template
    changed = replace(template, parameters={**template.parameters, **given})
    return standard.followed(statement, changed, given) if _declared(statement) else changed


def _declared(statement: Statement) -> bool:
    """Whether its runs follow from its declarations, and not from a file of its paper."""
    runs = find_runs(statement)
    return runs is not None and runs.has_standard_cells


def _like(usual: Scalar, value: float) -> Scalar:
    """A whole number where the quantity is one, and a fraction where the run is exact."""
    if isinstance(usual, int) and value == int(value):
        return int(value)
    return Fraction(value).limit_denominator(10**12) if isinstance(usual, Fraction) else value


def _why_none(study: Study) -> str:
    for statement in study.statements:
        runs = find_runs(statement)
        if runs is None:
            continue
        if known := sorted({cell.role for cell in _templates(study, statement)}):
            return _why_no_role(study, statement, known)
        if study.problems and not _declared(statement):
            return f"{statement.id} is run on the problems of its paper's own file, and on no other"
        if study.problems:
            return f"{statement.id}: {grounds.why_no_cell(statement)}"
    return "none of its statements is run"


def _why_no_role(study: Study, statement: Statement, known: Sequence[str]) -> str:
    asked, has = ("; ".join(roles) for roles in (study.roles, known))
    where = (
        " on the problems of the study, which have no standard cell of every role" if study.problems else ""
    )
    return f"no cell of {statement.id} has the role {asked}; its roles{where}: {has}"


def unknown_names(study: Study) -> set[str]:
    """Parameters that no selected statement has."""
    named = {name for axis in study.parameters for point in axis for name in point}
    return named - {name for s in study.statements for name in s.notation.quantities}
