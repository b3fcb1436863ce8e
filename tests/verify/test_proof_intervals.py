"""The interval that a proof knows of a formula: its ends by hand, and every value inside."""

from fractions import Fraction
from itertools import product
from math import inf

import pytest
from sympy import Expr, Max, Min, Rational, Symbol, exp, log, sin

from bounds.language.dimension import ONE
from bounds.language.quantity import Domain, Notation
from verify.proofs.intervals import Interval, enclose, is_integer

TABLE = Notation()


def ranging(name: str, low: float, high: float, *, ends: tuple[bool, bool], integer: bool = False) -> Expr:
    included = {"lower_included": ends[0], "upper_included": ends[1]}
    domain = Domain(lower=low, upper=high, integer=integer, **included)
    return TABLE.quantity(name, name, "a number", domain, ONE)


A = ranging("a", 0.25, 4, ends=(True, True))
B = ranging("b", 0, 2, ends=(False, True))
C = ranging("c", -3, 2, ends=(True, False))
D = ranging("d", 0, inf, ends=(True, False))
K = ranging("k", 0, inf, ends=(True, False), integer=True)
U = ranging("u", 0, 1, ends=(False, True))
VALUES = {
    A: [Rational(1, 4), Rational(1), Rational(4)],
    B: [Rational(1, 1000), Rational(1, 2), Rational(2)],
    C: [Rational(-3), Rational(0), Rational(1, 3), Rational(1999, 1000)],
    D: [Rational(0), Rational(1, 7), Rational(10**6)],
    K: [Rational(0), Rational(1), Rational(6)],
    U: [Rational(1, 9), Rational(1)],
}
ENDS: list[tuple[Expr, str, float | Fraction, float | Fraction, str]] = [
    (A - B, "[", Fraction(-7, 4), 4, ")"),
    (A - 3, "[", Fraction(-11, 4), 1, "]"),
    (A * C, "[", -12, 8, ")"),
    (B * C, "[", -6, 4, ")"),
    (C * D, "(", -inf, inf, ")"),
    (A * D, "[", 0, inf, ")"),
    (-A * D, "(", -inf, 0, "]"),
    (B * D, "[", 0, inf, ")"),
    (-A * (1 + D), "(", -inf, Fraction(-1, 4), "]"),
    ((C - 3) * (1 + D), "(", -inf, -1, ")"),
    ((-1 - D) * (1 + K), "(", -inf, -1, "]"),
    (D * (1 + K), "[", 0, inf, ")"),
    (D - K, "(", -inf, inf, ")"),
    (1 / A, "[", Fraction(1, 4), 4, "]"),
    (1 / B, "[", Fraction(1, 2), inf, ")"),
    (1 / D, "(", 0, inf, ")"),
    (1 / C, "(", -inf, inf, ")"),
    (1 / U, "[", 1, inf, ")"),
    (A**2, "[", Fraction(1, 16), 16, "]"),
    (A**-2, "[", Fraction(1, 16), 16, "]"),
    (B**-3, "[", Fraction(1, 8), inf, ")"),
    (C**2, "[", 0, inf, ")"),
    (C**3, "[", -27, 8, ")"),
    (B**C, "(", 0, inf, ")"),
    (C**B, "(", -inf, inf, ")"),
    (A**64, "[", Fraction(1, 4**64), 4**64, "]"),
    (A**65, "(", 0, inf, ")"),
    (D**B, "[", 0, inf, ")"),
    (C ** (2 * K), "[", 0, inf, ")"),
    (C**K, "(", -inf, inf, ")"),
    (C ** (K / 2), "(", -inf, inf, ")"),
    (Max(A, B), "[", Fraction(1, 4), 4, "]"),
    (Max(B, D - 5), "(", 0, inf, ")"),
    (Max(B, C), "(", 0, 2, "]"),
    (Max(B, D), "[", 0, inf, ")"),
    (Min(A, B), "(", 0, 2, "]"),
    (Min(B, C), "[", -3, 2, "]"),
    (Min(D, -1 - K), "(", -inf, -1, "]"),
    (exp(C), "(", 0, inf, ")"),
    (D * exp(C), "[", 0, inf, ")"),
    (A**65 * D, "[", 0, inf, ")"),
    (sin(A), "(", -inf, inf, ")"),
    (sin(3), "(", 0, inf, ")"),
    (sin(4), "(", -inf, inf, ")"),
    (log(A), "(", -inf, inf, ")"),
    (log(1 + B), "(", 0, inf, ")"),
    (log(2 + D), "(", 0, inf, ")"),
    (log(Rational(3, 2) + D), "(", 0, inf, ")"),
    (log(1 + D), "[", 0, inf, ")"),
]


@pytest.mark.parametrize(("formula", "opens", "low", "high", "closes"), ENDS, ids=lambda x: str(x))
def test_the_ends_of_a_formula(
    formula: Expr, opens: str, low: float | Fraction, high: float | Fraction, closes: str
) -> None:
    found = enclose(formula, TABLE.quantities)
    assert found == Interval((low, opens == "["), (high, closes == "]"))
    symbols = sorted(formula.free_symbols, key=str)
    for values in product(*(VALUES[symbol] for symbol in symbols)):
        value = formula.subs(dict(zip(symbols, values, strict=True)))
        if value.is_finite and value.is_real:  # a formula that divides by 0 has no value
            assert (low <= value) if opens == "[" else (low < value)
            assert (value <= high) if closes == "]" else (value < high)


@pytest.mark.parametrize(
    ("formula", "whole"),
    [
        (K, True),
        (3 * K**2 - K + 1, True),
        (K / 2, False),
        (K * A, False),
        (A, False),
        (Symbol("k_of_nobody", integer=True), False),
        (1 / K, False),
    ],
    ids=str,
)
def test_a_number_is_whole_by_its_form(formula: Expr, *, whole: bool) -> None:
    assert is_integer(formula, TABLE.quantities) is whole
