"""exp, log, sqrt, maximum and minimum of the numbers of a lemma.

sympy's own functions see a formula without what its atoms are measured on; these keep both. They take the
symbols of a notation table too, so that a theorem and its lemma are written with the same names.
"""

from collections.abc import Callable
from typing import Any

import sympy
from sympy import Expr

from bounds.language.lemmas.expressions import Node, Scalar, as_scalar, merged


def exp(a: Any) -> Any:
    return _apply(sympy.exp, a)


def log(a: Any) -> Any:
    """The natural logarithm."""
    return _apply(sympy.log, a)


def sqrt(a: Any) -> Any:
    return _apply(sympy.sqrt, a)


def maximum(*several: Any) -> Any:
    """The largest of the numbers that are written out; over an index it is `largest`."""
    return _apply(sympy.Max, *several)


def minimum(*several: Any) -> Any:
    return _apply(sympy.Min, *several)


def _apply(function: Callable[..., Expr], *several: Any) -> Any:
    if not any(isinstance(a, Scalar | Node) for a in several):
        return function(*several)
    numbers = [as_scalar(a) for a in several]
    return Scalar(function(*(a.formula for a in numbers)), merged(*(a.atoms for a in numbers)))
