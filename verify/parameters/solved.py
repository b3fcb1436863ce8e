"""Conditions as their authors write them, as limits on inputs: eta L <= 1 limits eta, n >= 2 limits no input.

What can be read off is solved: an input that enters linearly, or as a power, with a factor of known sign. A
condition that is no such limit is left out here: a caller checks every condition afterwards.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter

from sympy import Expr, Symbol

from bounds.evaluation.resolve import substitution, unfold
from bounds.language.condition import Condition, Relation, Solved
from bounds.language.statement import Statement

Before = dict[str, set[str]]  # of each input, what a limit on it needs


def with_limits(statement: Statement, names: Collection[str]) -> Statement:
    """The statement with those of its conditions that limit one of these inputs, each solved for it."""
    return _solve_for_inputs(statement, frozenset(names))


@lru_cache(maxsize=1024)  # every standard cell asks for the same inputs
def _solve_for_inputs(statement: Statement, names: frozenset[str]) -> Statement:
    known = substitution(statement)
    before: Before = {name: set() for name in names}
    conditions = []
    for condition in statement.conditions:
        ends = [other.constructive for other in statement.conditions if other is not condition]
        # a range that two conditions end may be empty; one that its domain ends is not, so it comes first
        for solved in sorted(_solutions(condition, names), key=lambda one: _is_opposed(one, condition, ends)):
            needed = {symbol.name for symbol in unfold(solved.limit, known).free_symbols} & names
            if _can_be_drawn_in_order(before, solved.symbol.name, needed):
                before[solved.symbol.name] |= needed
                conditions.append(replace(condition, solved=solved))
                break
    return replace(statement, conditions=tuple(conditions))


def _solutions(condition: Condition, names: Collection[str]) -> Iterator[Solved]:
    """As the author has solved it, then for every input for which it can be."""
    own = condition.constructive
    if own is not None and own.symbol.name in names:
        yield own
    difference = condition.value - condition.limit
    for symbol in sorted(difference.free_symbols, key=str):
        if symbol.name in names and (own is None or symbol != own.symbol):
            yield from _solved_for(symbol, difference, condition.relation)


def _solved_for(symbol: Symbol, difference: Expr, relation: Relation) -> Iterator[Solved]:
    """`difference` is to be on that side of zero: factor * symbol^power + rest."""
    rest, moving = difference.as_independent(symbol, as_Add=True)
    factor, power = moving.diff(symbol), 1
    if factor.has(symbol):
        factor, part = moving.as_independent(symbol, as_Add=False)
        base, power = part.as_base_exp()
        if base != symbol or not power.is_number:
            return
    if not (factor.is_positive or factor.is_negative):
        return
    limit = -rest / factor
    if power != 1:
        if not (symbol.is_nonnegative and limit.is_nonnegative):
            return
        limit = limit ** (1 / power)
    turned = bool(factor.is_negative) != (power < 0)
    yield Solved(symbol, relation.turned if turned else relation, limit)


def _is_opposed(solved: Solved, condition: Condition, ends: Collection[Solved | None]) -> bool:
    """Whether another condition limits the input from the other side; an author's own choice stays first."""
    return solved != condition.constructive and any(
        end is not None and end.symbol == solved.symbol and end.relation.upper != solved.relation.upper
        for end in ends
    )


def _can_be_drawn_in_order(before: Before, name: str, needed: set[str]) -> bool:
    """Whether inputs can still be drawn one after the other."""
    graph = before | {name: before[name] | needed}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return False
    return True
