"""Cells of statements on a problem that a user names: the constants enclosed, the rest chosen by the bound.

`standard_cells` are on problems of the engine's own. Here the same statement is run on somebody's data: with
the setting at which its bound is smallest, and with twice the noise. Where it has noise and nobody says how
much, that of its own example is taken.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bounds.language.statement import Statement
from synthetic.problem import Problem
from verify.cell import Cell
from verify.matching.cells.parameters import INSIDE, parameters_of
from verify.matching.joined import get_runs
from verify.matching.privacy import Target, role
from verify.planning.as_statement import find_rounds
from verify.planning.choose import Unattained
from verify.planning.chosen import choose_numbers, guess_own_start, measure_start
from verify.planning.numbers import noise_quantity, numbers
from verify.planning.of_records import protects_records
from verify.planning.simulated import cell_of, settings_of
from verify.planning.task import NotPlanned, Task, name_failures
from verify.privacy.mechanism import Full

ROUNDS: Final = 20
WIDTH: Final = 1e-6  # of an enclosure, at most
ROUNDING: Final = 1e-12
STEP: Final = 1e-8  # relative; to the next number of nine digits, or a few beyond it
FEW: Final = 0.1  # noise where a statement has no example of it


def own_cells(
    statement: Statement,
    name: str,
    arguments: Mapping[str, Any],
    problem: Problem,
    given: Mapping[str, float] | None = None,
    *,
    rounds: int = ROUNDS,
    target: Target | None = None,
) -> tuple[Cell, ...]:
    """At the smallest bound, and with more noise; NotPlanned says which condition or constant is missing.

    Where the noise is given, or follows from a privacy target, there is one cell. A number of rounds that is
    given comes before `rounds`.
    """
    own = dict(given or {})
    task = Task(
        problem=name,
        arguments=arguments,
        start=(0.0,) * problem.dimension,
        rounds=find_rounds(statement, own) or rounds,
        sampling=Full(),
        target=target,
    )
    if target is not None:
        return (_cell_at_target(statement, task, own, target),)
    noise = noise_quantity(statement)
    if noise is None or noise in own:
        return (_cell(statement, task, own, "own data"),)
    usual = float(statement.example.get(noise, FEW))
    more = _more(statement, noise, usual)
    noises = {"own data": usual, "own data, more noise": more}
    return tuple(_cell(statement, task, {**own, noise: value}, name) for name, value in noises.items())


def _cell_at_target(statement: Statement, task: Task, given: Mapping[str, float], target: Target) -> Cell:
    """Its privacy is counted from what the run releases; that of records is the listing's, not the run's."""
    if not protects_records(statement):
        return _cell(statement, task, given, f"own data, {role(target)}")
    named = f"own data, noise for epsilon {target.epsilon:g} at delta {target.delta:g} of a record"
    cell = _cell(statement, task, given, named)
    return replace(cell, engine={name: v for name, v in cell.engine.items() if name != "privacy"})


def _more(statement: Statement, noise: str, usual: float) -> float:
    upper = statement.notation.quantities[noise].domain.upper
    return min(4 * usual, (usual + upper) / 2)


def _cell(statement: Statement, task: Task, given: Mapping[str, float], named: str) -> Cell:
    known, values = _setting(statement, task, given)
    parameters = _on_the_safe_side(statement, task, _shorten(statement, known, values))
    failing = name_failures(statement.evaluate(**parameters))
    if failing:
        raise NotPlanned(f"{statement.id}: {failing} fails on {task.problem}")
    settings_of(statement, task, parameters)
    return replace(cell_of(statement, task, parameters), role=named)


def _setting(
    statement: Statement, task: Task, given: Mapping[str, float]
) -> tuple[dict[str, float], Mapping[str, float]]:
    """The smallest bound; where it has no smallest value, half of what the conditions leave."""
    try:
        known, chosen = choose_numbers(statement, task, given)
        return known, chosen.values
    except Unattained:
        known = numbers(statement, task, {**guess_own_start(statement, task, given), **given})
        found = parameters_of(statement, known, {}, INSIDE, None)
        if found is None:
            raise
        values = {name: float(value) for name, value in found.items() if name not in known}
        return {**known, **measure_start(statement, task, {**known, **values})}, values


def _shorten(
    statement: Statement, known: Mapping[str, float], chosen: Mapping[str, float]
) -> dict[str, float]:
    """Nine digits of what is chosen, where they meet the conditions: the last ones differ between processors.

    The digest of the cell, and with it the random numbers of its run, would differ with them.
    """
    out = {**known, **chosen}
    for name, value in chosen.items():
        for near in (value, value * (1 + STEP), value * (1 - STEP)):
            short = {**out, name: float(f"{near:.9g}")}
            if statement.evaluate(**short).applicable is True:
                out = short
                break
    return out


def _on_the_safe_side(statement: Statement, task: Task, parameters: Mapping[str, float]) -> dict[str, float]:
    """Constants that are enclosed in another way by the runs of the paper, moved by less than their width."""
    out = dict(parameters)
    for r in get_runs(statement).requirements(statement, cell_of(statement, task, parameters)):
        least, value = r.at_least, float(r.value)
        if least is not None and value < float(least) <= value * (1 + WIDTH):
            out[r.parameter] = float(least) * (1 + ROUNDING)
    return out
