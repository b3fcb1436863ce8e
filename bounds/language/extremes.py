"""The smaller and the larger of two expressions, as they are written.

What sympy makes of `Min(a, b)` is the same object, after a search for a sign of a - b that takes up to 10 ms:
too long where a catalogue is listed.
"""

from sympy import Expr, Max, Min


def smaller(one: Expr, other: Expr | int) -> Expr:
    return Min(one, other, evaluate=False)


def larger(one: Expr, other: Expr | int) -> Expr:
    return Max(one, other, evaluate=False)
