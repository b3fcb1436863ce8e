"""How many clients and coordinates a statement asks for: an even number, 8 or more, a power of two.

Assumptions are asked of the facts of a problem with another number in them, and conditions on these numbers
alone are computed, so that no problem is built for numbers that do not fit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from sympy import Rational, false

from bounds.evaluation.resolve import resolve
from bounds.language.statement import Statement
from synthetic.problem import Problem
from verify.matching.assumptions import judge
from verify.matching.cells.standard_problems import LISTS, Candidate
from verify.matching.constants.constants import offer_sizes
from verify.matching.constants.known import known

NUMBERS: Final = (6, 4, 8, 2, 3, 7, 9, 10, 12, 16, 20, 32, 64)  # the first that fits; 5 and 4 are usual

Sizes = tuple[int, int]  # clients, dimension


def why_of_another_size(statement: Statement, sizes: Sizes) -> str | None:
    """A condition on these numbers alone that they do not meet."""
    numbers = offer_sizes(statement.notation, clients=sizes[0], dimension=sizes[1])
    for condition, sides in zip(statement.conditions, resolve(statement).conditions, strict=True):
        symbols = {symbol for side in sides for symbol in side.free_symbols}
        named = {symbol.name for symbol in symbols}
        if not named or named - numbers.keys():
            continue
        exact = {symbol: Rational(numbers[symbol.name]) for symbol in symbols}
        value, limit = (side.subs(exact) for side in sides)
        strict, difference = condition.relation.strict, limit - value
        difference = difference if condition.relation.upper else -difference
        if (difference > 0 if strict else difference >= 0) == false:
            given = ", ".join(f"{name} = {numbers[name]:g}" for name in sorted(named))
            relation = f"{condition.value} {condition.relation.value} {condition.limit}"
            return f"the condition {relation} ({condition.id}) does not hold with {given}"
    return None


def resized(statement: Statement, candidate: Candidate, problem: Problem) -> Candidate | None:
    """The candidate with the first numbers that fit; None where its own do, or none does."""
    usual = (problem.clients, problem.dimension)
    if _fits(statement, problem, usual):
        return None
    for sizes in _others(usual):
        found = _with_sizes(candidate, usual, sizes)
        if found is not None and _fits(statement, problem, sizes):
            return found
    return None


def _fits(statement: Statement, problem: Problem, sizes: Sizes) -> bool:
    """Whether everything that depends on these numbers is met; what does not depend on them may fail."""
    if why_of_another_size(statement, sizes) is not None:
        return False
    own = [assumption for assumption in statement.assumptions if assumption.certified_by is not None]
    if not own:
        return True
    about = known(problem, {})
    moved = replace(about, facts=replace(about.facts, clients=sizes[0], dimension=sizes[1]))
    numbers = offer_sizes(statement.notation, clients=sizes[0], dimension=sizes[1])
    return all(judge(assumption, moved, numbers) is None for assumption in own)


def _others(usual: Sizes) -> Iterator[Sizes]:
    """Another number of clients, else of coordinates, else both alike."""
    clients, dimension = usual
    yield from ((number, dimension) for number in NUMBERS if number != clients)
    yield from ((clients, number) for number in (*NUMBERS, 1) if number != dimension)
    yield from ((number, number) for number in NUMBERS if number not in usual)


def _with_sizes(candidate: Candidate, usual: Sizes, sizes: Sizes) -> Candidate | None:
    apart = _resize(candidate.apart, usual, sizes)
    alike = None if candidate.alike is None else _resize(candidate.alike, usual, sizes)
    listed = candidate.title and "clients" not in candidate.apart  # the title may say how many are listed
    title = f"{candidate.title}, repeated" if listed else candidate.title
    return None if apart is None else replace(candidate, apart=apart, alike=alike, title=title)


def _resize(arguments: Mapping[str, Any], usual: Sizes, sizes: Sizes) -> dict[str, Any] | None:
    """Drawn anew; clients that are listed are repeated as a whole, which leaves their mean as it is."""
    if {"clients", "dimension"} <= arguments.keys():
        return {**arguments, "clients": sizes[0], "dimension": sizes[1]}
    listed = {name: arguments[name] for name in LISTS if name in arguments}
    times, rest = divmod(sizes[0], usual[0])
    if not listed or rest or sizes[1] != usual[1]:
        return None
    return {**arguments, **{name: tuple(entries) * times for name, entries in listed.items()}}
