"""One cell on each problem where usual bounds are reached: `verify.matching.cells.sharp_problems`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Final

from bounds.language.dimension import F, X
from bounds.language.statement import Statement
from synthetic.run import runnable
from verify.cell import Cell
from verify.matching.cells.grounds import Ground, ground_of_any_size, ground_on, started
from verify.matching.cells.one_cell import (
    BEYOND,
    build_cell,
    is_clear_of_roundings,
    set_one_round,
    shorten,
    size_of_bound,
)
from verify.matching.cells.own_settings import draw_few, find_own_settings, find_smallest_counts, move_setting
from verify.matching.cells.parameters import INSIDE, usual_values
from verify.matching.cells.sharp_problems import SHARP, Change
from verify.matching.cells.standard_problems import leave_one_client
from verify.parameters.solved import with_limits
from verify.parameters.valid import domain_of

TIMES: Final = 4.0  # as many, or as much nearer to the end of a domain


def sharp_cells(statement: Statement, known: Sequence[Cell]) -> Iterator[Cell]:
    """One cell on each sharp problem; no run that is known already."""
    for sharp in SHARP:
        one = leave_one_client(sharp.arguments)
        ground = ground_of_any_size(statement, sharp.candidate) or ground_on(statement, sharp.candidate, one)
        if ground is None:
            continue
        usual, once = usual_values(statement, ground.problem, sharp.longer), set_one_round(statement)
        rounds = {name: usual[name] for name in once} if sharp.longer > 1 else once if sharp.once else {}
        change = rounds | CHANGES[sharp.change](statement) | _draw_clients(statement, ground, sharp.change)
        place = started(ground, sharp.away)
        cell = build_cell(statement, sharp.title, place, change, share=sharp.share, of_domain=INSIDE)
        if cell is None or any(replace(other, role=cell.role) == cell for other in known):
            continue
        if not _vanishes(statement, cell, place, change):
            yield shorten(statement, cell) if runnable(cell.algorithm).outside else cell


def _vanishes(statement: Statement, cell: Cell, ground: Ground, change: Mapping[str, float]) -> bool:
    """Whether its bound is next to nothing beside that of shorter steps, and decides nothing in float64.

    A step of 1/L on one curvature ends at the minimizer, within the first round.
    """
    rounds = {name: float(cell.parameters[name]) for name in set_one_round(statement)}
    inner = build_cell(statement, cell.role, ground, {**change, **rounds}, of_domain=INSIDE)
    if inner is None:
        return False
    hidden = runnable(cell.algorithm).outside and not is_clear_of_roundings(statement, cell)
    beside = size_of_bound(statement, inner)
    return size_of_bound(statement, cell) < BEYOND * beside or (
        hidden and is_clear_of_roundings(statement, inner)
    )


def _draw_clients(statement: Statement, ground: Ground, change: Change) -> dict[str, float]:
    """One in a round makes the most noise; half of them show a wrong power of their number."""
    one = draw_few(statement, ground) or {}
    return (
        {name: value * (ground.problem.clients // 2) for name, value in one.items()}
        if change is Change.MANY
        else one
    )


def _least(statement: Statement) -> dict[str, float]:
    """Counts of the author's own at their smallest, which leaves the most noise; momentum nearer to 1."""
    given = _given(statement)
    domains = {name: domain_of(statement, name) for name in sorted(given)}
    open_ended = [n for n, d in domains.items() if isfinite(d.upper) and not d.upper_included]
    moved = {n: move_setting(statement, n, given[n], TIMES) for n in open_ended}
    return find_smallest_counts(statement) | moved


def _many(statement: Statement) -> dict[str, float]:
    """Counts that nothing limits are larger than in the example, so that a wrong power of them shows."""
    least, given = find_smallest_counts(statement), _given(statement)
    free = _unlimited(statement, least)
    return {n: TIMES * given.get(n, v) if n in free else v for n, v in least.items()}


def _small(statement: Statement) -> dict[str, float]:
    """Unlimited numbers of the unit of a slope are small, such as a threshold below slopes that are cut."""
    quantities = statement.notation.quantities
    slopes = {n: v for n, v in _given(statement).items() if quantities[n].dimension == F / X}
    return find_smallest_counts(statement) | {n: slopes[n] / TIMES**2 for n in _unlimited(statement, slopes)}


def _nothing(statement: Statement) -> dict[str, float]:
    """Counts as in the example, such as local steps, whose least number leaves no drift."""
    return {}


def _given(statement: Statement) -> dict[str, float]:
    example = statement.example
    return {n: float(example[n]) for n in find_own_settings(statement) if n in example}


def _unlimited(statement: Statement, names: Iterable[str]) -> list[str]:
    """In the conditions, where they are as their author writes them."""
    chosen = sorted(names)
    solved = [condition.constructive for condition in with_limits(statement, chosen).conditions]
    limited = {s.symbol.name for s in solved if s is not None}
    return [name for name in chosen if name not in limited]


CHANGES: Final = {Change.LEAST: _least, Change.MANY: _many, Change.SMALL: _small, Change.NONE: _nothing}
