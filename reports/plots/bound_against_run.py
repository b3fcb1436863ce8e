"""A standard cell at every point of an axis: the bound, and what a run with the prescription measures.

The bound is one of horizon K, with step sizes that may depend on K: every point is a run of its own, judged
as `verify` judges it, at a level shared by all points. The band is the confidence interval of that judgement.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.errors import UnknownName, nearest
from bounds.evaluation.free_bound import inform
from bounds.language.part import Of
from bounds.language.statement import Statement
from reports.errors import BadAssignment, NothingApplies, UnusableRun
from reports.plots.axis import Axis, left_label
from reports.plots.comparison import Comparison, Point, Series, named
from reports.plots.style import curves
from verify.cell import NAMED, Cell, build_problem
from verify.matching.constants.constants import parts_of
from verify.matching.linear_bound import inputs, measured_quantities
from verify.planning.numbers import LENGTHS
from verify.planning.own_cells import ROUNDS, own_cells
from verify.planning.task import NotPlanned
from verify.runs.check import CellResult, run_cell, standard_cells
from verify.statistics.error_level import per_cell

if TYPE_CHECKING:
    from matplotlib.figure import Figure

USUAL_ROLE = "heterogeneous"
Progress = Callable[[int, int, str], None]


def compared(
    statement: Statement,
    axis: Axis,
    given: dict[str, float],
    *,
    cells: Sequence[Cell],
    role: str | None,
    level: float,
    seed: int,
    replicates: int,
    progress: Progress,
) -> tuple[Comparison, list[str]]:
    """The comparison, and the verdicts of its points."""
    cell = _cell(statement, cells, role)
    _refuse_bad_values(statement, cell, axis, given)
    cell = replace(cell, parameters={**cell.parameters, **{n: _plain(v) for n, v in given.items()}})
    return along(statement, cell, axis, level=level, seed=seed, replicates=replicates, progress=progress)


def along(
    statement: Statement,
    cell: Cell,
    axis: Axis,
    *,
    level: float,
    seed: int,
    replicates: int,
    progress: Progress = lambda done, total, what: None,
) -> tuple[Comparison, list[str]]:
    """The cell at every point of the axis; `level` is shared by the points."""
    own, results = per_cell(level, len(axis.values)), []
    for done, value in enumerate(axis.values):
        progress(done, len(axis.values), f"{axis.name} = {value:g}")
        at = replace(cell, parameters={**cell.parameters, axis.name: _plain(value)})
        results.append(run_cell(at, level=own, seed=seed, replicates=replicates))
    progress(len(axis.values), len(axis.values), "done")
    verdicts = [result.verdict.value for result in results]
    how = "without sampling" if _exact(results) else f"{replicates} replicates, seed {seed}"
    return _comparison(statement, cell, axis, results, how), verdicts


def _exact(results: list[CellResult]) -> bool:
    found = [r.measured for r in results if r.measured is not None]
    return bool(found) and all(m.lower == m.estimate == m.upper for m in found)


def cells_on(
    statement: Statement, name: str, arguments: Mapping[str, Any], given: Mapping[str, float], axis: Axis
) -> tuple[Cell, ...]:
    """Cells on a problem that the user names, chosen for the last point where the axis is the rounds."""
    part = parts_of(statement.notation, Of.SETTING).get(axis.name)
    counted = part is not None and part.name in LENGTHS
    rounds = int(max(axis.values)) + part.more if counted and part is not None else ROUNDS
    try:
        return own_cells(statement, name, arguments, build_problem(name, arguments), given, rounds=rounds)
    except NotPlanned as error:
        raise NothingApplies(str(error)) from error


def standard(statement: Statement) -> tuple[Cell, ...]:
    return tuple(cell for cell in standard_cells([statement]) if cell.reading == NAMED)


def _cell(statement: Statement, cells: Sequence[Cell], role: str | None) -> Cell:
    if not cells:
        raise UnusableRun(f"no run of {statement.id} is known to the engine: it has no standard cell")
    roles = [cell.role for cell in cells]
    if role is None:
        return next((cell for cell in cells if cell.role == USUAL_ROLE), cells[0])
    if role not in roles:
        raise UnusableRun(f"{statement.id} has no cell {role!r}: {nearest(role, roles)}")
    return cells[roles.index(role)]


def _refuse_bad_values(statement: Statement, cell: Cell, axis: Axis, given: dict[str, float]) -> None:
    """Before the first run: names, prescriptions and domains; what is not of the cell is of its problem."""
    if axis.name in given:
        raise BadAssignment(f"{axis.name} is given by --set and taken at many values; keep one")
    usual: dict[str, Any] = inputs(statement, cell)
    statement.evaluate(**{**usual, **given, axis.name: np.array(axis.values)})
    for name in (*given, axis.name):
        if name not in cell.parameters:
            known = nearest(name, cell.parameters)
            raise UnknownName(f"the cell {cell.role!r} of {cell.statement} has no parameter {name}: {known}")


def _plain(value: float) -> float | int:
    return int(value) if value == int(value) else value


def _comparison(
    statement: Statement, cell: Cell, axis: Axis, results: list[CellResult], how: str
) -> Comparison:
    pairs = list(zip(axis.values, results, strict=True))
    certified = [r for r in results if r.measured is not None and not r.certified]
    label, more = left_label(statement)
    random = sorted(_random(statement, cell))
    if random:
        label = "left-hand side less random right-hand side"
        more = (*more, f"random part of the right-hand side, taken to the left: {', '.join(random)}")
    notes = [f"cell {cell.role!r} on {cell.problem}, {how}"]
    if certified:
        notes.append(f"at {len(certified)} of {len(results)} points the band is asymptotic")
    return Comparison(
        mode="run",
        title=named(statement),
        axes=(axis,),
        label=label,
        unit=statement.unit,
        series=(
            Series(
                name="bound",
                kind="bound",
                label="bound",
                points=tuple(_bound(statement, x, r) for x, r in pairs),
            ),
            Series(
                name="measured",
                kind="measured",
                label="measured, with confidence band",
                points=tuple(_measured(x, r) for x, r in pairs),
            ),
        ),
        notes=(*more, *notes),
        moved=bool(random),
    )


def _random(statement: Statement, cell: Cell) -> set[str]:
    """The names on the right-hand side that the run measures."""
    named = {symbol.name for symbol in statement.right.free_symbols}
    return (named & statement.notation.observables.keys()) | measured_quantities(statement, cell)


def _bound(statement: Statement, x: float, result: CellResult) -> Point:
    if result.bound is None:
        return Point(at=(x,), value=None, usable=False, why=result.sentence)
    value = float(result.bound)
    if _random(statement, result.cell):
        return Point(at=(x,), value=value)
    informed = inform(statement.evaluate(**inputs(statement, result.cell)))
    return Point(at=(x,), value=value, free=informed.free.value, informative=informed.informative)


def _measured(x: float, result: CellResult) -> Point:
    found = result.measured
    if found is None:
        return Point(at=(x,), value=None, usable=False, why=result.sentence)
    return Point(at=(x,), value=found.estimate, lower=found.lower, upper=found.upper, why=result.sentence)


def draw(comparison: Comparison, figure: "Figure") -> None:
    curves(comparison, figure)
