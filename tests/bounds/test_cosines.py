"""Cosines, sines and pi in a formula: every arithmetic has the same number, and says how far it is off."""

from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp, mpf
from sympy import Expr, Sum, Symbol, cos, pi, sin

from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.multiprecision import enclose, evaluate_precisely
from bounds.arithmetic.program import Program, compile_expressions, run
from bounds.arithmetic.running_error import Pair, RunningError
from bounds.language.dimension import ONE, F, X, infer
from bounds.solve.intervals import Interval, IntervalArithmetic
from verify.matching.linear_bound import Irrational, Rationals

x = Symbol("x", real=True)
k, K = Symbol("k", integer=True, nonnegative=True), Symbol("K", integer=True, nonnegative=True)
POINTS = [0.0, 1e-9, 0.7, np.pi / 2, 3.0, np.pi, -2.5, 1e3]


def compiled(formula: Expr) -> Program:
    return compile_expressions([formula])


def evaluate_by_mpmath(formula: Expr, at: float) -> mpf:
    with mp.workdps(500):
        return {cos(x): mp.cos, sin(x): mp.sin, cos(pi * x): lambda t: mp.cos(mp.pi * t)}[formula](mpf(at))


@pytest.mark.parametrize("at", POINTS)
@pytest.mark.parametrize("formula", [cos(x), sin(x), cos(pi * x)])
def test_every_arithmetic_has_the_same_number(formula: Expr, at: float) -> None:
    program, right = compiled(formula), evaluate_by_mpmath(formula, at)
    (digits,) = evaluate_precisely(program, {"x": Fraction(at)})
    assert abs(digits - right) < 1e-45
    ((low, high),) = enclose(program, {"x": Fraction(at)})
    assert low <= right <= high
    (single,) = run_arrays(program, {"x": at})
    assert single == pytest.approx(float(right), rel=1e-11, abs=1e-12)
    (pair,) = run(program, RunningError(), {"x": Pair(at, 0.0)})
    assert abs(pair.value - right) <= pair.error < 1e-11
    (box,) = run(program, IntervalArithmetic(), {"x": Interval(at, at)})
    assert box.low <= right <= box.high


@pytest.mark.parametrize("formula", [cos(x), sin(x)])
@pytest.mark.parametrize("low", [-7.0, -3.2, -0.1, 0.0, 1.5, 3.1, 6.2])
@pytest.mark.parametrize("width", [0.01, 0.5, 2.0, 4.0, 7.0, np.inf])
def test_an_interval_holds_the_values_between_its_ends_and_not_much_more(
    formula: Expr, low: float, width: float
) -> None:
    high = low + width
    (box,) = run(compiled(formula), IntervalArithmetic(), {"x": Interval(low, high)})
    inside = np.linspace(low, min(high, low + 7.0), 10_001)
    values = np.cos(inside) if formula == cos(x) else np.sin(inside)
    assert box.low <= values.min()
    assert box.high >= values.max()
    assert box.low >= values.min() - 1e-6
    assert box.high <= values.max() + 1e-6


def test_a_cosine_is_no_fraction() -> None:
    for formula in (cos(x), sin(x), pi * x):
        with pytest.raises(Irrational):
            run(compiled(formula), Rationals(), {"x": Fraction(1)})


def test_steps_that_fall_as_a_cosine_add_up() -> None:
    (found,) = run_arrays(compiled(Sum((1 + cos(pi * k / K)) / 2, (k, 0, K - 1))), {"K": 20.0})
    assert found == pytest.approx(sum((1 + np.cos(np.pi * j / 20)) / 2 for j in range(20)))


def test_an_angle_has_no_unit() -> None:
    assert infer(K * cos(x), {"x": ONE, "K": F}) == (F, ())
    assert infer(cos(x), {"x": X})[1]
