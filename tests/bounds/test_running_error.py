"""The bound on float64's rounding error, against hundreds of digits and exact rationals."""

import math
import sys
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import numpy as np
import oracle
import pytest
from example_count import count_examples
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from sympy import Expr, Integer, Piecewise, Rational, Symbol, exp, log, sqrt

from bounds.arithmetic import running_error
from bounds.arithmetic.program import compile_expressions, run
from bounds.arithmetic.running_error import Pair, RunningError
from bounds.discovery import forms
from bounds.evaluation.resolve import resolve
from bounds.language.statement import Statement
from verify.parameters.valid import valid_parameters

STATEMENTS = {name: form for name, form in forms().items() if form.evaluable}
every_statement = pytest.mark.parametrize("identity", STATEMENTS)
# Hundreds of digits are too slow for hundreds of shrinking steps.
UNSHRUNK = (Phase.explicit, Phase.generate)
ULP = 2.0**-52

a, b, c = (Symbol(name, real=True) for name in "abc")


def invalid_bounds(expressions: list[Expr], inputs: Mapping[str, float], truths: list[mpf]) -> list[str]:
    """Values that lie further from the truth than the running error says."""
    program = compile_expressions(expressions)
    pairs = {name: Pair(np.float64(inputs[name]), 0.0) for name in program.inputs}
    with np.errstate(all="ignore"):
        results = run(program, RunningError(), pairs)
    wrong = []
    for expression, (value, error), truth in zip(expressions, results, truths, strict=True):
        value, error = float(value), float(error)
        if math.isfinite(value) and math.isfinite(error) and not abs(mpf(value) - truth) <= error:
            off = float(abs(mpf(value) - truth))
            wrong.append(f"{expression}: {value!r}, claimed error {error:.3g}, true error {off:.3g}")
    return wrong


@cache
def expressions_of(statement: Statement) -> list[Expr]:
    resolved = resolve(statement)
    sides = [side for pair in resolved.conditions for side in pair]
    return [*resolved.terms, sum(resolved.terms, Integer(0)), *sides]


@pytest.mark.sampled
@every_statement
@settings(max_examples=count_examples(25), phases=UNSHRUNK)
@given(data=st.data())
def test_rounding_bounds_are_valid(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    point = data.draw(valid_parameters(statement))
    expressions = expressions_of(statement)
    with mp.workdps(oracle.DIGITS):
        truths = [oracle.value(e, statement, point) for e in expressions]
        assert invalid_bounds(expressions, point, truths) == []


@pytest.mark.sampled
@every_statement
@settings(max_examples=10, phases=UNSHRUNK)
@given(data=st.data())
def test_rounding_bounds_are_of_use(identity: str, data: st.DataObject) -> None:
    """Valid because infinite would be of no use: far from cancellation floats decide."""
    statement = STATEMENTS[identity]
    point = data.draw(valid_parameters(statement))
    program = compile_expressions(list(resolve(statement).terms))
    with np.errstate(all="ignore"):
        results = run(program, RunningError(), {n: Pair(np.float64(point[n]), 0.0) for n in program.inputs})
    for term, (value, error) in zip(statement.terms, results, strict=True):
        if math.isfinite(value) and value:
            needed = {name: point[name] for name in resolve(statement).required}
            kappa = float(oracle.kappa(term.expression, statement, needed))
            # every product may lose as much as the smallest normal number, whatever its size
            assert error <= 1e4 * ULP * (1 + kappa) * abs(value) + 100 * sys.float_info.min or kappa > 1e6


moderate = st.floats(0.01, 100)


@settings(max_examples=count_examples(200))
@given(x=st.floats(1e-200, 1e200), y=st.floats(1e-200, 1e200), z=st.floats(1e-200, 1e200))
@example(x=1e-160, y=1e-160, z=1e-300)
@example(x=1e-200, y=1e-200, z=1e-300)
def test_products_that_underflow_on_the_way(x: float, y: float, z: float) -> None:
    expression = a * b / c
    with mp.workdps(oracle.DIGITS):
        truth = mpf(x) * mpf(y) / mpf(z)
        assert (
            invalid_bounds([expression, expression + 1], {"a": x, "b": y, "c": z}, [truth, truth + 1]) == []
        )


@settings(max_examples=count_examples(200))
@given(x=moderate, n=st.integers(0, 2000), shift=st.integers(-8, 8))
@example(x=3.0, n=10, shift=0)
def test_powers_of_what_nearly_cancels(x: float, n: int, shift: int) -> None:
    """1 - a b with a b within a few units of 1: log1p and powers lose everything, and must say so."""
    y = (1 + shift * ULP) / x
    expression = (1 - a * b) ** (2 * c)
    with mp.workdps(oracle.DIGITS):
        base = 1 - mpf(x) * mpf(y)
        truths = [base ** (2 * n), 1 - base ** (2 * n)]
        point = {"a": x, "b": y, "c": float(n)}
        assert invalid_bounds([expression, 1 - expression], point, truths) == []


@settings(max_examples=count_examples(200))
@given(x=moderate, y=moderate, z=moderate, n=st.integers(1, 400))
def test_other_operations(x: float, y: float, z: float, n: int) -> None:
    whole = Symbol("n", integer=True)
    expressions = [
        exp(a * b - c), log(a / b), sqrt(a * b - b), (a / b) ** (c / n), a ** Rational(1, 4) / b**3,
        (1 + a / 1000) ** whole - 1, log(1 + a / b), sqrt(abs_difference(a, b)), (a - b) / c**2,
    ]  # fmt: skip
    point = {"a": x, "b": y, "c": z, "n": float(n)}
    with mp.workdps(oracle.DIGITS):
        checked = []
        for expression in expressions:
            expression = expression.subs(Symbol("n", integer=True), whole)
            try:
                checked.append(
                    (expression, oracle.value(expression, STATEMENTS["fed_norm_ec.lemma_4"], point))
                )
            except oracle.NoValue:
                continue
        assert invalid_bounds([e for e, _ in checked], point, [t for _, t in checked]) == []


def abs_difference(x: Expr, y: Expr) -> Expr:
    return Piecewise((x - y, x > y), (y - x, True))


def test_random_polynomials_in_exact_rationals() -> None:
    rng = np.random.default_rng(20)
    for _ in range(300):
        x, y, z = (float(v) for v in rng.normal(size=3) * 10.0 ** rng.integers(-3, 4, size=3))
        expression = (a * b - c) * (a + b) - a**2 * b + 3 * c / 7
        fx, fy, fz = Fraction(x), Fraction(y), Fraction(z)
        truth = (fx * fy - fz) * (fx + fy) - fx**2 * fy + 3 * fz / 7
        with mp.workdps(oracle.DIGITS):
            exact = mpf(truth.numerator) / truth.denominator
            assert invalid_bounds([expression], {"a": x, "b": y, "c": z}, [exact]) == []


def test_a_bound_that_is_too_small_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_error, "ULP", ULP / 64)
    monkeypatch.setattr(running_error, "LIBRARY", 0.0)
    with pytest.raises(AssertionError):
        test_random_polynomials_in_exact_rationals()
