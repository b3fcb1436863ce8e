"""An observable of an author's algorithm before the first round, such as V_0 of a Lyapunov function.

It depends on the settings, so it is measured after they are chosen, and every cell is held to it.
"""

from dataclasses import replace
from math import inf
from typing import Final

from bounds.errors import Misuse
from bounds.language.part import Of, Part
from bounds.language.statement import Statement
from synthetic.errors import Refusal
from synthetic.outside.algorithms import is_outside, observe_start
from synthetic.run import runnable
from verify.cell import Cell
from verify.matching.constants.at_start import ABOVE, MEASURES
from verify.matching.constants.certified import Requirement
from verify.matching.constants.constants import parts_of, rooted
from verify.matching.run_settings import settings_of
from verify.matching.watched_calls import try_first

PASSES: Final = 3  # conditions may limit settings by the measure, which depends on them


def own_measures(statement: Statement) -> dict[str, Part]:
    """The quantities that are observables of the statement's own algorithm at the start."""
    own = _own_observables(statement) - MEASURES.keys()
    parts = parts_of(statement.notation, Of.START)
    return {name: part for name, part in parts.items() if part.name in own}


def _own_observables(statement: Statement) -> set[str]:
    algorithm = str(statement.algorithm)
    return set(runnable(algorithm).observables) if is_outside(algorithm) else set()


def why_unmeasured(statement: Statement, part: Part) -> str | None:
    """The reason why nothing measures a part at the start, with the names that may take its place."""
    if part.of is not Of.START or part.name in MEASURES or part.name in _own_observables(statement):
        return None
    return (
        f"at_start({part.name!r}), which nothing measures: there are {', '.join(MEASURES)}, "
        "and the observables of an algorithm of your own"
    )


def measure_own_start(statement: Statement, cell: Cell) -> dict[str, float]:
    """Each of them in the cell, on the safe side of its roundings."""
    parts = {name: part for name, part in own_measures(statement).items() if name in cell.parameters}
    if not parts:
        return {}
    wanted = dict.fromkeys(part.name for part in parts.values())
    problem, settings = cell.build_problem(), settings_of(statement, cell)
    seen = try_first(
        cell.algorithm, "its first state", lambda: observe_start(cell.algorithm, problem, settings, wanted)
    )
    return {name: _safe(part, float(part.times) * seen[part.name]) for name, part in parts.items()}


def _safe(part: Part, seen: float) -> float:
    return rooted(seen + abs(seen) * (ABOVE - 1), part)


def settle(statement: Statement, cell: Cell) -> Cell:
    """The cell with what its settings give; as it is where they are outside domains, or nothing is measured.

    What an author's function does wrong is told when the cell is judged.
    """
    try:
        return replace(cell, parameters={**cell.parameters, **measure_own_start(statement, cell)})
    except (Misuse, Refusal):
        return cell


def require_own_start(statement: Statement, cell: Cell) -> list[Requirement]:
    """No number is below what is measured; none fits where that is a mistake of the author's function."""
    given = {n: float(cell.parameters[n]) for n in own_measures(statement) if n in cell.parameters}
    try:
        seen = measure_own_start(statement, cell)
    except Refusal as error:
        return [Requirement(name, value, at_least=inf, because=str(error)) for name, value in given.items()]
    ends = {name: value - abs(value) * (ABOVE - 1) for name, value in seen.items()}
    return [Requirement(name, given[name], at_least=end) for name, end in ends.items()]
