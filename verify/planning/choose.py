"""The smallest bound over the parameters that a statement leaves free, and how sure that is.

Where the left side multiplies what it measures by a function of the choice, it is the smallest quotient.
Conditions that spoil convexity are left out first: if what remains is a geometric program whose minimum meets
them too, it is the minimum with them. A single whole number of a geometric program is settled with the rest;
other whole numbers are tried value by value over `COUNTS`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from math import ceil, floor, log10
from typing import Final, final

from sympy import Add, Integer

from bounds.arithmetic.program import compile_expressions
from bounds.errors import OutOfDomain
from bounds.language.statement import Statement
from bounds.solve.convexity import is_convex
from bounds.solve.integers import FEWER, find_fewest
from bounds.solve.minimum import minimise
from bounds.solve.problem import Best, Problem, make
from bounds.solve.quotient import Quotient, divide
from verify.planning.task import NotPlanned
from verify.progress import Progress, silent

COUNTS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 64, 100)
TIDY: Final = 1e-3  # share of the bound that may be given for a parameter that is not at an end of its range
EXTREME: Final = 1e-8  # below it, or above its inverse, the search may have run to an end of its range
FAR: Final = 1e-3  # a factor further on, at which a bound that goes on falling is seen to fall


class Unattained(NotPlanned):
    """A bound without a smallest value: it limits a side effect, and is nothing to choose by."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """`values` of the free parameters; `certified`: no other choice is better; `how` says why.

    `value` is what is smallest: the right side, or with a `quotient` the right side over its coefficient.
    """

    values: Mapping[str, float]
    value: float
    certified: bool
    how: str
    tried: int
    quotient: Quotient | None = None

    def weighed(self, statement: Statement) -> Statement:
        """The form whose right side `value` is."""
        return statement if self.quotient is None else self.quotient.statement


def choose(
    statement: Statement,
    known: Mapping[str, float],
    free: Sequence[str],
    progress: Progress = silent,
    *,
    tidy: bool = True,
) -> Choice:
    """The smallest bound; `tidy` moves what ran to an end of its range back, or refuses what goes on."""
    if not free:
        value = float(statement.evaluate(**known).value)
        return Choice(values={}, value=value, certified=True, how="nothing is free", tried=1)
    quotient = divide(statement, frozenset(known), tuple(free))
    if quotient is None:
        return _smallest(statement, known, free, progress, tidy=tidy)
    found = replace(_smallest(quotient.statement, known, free, progress, tidy=tidy), quotient=quotient)
    if found.certified:
        return found
    plain = _smallest(statement, known, free, progress, tidy=tidy)
    value = float(quotient.statement.evaluate(**{**known, **plain.values}).value)
    return replace(found, values=plain.values, value=value) if value < found.value else found


def _smallest(
    statement: Statement, known: Mapping[str, float], free: Sequence[str], progress: Progress, *, tidy: bool
) -> Choice:
    problem = make(statement, known, tuple(free))
    integers = [name for name in free if problem.domain(name).integer]
    at_once = len(integers) <= 1 and problem.convex(tuple(free))
    found = (
        _at_once(statement, known, free, problem)
        if at_once
        else _one_by_one(statement, known, free, integers, progress)
    )
    return _tidied(statement, known, found) if tidy else found


def _at_once(
    statement: Statement, known: Mapping[str, float], free: Sequence[str], problem: Problem
) -> Choice:
    """A geometric program; what is left after minimising over the rest is convex in the whole number too.

    So the best whole number is one of the two beside the best real one.
    """
    best = minimise(problem, convex=True)
    integers = [name for name in free if problem.domain(name).integer]
    if best is not None and integers:
        best = _beside(statement, known, free, integers[0], best)
    if best is None:
        raise _nothing(statement, free)
    return Choice(values=best.at, value=best.value, certified=True, how="a geometric program", tried=1)


def _beside(
    statement: Statement, known: Mapping[str, float], free: Sequence[str], integer: str, best: Best
) -> Best | None:
    """The better neighbor of the real optimum, then the smallest count that is as good.

    Convex in the count, the bound falls until it is that good.
    """

    @cache
    def solve_at(count: int) -> Best | None:
        inner, _ = _reals(
            statement, {**known, integer: float(count)}, [n for n in free if n != integer], None
        )
        return inner and Best(inner.value, {integer: float(count), **inner.at})

    found = min(
        filter(None, map(solve_at, {1, floor(best.at[integer]), ceil(best.at[integer])})),
        key=_value,
        default=None,
    )
    if found is None:
        return None
    limit = found.value * (1 + FEWER)

    def is_as_good(count: int) -> bool:
        inner = solve_at(count)
        return inner is not None and inner.value <= limit

    return solve_at(find_fewest(is_as_good, 1, int(found.at[integer])))


def _value(best: Best) -> float:
    return best.value


def _nothing(statement: Statement, free: Sequence[str]) -> NotPlanned:
    return NotPlanned(f"{statement.id}: no choice of {', '.join(free)} was found that meets all conditions")


def _one_by_one(
    statement: Statement,
    known: Mapping[str, float],
    free: Sequence[str],
    integers: Sequence[str],
    progress: Progress,
) -> Choice:
    """Every combination of whole numbers; the best, or a smaller one that is as good."""
    combinations = list(product(COUNTS, repeat=len(integers)))
    best: Best | None = None
    sure, tried = True, 0
    worse = 0
    for done, counts in enumerate(combinations):
        progress(done, len(combinations), "choosing")
        fixed = dict(zip(integers, map(float, counts), strict=True))
        found, certain = _reals(statement, {**known, **fixed}, [n for n in free if n not in integers], best)
        tried += 1
        sure = sure and certain
        if found is not None and (best is None or found.value < best.value * (1 - FEWER)):
            best, worse = Best(found.value, {**fixed, **found.at}), 0
        elif len(integers) == 1:
            worse += 1
            if worse == 3 and best is not None:  # the bound grows with the count by now
                break
    progress(len(combinations), len(combinations), "choosing")
    if best is None:
        raise _nothing(statement, free)
    over = f", for each of the {tried} values of {', '.join(integers)} that were tried" if integers else ""
    how = f"a geometric program{over}" if sure else f"the best of many starts{over}, not proved"
    return Choice(values=best.at, value=best.value, certified=sure and not integers, how=how, tried=tried)


def _reals(
    statement: Statement, known: Mapping[str, float], names: Sequence[str], near: Best | None
) -> tuple[Best | None, bool]:
    if not names:
        evaluation = statement.evaluate(**known)
        return (Best(float(evaluation.value), {}) if evaluation.applicable is True else None), True
    problem = make(statement, known, tuple(names))
    if problem.convex(tuple(names)):
        return minimise(problem, convex=True), True
    relaxed = _relaxed(problem, names)
    if relaxed is not None:
        found = minimise(relaxed, convex=True)
        if found is not None and bool(problem.applicable(found.at)):
            return found, True
    at = None if near is None else {name: near.at[name] for name in names if name in near.at}
    complete = at is not None and len(at) == len(names)
    return minimise(problem, convex=False, near=at if complete else None), False


def _relaxed(problem: Problem, names: Sequence[str]) -> Problem | None:
    """Without the conditions that are not convex in the logarithms; None where the bound itself is not."""
    if any(problem.domain(name).lower < 0 for name in names):
        return None
    objective = Add(*problem.resolved.terms)
    pairs = list(zip(problem.statement.conditions, problem.resolved.conditions, strict=True))
    of_names = set(names), problem.fixed
    convex_pairs = [
        (c, sides)
        for c, sides in pairs
        if is_convex(Integer(1), [(sides[0], c.relation, sides[1])], *of_names)
    ]
    kept = [(sides[0], c.relation, sides[1]) for c, sides in convex_pairs]
    if not is_convex(objective, kept, *of_names):
        return None
    sides = [side for _, pair in convex_pairs for side in pair]
    return replace(
        problem,
        statement=replace(problem.statement, conditions=tuple(c for c, _ in convex_pairs)),
        resolved=replace(problem.resolved, conditions=tuple(pair for _, pair in convex_pairs)),
        program=compile_expressions([objective, *sides]),
    )


def _tidied(statement: Statement, known: Mapping[str, float], found: Choice) -> Choice:
    """Parameters moved back from the ends of their range, as far as the bound hardly changes.

    Each may cost an equal share. The others are chosen anew, since a condition may tie them to the one that
    moves, but for those that have moved.
    """
    best = Best(found.value, found.values)
    moved: list[str] = []
    extreme = [name for name, value in best.at.items() if _is_extreme(value)]
    for spent, name in enumerate(extreme, 1):
        limit = found.value + TIDY * abs(found.value) * spent / len(extreme)
        inwards = _move_inwards(statement, known, best, name, moved, limit)
        _refuse_unattained(statement, known, inwards, name)
        moved += [name] if inwards is not best else []
        best = inwards
    if not moved:
        return found
    cost = f"up to the {TIDY:.1%} of the bound that moving {', '.join(moved)} inwards costs"
    return replace(found, values=best.at, value=best.value, how=f"{found.how}, {cost}")


def _is_extreme(value: float) -> bool:
    return 0 < value < EXTREME or value > 1 / EXTREME


def _move_inwards(
    statement: Statement,
    known: Mapping[str, float],
    best: Best,
    name: str,
    settled: Sequence[str],
    limit: float,
) -> Best:
    """The power of ten nearest to 1 at which the bound stays within the limit; as it was where none does."""
    quantities = statement.notation.quantities
    kept = {n: v for n, v in best.at.items() if n in settled or quantities[n].domain.integer}
    reals = [n for n in best.at if n != name and n not in kept]

    @cache
    def solve_at(power: int) -> Best | None:
        fixed = {**kept, name: 10.0**power}
        try:
            inner, _ = _reals(statement, {**known, **fixed}, reals, best)
        except OutOfDomain:  # as 1 is, of a number that has to be below it
            return None
        found = {**fixed, **inner.at} if inner is not None and inner.value <= limit else {}
        return Best(inner.value, {n: found[n] for n in best.at}) if inner is not None and found else None

    extreme, near = round(log10(best.at[name])), 0
    if solve_at(near) is not None:
        return solve_at(near) or best
    while abs(extreme - near) > 1:
        middle = (extreme + near) // 2
        extreme, near = (middle, near) if solve_at(middle) is not None else (extreme, middle)
    return solve_at(extreme) or best


def _refuse_unattained(statement: Statement, known: Mapping[str, float], best: Best, name: str) -> None:
    """A bound that goes on falling there has no smallest value, and where the search ends is no choice."""
    falls = best.at[name] < 1
    beyond = {**known, **best.at, name: best.at[name] * (FAR if falls else 1 / FAR)}
    further = statement.evaluate(**beyond) if _is_extreme(best.at[name]) else None
    if further is None or further.applicable is not True:
        return
    if float(further.value) < best.value - TIDY * abs(best.value):
        way, side = ("falls", "largest") if falls else ("grows", "smallest")
        raise Unattained(
            f"{statement.id} chooses no {name}: its bound falls for as long as {name} {way}, "
            "so that it has no smallest value",
            f"give it by --set, or find the {side} that keeps the bound at a target by `solve --for {name}`",
        )
