"""A cell of which an author fixes no more than what does not follow from the declarations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor
from typing import Any, final

import numpy as np

from bounds.errors import Misuse
from bounds.evaluation.resolve import names_taken, resolve
from bounds.language.statement import Statement
from verify.cell import NAMED, Cell, build_problem
from verify.matching.cells.largest_allowed import EDGE, TO_INTEGER, largest
from verify.matching.cells.required import certify_numbers
from verify.matching.linear_bound import inputs
from verify.matching.measurements.own_at_start import own_measures, settle


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
    # where a share is asked for, its limit is looked for around the value of the example
    around = {
        name: statement.example[name]
        for name in (*sketch.shares, *own_measures(statement))
        if name in statement.example
    }
    known = {**around, **certify_numbers(statement, problem, start), **sketch.values}
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
        cell = _take_share(statement, cell, name, share)
    return settle(statement, cell)


def _take_share(statement: Statement, cell: Cell, name: str, share: float) -> Cell:
    if name not in cell.parameters:
        raise Misuse(f"a sketch takes a share of {name}, to which the cell gives no value")
    if not float(cell.parameters[name]) > 0:
        raise Misuse(f"a sketch takes a share of {name}, which is not above 0: give it another value")
    limit = largest(statement, inputs(statement, cell), name)
    if limit is None:
        return cell
    integer = statement.notation.quantities[name].domain.integer
    value = floor(limit * share + TO_INTEGER) if integer else limit * share * EDGE
    return replace(cell, parameters={**cell.parameters, name: value})


def _find_needless(statement: Statement, values: Iterable[str]) -> set[str]:
    """What would only serve to derive a quantity that is given."""
    given = {d.symbol.name: d.expression for d in statement.where if d.symbol.name in values}
    resolved = resolve(statement, frozenset(given))
    sources = {symbol.name for expression in given.values() for symbol in expression.free_symbols}
    return sources - resolved.required - resolved.optional
