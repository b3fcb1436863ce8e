"""Whether a case of drawn objects meets the conditions of its lemma beyond doubt.

1 + 1e-18 is 1 in float64, and a unit vector is one up to a rounding. So a condition is met for certain with
room that no rounding makes, or with equality in 50 digits.
"""

from collections.abc import Collection
from functools import lru_cache
from typing import Any, Final

import numpy as np
from mpmath import mp, mpf
from sympy import Add, Expr, expand

from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.multiprecision import evaluate_precisely
from bounds.arithmetic.program import Program, compile_expressions
from bounds.evaluation.resolve import substitution
from bounds.language.condition import Condition
from bounds.language.statement import Statement
from verify.objects.both_sides import Tried, numbers_of
from verify.objects.fifty_digits import DIGITS, NotInDigits
from verify.objects.in_digits import Case, numbers_at
from verify.objects.more_digits import SPARE

CLEAR: Final = 1e-9  # of the sum of the magnitudes on both sides
MOST_IN_DIGITS: Final = 4  # cases of one draw


def meets_for_certain(statement: Statement, tried: Tried) -> bool:
    """Whether one of the counted cases meets every condition for certain."""
    if not statement.conditions:
        return True
    counted = np.flatnonzero(tried.share > -np.inf)
    numbers = numbers_of(statement, tried.objects)
    program, counts = _list_slacks(statement)
    summands = run_arrays(program, {name: numbers[name] for name in program.inputs})
    shape = tried.share.shape
    with np.errstate(all="ignore"):  # a case that is not defined is not counted
        summands = [np.broadcast_to(s, shape) for s in summands]
        clear = [sum(own) > CLEAR * sum(map(np.abs, own)) for own in _split(summands, counts)]
    if np.any(np.logical_and.reduce(clear)[counted]):
        return True
    cases = (Case(objects=tried.objects, case=int(c), cases=shape[0]) for c in counted[:MOST_IN_DIGITS])
    return any(_meets_in_digits(statement, case) for case in cases)


def _meets_in_digits(statement: Statement, case: Case) -> bool:
    program, counts = _list_slacks(statement)
    try:
        numbers = numbers_at(statement, case, DIGITS)
        summands = evaluate_precisely(program, {name: numbers[name] for name in program.inputs}, DIGITS)
    except (NotInDigits, ArithmeticError):
        return False
    with mp.workdps(DIGITS):
        return all(
            _holds_for_certain(condition, sum(own), sum(map(abs, own)), case.objects.keys())
            for condition, own in zip(statement.conditions, _split(summands, counts), strict=True)
        )


def _holds_for_certain(condition: Condition, slack: mpf, size: mpf, drawn: Collection[str]) -> bool:
    """It has room or is an equality; what is between may be a rounding of objects, not of drawn numbers."""
    rounding = mpf(10) ** (SPARE - DIGITS) * size
    names = {symbol.name for symbol in condition.value.free_symbols | condition.limit.free_symbols}
    room = rounding if names <= set(drawn) else CLEAR * size
    return slack > room or (not condition.relation.strict and abs(slack) <= rounding)


@lru_cache(maxsize=16)
def _list_slacks(statement: Statement) -> tuple[Program, tuple[int, ...]]:
    """The summands of every slack, at least 0 where a condition holds, and how many each has."""
    slacks = [
        expand(c.limit - c.value if c.relation.upper else c.value - c.limit) for c in statement.conditions
    ]
    each: list[tuple[Expr, ...]] = [Add.make_args(slack) for slack in slacks]
    program = compile_expressions([part for parts in each for part in parts], substitution(statement))
    return program, tuple(map(len, each))


def _split(summands: list[Any], counts: tuple[int, ...]) -> list[list[Any]]:
    ends = np.cumsum(counts)
    return [list(summands[end - count : end]) for end, count in zip(ends, counts, strict=True)]
