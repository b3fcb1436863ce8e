"""One cell on each problem where usual bounds are reached: `verify.matching.sharp_problems`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isfinite
from typing import Final

from bounds.language.statement import Statement
from synthetic.run import runnable
from verify.cell import Cell
from verify.matching.cell_parameters import INSIDE, usual_values
from verify.matching.grounds import ground_on, started
from verify.matching.largest_allowed import EDGE
from verify.matching.one_cell import build_cell, set_one_round, shorten
from verify.matching.own_settings import draw_few, find_own_settings, find_smallest_counts, move_setting
from verify.matching.sharp_problems import SHARP
from verify.parameters.solved import with_limits
from verify.parameters.valid import domain_of

MANY: Final = 4.0  # times a count of the author's own that nothing limits


def sharp_cells(statement: Statement, known: Sequence[Cell]) -> Iterator[Cell]:
    """One cell on each sharp problem; no run that is known already."""
    for sharp in SHARP:
        ground = ground_on(statement, sharp.candidate, sharp.arguments)
        if ground is None:
            continue
        usual = usual_values(statement, ground.problem, sharp.longer)
        rounds = {name: usual[name] for name in set_one_round(statement)} if sharp.longer > 1 else {}
        change = rounds | _at_ends(statement, many=sharp.share != EDGE) | (draw_few(statement, ground) or {})
        place = started(ground, sharp.away)
        cell = build_cell(statement, sharp.title, place, change, share=sharp.share, of_domain=INSIDE)
        if cell is not None and not any(replace(other, role=cell.role) == cell for other in known):
            yield shorten(statement, cell) if runnable(cell.algorithm).outside else cell


def _at_ends(statement: Statement, many: bool) -> dict[str, float]:
    """Counts of the author's own at their smallest, which leaves the most noise; momentum nearer to 1.

    many: what nothing limits is larger than in the example instead, so that a wrong power of it shows.
    """
    example = statement.example
    least = find_smallest_counts(statement)
    given = {n: float(example[n]) for n in find_own_settings(statement) if n in example}
    if many:
        solved = [condition.constructive for condition in with_limits(statement, list(least)).conditions]
        limited = {s.symbol.name for s in solved if s is not None and s.relation.upper}
        return {n: v if n in limited else MANY * given.get(n, v) for n, v in least.items()}
    domains = {name: domain_of(statement, name) for name in sorted(given)}
    open_ended = [n for n, d in domains.items() if isfinite(d.upper) and not d.upper_included]
    return least | {n: move_setting(statement, n, given[n], MANY) for n in open_ended}
