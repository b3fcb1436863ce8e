"""A cell of which an author fixes no more than what does not follow from the declarations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from bounds.evaluation.resolve import names_taken, resolve
from bounds.language.statement import Statement
from verify.cell import NAMED, Cell, build_problem
from verify.matching.largest_allowed import EDGE, largest
from verify.matching.required import certify_numbers
from verify.runs.linear_bound import inputs


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A role, a problem and a start: constants of the problem and measures of the start follow from them.

    The start is `start`, or it is `away` from the minimizer, in every coordinate or in each its own. Of the
    quantities in `values` those count that the statement takes; they come before what follows, and a derived
    one replaces what only serves to derive it. Those in `shares` have this share of the largest value that
    the conditions allow, if they limit it. `settings` are those of the run that the statement leaves open.
    """

    role: str
    problem: str
    arguments: Mapping[str, Any]
    values: Mapping[str, Any] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)
    start: Sequence[Any] | None = None
    away: float | Sequence[float] = 1.0
    settings: Mapping[str, Any] = field(default_factory=dict)
    reading: str = NAMED


def fill(statement: Statement, sketches: Iterable[Sketch]) -> tuple[Cell, ...]:
    """The cells of a statement, as sketched."""
    return tuple(_fill_one(statement, sketch) for sketch in sketches)


def _fill_one(statement: Statement, sketch: Sketch) -> Cell:
    problem = build_problem(sketch.problem, sketch.arguments)
    start = sketch.start
    if start is None:
        start = (np.asarray(problem.minimiser(), dtype=np.float64) + np.asarray(sketch.away)).tolist()
    known = {**certify_numbers(statement, problem, start), **sketch.values}
    taken = names_taken(statement) - _find_needless(statement, sketch.values)
    cell = Cell(
        statement=statement.id,
        variant=statement.variant,
        algorithm=str(statement.algorithm),
        role=sketch.role,
        problem=sketch.problem,
        problem_arguments=sketch.arguments,
        parameters={name: value for name, value in known.items() if name in taken},
        engine={"start": start, **sketch.settings},
        reading=sketch.reading,
    )
    for name, share in sketch.shares.items():
        limit = largest(statement, inputs(statement, cell), name)
        if limit is not None:
            cell = replace(cell, parameters={**cell.parameters, name: limit * share * EDGE})
    return cell


def _find_needless(statement: Statement, values: Iterable[str]) -> set[str]:
    """What would only serve to derive a quantity that is given."""
    given = {d.symbol.name: d.expression for d in statement.where if d.symbol.name in values}
    resolved = resolve(statement, frozenset(given))
    sources = {symbol.name for expression in given.values() for symbol in expression.free_symbols}
    return sources - resolved.required - resolved.optional
