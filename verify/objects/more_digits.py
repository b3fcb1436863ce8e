"""Both sides of a statement in more digits than float64, at the objects where float64 sees an excess."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from mpmath import mpf

from bounds.arithmetic.multiprecision import evaluate_precisely
from bounds.arithmetic.program import compile_expressions
from bounds.evaluation.resolve import names_taken, resolve_with, substitution
from bounds.language.statement import Statement

EXTENDED = np.longdouble
# float64 again on some machines: then it confirms nothing.
HAS_MORE = bool(np.finfo(EXTENDED).eps < np.finfo(np.float64).eps)


def both_sides(statement: Statement, numbers: Mapping[str, Any]) -> tuple[mpf, mpf]:
    """In 50 digits, at numbers taken as the exact rationals that they are."""
    assert statement.left is not None
    given = {name: numbers[name] for name in numbers.keys() & names_taken(statement)}
    right = resolve_with(statement, given)[1].program
    left = compile_expressions([statement.left], substitution(statement))
    exact = {name: _exact(numbers[name]) for name in {*right.inputs, *left.inputs}}
    return (
        evaluate_precisely(left, {name: exact[name] for name in left.inputs})[0],
        evaluate_precisely(right, {name: exact[name] for name in right.inputs})[-1],
    )


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
