"""Both sides of a statement in 50 digits, and in more where these do not do, at one case of drawn objects."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from mpmath import mp, mpf

from bounds.evaluation.resolve import names_taken
from bounds.language.statement import Statement
from verify.objects.both_sides import Objects
from verify.objects.fifty_digits import DIGITS, NotInDigits, numbers_in_digits, precise
from verify.objects.more_digits import both_sides, measures_meet_conditions

MORE_DIGITS: Final = 200, 800
SAME: Final = 1e-12  # of both sides


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case of a draw."""

    objects: Objects
    case: int
    cases: int


class Unsettled(NotInDigits):
    """A side is made of roundings, in however many digits."""


def sides_in_digits(statement: Statement, found: Case) -> tuple[Any, Any, bool]:
    """Left, right and whether the conditions hold at the found case, in digits to which more change nothing.

    A divisor of which 50 digits leave a rounding, as (x + 1e-30)^2 - x^2 - 2e-30 x, has no value in them.
    """
    sides = sides_at(statement, found, DIGITS)
    for digits in MORE_DIGITS:
        again = sides_at(statement, found, digits)
        if _agree(sides[:2], again[:2]):
            return *sides[:2], again[2]
        sides = again
    raise Unsettled(f"a side in {MORE_DIGITS[-1]} digits is another than in {MORE_DIGITS[-2]}")


def _agree(before: tuple[Any, Any], after: tuple[Any, Any]) -> bool:
    if not all(mp.isfinite(side) for side in before + after):
        return False
    moved = sum(abs(a - b) for a, b in zip(before, after, strict=True))
    return bool(moved <= SAME * sum(abs(side) for side in after))


def sides_at(statement: Statement, found: Case, digits: int) -> tuple[Any, Any, bool]:
    """The same from so many digits on the way, be they enough or not."""
    here = numbers_at(statement, found, digits)
    with mp.workdps(digits):
        left, right = both_sides(statement, here, digits)
        meets = measures_meet_conditions(statement, here, found.objects.keys(), digits)
    taken = names_taken(statement)
    rounded = {name: float(value) for name, value in here.items() if name in taken}
    if not np.all(np.isfinite(list(rounded.values()))):
        raise NotInDigits("a number is beyond all floats")
    return left, right, meets and statement.evaluate(**rounded).applicable is True


def numbers_at(statement: Statement, found: Case, digits: int) -> dict[str, Fraction | mpf]:
    """What both sides and the conditions speak of, from so many digits on the way."""
    numbers = _numbers(statement, _alone(statement, found), digits)
    return {name: _entry(value, found.case, found.cases) for name, value in numbers.items()}


def _alone(statement: Statement, found: Case) -> Objects:
    """The objects of the case and of no other; those of a recipe by hand may be tied to all cases."""
    concrete = statement.concrete
    if concrete is None or found.cases == 1 or (concrete.declared is None and concrete.drawn is None):
        return found.objects
    return {
        name: thing[found.case : found.case + 1]
        if isinstance(thing, np.ndarray) and thing.ndim and len(thing) == found.cases
        else thing
        for name, thing in found.objects.items()
    }


def _numbers(statement: Statement, objects: Objects, digits: int) -> dict[str, Any]:
    if statement.concrete is None:
        return {name: np.asarray(value) for name, value in objects.items()}
    known = statement.concrete.objects
    given = {name: value for name, value in objects.items() if name in known}
    more = {name: np.asarray(value) for name, value in objects.items() if name not in known}
    return numbers_in_digits(statement.concrete.numbers, given, digits) | more


def _entry(value: Any, case: int, cases: int) -> Fraction | mpf:
    """Keep a number of 50 digits: a fraction has no room for the exponent of a power such as 1e-9 ** 1e9."""
    array = np.asarray(value)
    if array.size == 1:
        return precise(array.reshape(-1)[0])
    flat = array.reshape(-1)
    if flat.size != cases:
        raise NotInDigits("the cases of the numbers do not line up")
    return precise(flat[case])
