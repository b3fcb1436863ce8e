"""Problems that are certified to have what a statement asks, where runs on them start, and what they lack."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np

from bounds.errors import nearest
from bounds.evaluation.resolve import resolve
from bounds.language.part import Of
from bounds.language.statement import Statement
from synthetic.errors import Refusal
from synthetic.problem import Problem
from verify.matching.assumptions import unmet
from verify.matching.cells.sizes import resized, why_of_another_size
from verify.matching.cells.standard_problems import ALONE, CANDIDATES, Candidate, built, candidates
from verify.matching.constants.constants import parts_of
from verify.matching.constants.known import constants_of
from verify.matching.constants.offered import offer_constants
from verify.matching.run_settings import AS_NUMBERS, OBJECTS, missing_setting, settings_that_are_quantities

AWAY: Final = 2.0  # of the start from the minimizer, in every coordinate


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A problem that meets the assumptions, and where the runs on it start."""

    candidate: Candidate
    arguments: Mapping[str, Any]
    problem: Problem
    start: tuple[float, ...]


def ground_on(
    statement: Statement, candidate: Candidate, arguments: Mapping[str, Any] | None
) -> Ground | None:
    problem = None if arguments is None else built(candidate.name, arguments)
    if problem is None or arguments is None or unfit(statement, problem) is not None:
        return None
    return Ground(candidate=candidate, arguments=arguments, problem=problem, start=_start(problem))


def ground_of_any_size(statement: Statement, candidate: Candidate, alike: bool = False) -> Ground | None:
    """On the candidate, or on it with as many clients or coordinates as the statement asks for."""
    arguments = candidate.alike if alike else candidate.apart
    ground = ground_on(statement, candidate, arguments)
    problem = None if ground or arguments is None else built(candidate.name, arguments)
    fitting = None if problem is None else resized(statement, candidate, problem)
    return ground or (fitting and ground_on(statement, fitting, fitting.alike if alike else fitting.apart))


def unfit(statement: Statement, problem: Problem) -> str | None:
    """An assumption, a constant, or a number of clients, that the problem is not certified to have."""
    reason = unmet(statement, problem, {})
    reason = reason or why_of_another_size(statement, (problem.clients, problem.dimension))
    if reason is not None:
        return reason
    known = offer_constants(statement, problem)
    needed = inputs_taken(statement) & parts_of(statement.notation, Of.CONSTANT).keys()
    for name in sorted(needed):
        if name not in known or known[name].value is None:
            part = parts_of(statement.notation, Of.CONSTANT)[name].name
            return f"{name}: {known[name].reason if name in known else f'the problem does not know {part}'}"
    return None


def _start(problem: Problem, away: float | tuple[float, ...] = AWAY) -> tuple[float, ...]:
    """Away from the minimizer, in each coordinate or so far in all; from the origin where there is none."""
    try:
        middle = np.asarray(problem.minimiser(), dtype=np.float64)
    except Refusal:
        middle = np.zeros(problem.dimension)
    return tuple((middle + np.asarray(away)).tolist())


def started(ground: Ground, away: float | tuple[float, ...]) -> Ground:
    """Near the minimizer only what pays for noise and for the clients' differences is left of a bound."""
    return replace(ground, start=_start(ground.problem, away))


def inputs_taken(statement: Statement) -> set[str]:
    resolved = resolve(statement)
    return set(resolved.required | resolved.optional) & statement.notation.quantities.keys()


def first_taken(statement: Statement, settings: Iterable[str]) -> str | None:
    """The quantity that is the first of these settings, if the statement takes it."""
    quantities = settings_that_are_quantities(statement)
    named = next((quantities[setting] for setting in settings if setting in quantities), None)
    return named if named in inputs_taken(statement) else None


def why_no_cell(statement: Statement) -> str:
    """What keeps a run from every problem, or what keeps it from the one that meets most of what is asked."""
    tried = [(c, built(c.name, c.apart)) for c in (*candidates(statement), *ALONE)]
    problems = [(candidate, problem) for candidate, problem in tried if problem is not None]
    if not problems:
        return "no problem was tried"
    missing = missing_setting(statement)
    if missing is not None:
        return f"{statement.algorithm} needs the setting {missing}, {_how_to_give(statement, missing)}"
    fit = next((candidate for candidate, p in problems if unfit(statement, p) is None), None)
    if fit is not None:
        return f"{fit.name}: no parameters that meet its conditions were found"
    unknown = _unknown_constant(statement, [problem for _, problem in problems])
    if unknown is not None:
        return unknown
    # an author's own problem is the one that the theorem is meant for
    candidate, problem = max(
        problems,
        key=lambda pair: (pair[0] not in (*CANDIDATES, *ALONE), _assumptions_met(statement, pair[1])),
    )
    return f"{candidate.name}: {unfit(statement, problem)}"


def _unknown_constant(statement: Statement, problems: Iterable[Problem]) -> str | None:
    """The sentence on a constant that none of the problems has under any name, such as a misspelled one."""
    known = {"clients", "dimension"}.union(*(constants_of(problem) for problem in problems))
    for name, part in parts_of(statement.notation, Of.CONSTANT).items():
        if name in inputs_taken(statement) and not known & {part.name, part.or_else}:
            instead = nearest(part.name, known)
            return f"no problem has the constant {part.name}, which {name} is declared to be: {instead}"
    return None


def _how_to_give(statement: Statement, missing: str) -> str:
    """What to write for a setting: a quantity that no formula of the statement takes needs a value too."""
    declared = parts_of(statement.notation, Of.SETTING)
    names = {missing, *(name for name, plain in AS_NUMBERS.items() if plain == missing)}
    idle = next((name for name, part in declared.items() if names & {part.name, part.or_else}), None)
    if idle is not None:
        return f"but the statement has no {idle} in its formulas: give {idle} in `example`; several are tried"
    return (
        f'which nothing gives: declare a quantity with part=setting("{_as_a_number(missing)}"), '
        f'or write run_with={{"{missing}": ...}}'
    )


def _as_a_number(setting: str) -> str:
    """The name under which one number makes the setting: oracle.gaussian of an oracle."""
    return next((name for name in OBJECTS if name.startswith(f"{setting}.")), setting)


def _assumptions_met(statement: Statement, problem: Problem) -> int:
    return sum(
        unmet(replace(statement, assumptions=(assumption,)), problem, {}) is None
        for assumption in statement.assumptions
    )
