"""Both sides of a formula in longdouble or multiprecision, at points where float64 sees an excess."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from mpmath import mpf
from sympy import exp, log

from bounds.arithmetic.multiprecision import DIGITS, evaluate_precisely
from bounds.arithmetic.program import compile_expressions
from bounds.evaluation.resolve import names_taken, resolve_with, substitution
from bounds.language.statement import Statement

EXTENDED = np.longdouble
SPARE = 10  # digits that the roundings on the way may have taken
# float64 again on some machines: then it confirms nothing.
HAS_MORE = bool(np.finfo(EXTENDED).eps < np.finfo(np.float64).eps)


def both_sides(statement: Statement, numbers: Mapping[str, Any], digits: int = DIGITS) -> tuple[mpf, mpf]:
    """In so many digits, at numbers taken as the exact rationals that they are."""
    assert statement.left is not None
    given = {name: numbers[name] for name in numbers.keys() & names_taken(statement)}
    right = resolve_with(statement, given)[1].program
    left = compile_expressions([statement.left], substitution(statement))
    exact = {name: _exact(numbers[name]) for name in {*right.inputs, *left.inputs}}
    return (
        evaluate_precisely(left, {name: exact[name] for name in left.inputs}, digits)[0],
        evaluate_precisely(right, {name: exact[name] for name in right.inputs}, digits)[-1],
    )


def measures_meet_conditions(
    statement: Statement, numbers: Mapping[str, Any], drawn: Collection[str], digits: int
) -> bool:
    """Whether the conditions on what is measured hold in so many digits; a rounding of float64 may meet one.

    Those on drawn numbers alone are about the floats that were drawn, to a few roundings. Only a statement
    that declares its objects measures all that its conditions name. Sides that are equal in so many digits
    do not meet a strict condition. With an exponential or a logarithm they may differ beyond all digits, as
    exp(-x) and 1 do for tiny x, and no digits decide: then the condition counts as not met.
    """
    if statement.concrete is None or statement.concrete.declared is None:
        return True
    for condition in statement.conditions:
        names = {symbol.name for symbol in condition.value.free_symbols | condition.limit.free_symbols}
        if names <= set(drawn):
            continue
        program = compile_expressions([condition.value, condition.limit], substitution(statement))
        value, limit = evaluate_precisely(
            program, {name: _exact(numbers[name]) for name in program.inputs}, digits
        )
        over = value - limit if condition.relation.upper else limit - value
        near = mpf(10) ** (SPARE - digits) * (abs(value) + abs(limit))
        saturates = condition.relation.strict or (condition.value - condition.limit).has(exp, log)
        if over >= -near if saturates else over > near:
            return False
    return True


def _exact(number: Any) -> Fraction | mpf:
    if isinstance(number, mpf):
        return number
    integral = isinstance(number, int | np.integer | np.bool_)
    return Fraction(int(number)) if integral else Fraction(*number.as_integer_ratio())


def extended(value: Any) -> Any:
    """The same objects with arrays of extended precision: what is computed from them inherits it."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value.astype(EXTENDED)
    if isinstance(value, Mapping):
        return {name: extended(entry) for name, entry in value.items()}
    return value


def is_extended(numbers: Mapping[str, Any], objects: Mapping[str, Any]) -> bool:
    """Whether everything computed has kept the digits: a conversion on the way may have cut them."""
    computed = [np.asarray(number).dtype for name, number in numbers.items() if name not in objects]
    return HAS_MORE and all(kind == EXTENDED or kind.kind in "iub" for kind in computed)
