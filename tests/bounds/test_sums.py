"""Sums over whole numbers in a formula: every arithmetic adds up the same summands, and none beside them."""

from fractions import Fraction

import numpy as np
import pytest
from sympy import Expr, Integer, Sum, Symbol

from bounds import errors
from bounds.arithmetic.array_plan import MOST_AT_ONCE
from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.multiprecision import enclose, evaluate_precisely
from bounds.arithmetic.program import (
    MOST_SUMMANDS,
    Program,
    compile_expressions,
    find_counts_of_summands,
    run,
)
from bounds.arithmetic.running_error import Pair, RunningError
from bounds.language.dimension import ONE, F, X, infer
from bounds.solve.intervals import Interval, IntervalArithmetic
from verify.matching.linear_bound import Rationals

j, k, K = (Symbol(name, integer=True, nonnegative=True) for name in "jkK")
c = Symbol("c", positive=True)
C = Fraction(3, 7)


def squares(first: Expr = Integer(0), last: Expr = K - 1) -> Program:
    return compile_expressions([Sum(c**2 / (k + 1) ** 2, (k, first, last)) / c])


def add_by_hand(rounds: int, first: int = 0) -> Fraction:
    return sum((C / (j + 1) ** 2 for j in range(first, rounds)), Fraction(0))


@pytest.mark.parametrize("rounds", [0, 1, 2, 19, 400])
def test_every_arithmetic_adds_up_what_a_loop_adds_up(rounds: int) -> None:
    program, exact = squares(), add_by_hand(rounds)
    assert run(program, Rationals(), {"c": C, "K": Fraction(rounds)}) == [exact]
    (digits,) = evaluate_precisely(program, {"c": C, "K": Fraction(rounds)})
    assert abs(digits - float(exact)) <= 1e-16 * max(1, abs(digits))
    ((low, high),) = enclose(program, {"c": C, "K": Fraction(rounds)})
    assert low <= digits <= high
    assert high - low <= 1e-40
    near = float(C)
    (single,) = run_arrays(program, {"c": near, "K": float(rounds)})
    assert single == pytest.approx(float(exact), rel=1e-14)
    (pair,) = run(program, RunningError(), {"c": Pair(near, 0.0), "K": Pair(float(rounds), 0.0)})
    assert abs(pair.value - float(exact)) <= pair.error + 1e-15
    (box,) = run(program, IntervalArithmetic(), {"c": Interval(near, near), "K": Interval(rounds, rounds)})
    assert box.low <= float(exact) <= box.high


def test_each_entry_of_an_array_has_its_own_ends() -> None:
    rounds, steps = np.array([0.0, 1.0, 7.0, 50.0]), np.array([[0.5], [2.0]])
    (found,) = run_arrays(squares(), {"c": steps, "K": rounds})
    unit = [float(add_by_hand(int(n)) / C) for n in rounds]
    np.testing.assert_allclose(found, steps * np.array(unit), rtol=1e-14)


def test_a_first_summand_too_many_or_a_last_one_too_few_would_be_seen() -> None:
    """The planted defects: k from 1, and k to K - 2."""
    for wrong in (squares(first=Integer(1)), squares(last=K - 2)):
        assert run(wrong, Rationals(), {"c": C, "K": Fraction(9)}) != [add_by_hand(9)]


def test_an_interval_of_ends_holds_every_sum_between_them_and_the_endless_tail() -> None:
    (box,) = run(squares(), IntervalArithmetic(), {"c": Interval(1.0, 1.0), "K": Interval(3.0, 2000.0)})
    for rounds in (3, 4, 999, 2000):
        assert box.low <= float(add_by_hand(rounds) / C) <= box.high
    (tail,) = run(squares(), IntervalArithmetic(), {"c": Interval(1.0, 1.0), "K": Interval(3.0, np.inf)})
    assert tail.low <= float(add_by_hand(3) / C)
    assert tail.high == np.inf


def test_too_many_summands_are_no_number_and_no_decision() -> None:
    (found,) = run_arrays(squares(), {"c": 1.0, "K": float(MOST_AT_ONCE + 2)})
    assert np.isnan(found)
    for many in (MOST_SUMMANDS + 1, 10**20):  # of the second `len` knows no number
        with pytest.raises(errors.Misuse, match="takes too long"):
            run(squares(), Rationals(), {"c": C, "K": Fraction(many)})


def later(first: Expr) -> Program:
    """A sum of sums: of each k those j that come later, up to K - 1."""
    return compile_expressions([Sum(c * Sum((j + 2 * k + 1) ** 2, (j, first, K - 1)), (k, 0, K - 1))])


def add_later_ones(rounds: int) -> Fraction:
    return C * sum((i + 2 * n + 1) ** 2 for n in range(rounds) for i in range(n, rounds))


@pytest.mark.parametrize("rounds", [0, 1, 2, 7])
def test_every_arithmetic_adds_up_a_sum_of_sums_whose_end_is_the_outer_index(rounds: int) -> None:
    program, exact = later(k), add_later_ones(rounds)
    assert run(program, Rationals(), {"c": C, "K": Fraction(rounds)}) == [exact]
    (digits,) = evaluate_precisely(program, {"c": C, "K": Fraction(rounds)})
    assert digits == pytest.approx(float(exact), rel=1e-15)
    near = float(C)
    many = np.array([0.0, float(rounds), 3.0])
    expected = [0.0, float(exact), float(add_later_ones(3))]
    (arrays,) = run_arrays(program, {"c": np.array([[near], [2 * near]]), "K": many})
    np.testing.assert_allclose(arrays, np.outer([1.0, 2.0], expected), rtol=1e-14)
    (pair,) = run(program, RunningError(), {"c": Pair(near, 0.0), "K": Pair(float(rounds), 0.0)})
    assert abs(pair.value - float(exact)) <= pair.error + 1e-15
    (box,) = run(program, IntervalArithmetic(), {"c": Interval(near, near), "K": Interval(rounds, rounds)})
    assert box.low <= float(exact) <= box.high
    if rounds > 1:  # the planted defect: each j once more
        assert run(later(Integer(0)), Rationals(), {"c": C, "K": Fraction(rounds)}) != [exact]


def test_the_counts_and_the_dimension_of_a_sum_of_sums() -> None:
    short = compile_expressions([Sum(c * Sum((j + k) ** 2, (j, k, K - 1)), (k, 0, 9))])
    assert find_counts_of_summands(short) == {"K"}
    found, mismatches = infer(Sum(Sum(c * (j + k), (j, 0, k)), (k, 0, K - 1)), {"c": F, "K": ONE})
    assert (found, mismatches) == (F, ())
    _, mismatches = infer(Sum(Sum(c + j, (j, 0, k)), (k, 0, K - 1)), {"c": F, "K": ONE})
    assert mismatches


@pytest.mark.parametrize("end", [c, K / 2])
def test_an_end_that_is_no_whole_number_is_refused(end: Expr) -> None:
    with pytest.raises(errors.MalformedStatement, match="from one whole number to another"):
        squares(last=end)


def test_the_number_of_summands_has_no_slope() -> None:
    assert find_counts_of_summands(squares()) == {"K"}


def test_a_sum_has_the_dimension_of_its_summands() -> None:
    step, gap = X**2 / F, F
    known = {"c": step, "K": ONE, "g": gap}
    found, mismatches = infer(Sum(c / (k + 1) * Symbol("g"), (k, 0, K - 1)), known)
    assert (found, mismatches) == (X**2, ())
    _, mismatches = infer(Sum(c + Symbol("g"), (k, 0, K - 1)), known)
    assert mismatches
