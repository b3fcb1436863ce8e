"""Settings that only the author knows, and where in their domains cells take them."""

from math import isfinite

from bounds.language.statement import Statement
from synthetic.run import runnable
from verify.matching.cells.grounds import Ground, first_taken, inputs_taken
from verify.matching.cells.parameters import USUAL
from verify.matching.run_settings import (
    COINS,
    COUNTS_OF_CLIENTS,
    NOISES,
    settings_that_are_quantities,
)
from verify.parameters.valid import domain_of


def draw_few(statement: Statement, ground: Ground) -> dict[str, float] | None:
    """One client in a round, or one on average where each is drawn by itself."""
    count, coin = (first_taken(statement, s) for s in (COUNTS_OF_CLIENTS, COINS))
    if count is not None:
        return {count: 1.0}
    return None if coin is None else {coin: 1 / ground.problem.clients}


def find_own_settings(statement: Statement) -> dict[str, str]:
    """Quantity to setting, of those that have no usual value here: what only the author knows."""
    usual = {*USUAL, *COUNTS_OF_CLIENTS, *NOISES}
    # a rate that forgets the coin of the clients shows only where it hardly ever falls on their side
    usual |= set() if runnable(str(statement.algorithm)).outside else set(COINS)
    named = settings_that_are_quantities(statement)
    return {q: s for s, q in named.items() if s not in usual and q in inputs_taken(statement)}


def find_smallest_counts(statement: Statement) -> dict[str, float]:
    domains = {name: domain_of(statement, name) for name in sorted(find_own_settings(statement))}
    return {n: max(d.lower, 1.0) for n, d in domains.items() if d.integer and isfinite(d.lower)}


def move_setting(statement: Statement, name: str, value: float, times: float) -> float:
    """So many times as large; as much nearer to an end of the domain that it may not reach, as momentum."""
    domain = domain_of(statement, name)
    if times * value < domain.upper or domain.upper_included:
        return times * value
    return domain.upper - (domain.upper - value) / times
