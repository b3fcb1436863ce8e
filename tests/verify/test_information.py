"""Whether a bound says more than is known without it: controls, planted empty bounds, what is said of K."""

from dataclasses import replace

import numpy as np
import pytest
from sympy import Integer, sqrt

import bounds
from bounds.papers.textbook.notation import D0, L, N, final_gap
from bounds.statement import Term
from verify.certificate import refutes
from verify.information import Verdict, judge

CONVEX = bounds.get("textbook.gradient_descent_convex")
(INITIALIZATION,) = CONVEX.terms
LIMIT = L * D0**2 / 2


def with_term(expression):  # type: ignore[no-untyped-def]  # sympy ships no annotations
    return replace(CONVEX, terms=(replace(INITIALIZATION, expression=expression),), decreasing=())


def test_a_control_is_informative_from_the_first_step_on() -> None:
    judged = judge(CONVEX)
    assert judged.verdict is Verdict.INFORMATIVE
    assert judged.from_on == {"N": 1}
    assert judged.point is not None
    assert judged.ratio == pytest.approx(1 / (2 * judged.point["N"] + 1))


def test_a_bound_that_never_falls_below_what_is_known_is_found_with_a_certificate() -> None:
    for expression in (LIMIT, LIMIT * (N + 1), LIMIT + L * D0**2 / (N + 1)):
        judged = judge(with_term(expression))
        assert judged.verdict is Verdict.UNINFORMATIVE
        assert judged.proof is not None
        assert refutes(*judged.proof)


def test_a_bound_that_falls_below_it_somewhere_is_not_called_empty() -> None:
    late = judge(with_term(LIMIT * 1000 / (N + 1)))
    assert late.verdict is Verdict.INFORMATIVE
    assert late.point is not None
    assert late.point["N"] + 1 > 1000


def test_from_which_count_on_is_the_first_one() -> None:
    statement = replace(with_term(LIMIT * 1000 / (N + 1)), decreasing=(N,))
    assert judge(statement).from_on == {"N": 1000}
    assert judge(replace(with_term(LIMIT * 2), decreasing=(N,))).from_on == {"N": None}


def test_a_constant_term_is_a_floor_with_a_certificate() -> None:
    floored = replace(CONVEX, terms=(INITIALIZATION, Term("floor", sqrt(3) / 3, "nothing")))
    (floor,) = judge(floored).floors
    assert refutes(floor.system, floor.certificate)
    # Beside a term that may be negative it is none.
    sunk = replace(floored, terms=(*floored.terms, Term("sink", -L * D0**2, "nothing")))
    assert judge(sunk).floors == ()


def test_what_a_left_side_does_not_speak_of_is_named() -> None:
    told = judge(replace(CONVEX, left=(2 - D0) * final_gap)).silent
    assert len(told) == 1
    assert "final_gap" in told[0]
    assert judge(replace(CONVEX, left=(2 + D0) * final_gap)).silent == ()


def test_the_random_coefficient_of_theorem_5_may_be_negative_and_that_of_theorem_2_may_not() -> None:
    """2 - x - x^2 with x = 2 eta L E: at most 0 from eta L E = 1/2 on, which E <= alpha/(2 rho) excludes."""
    assert judge(bounds.get("dp_fedavg.theorem_5.general")).silent != ()
    assert judge(bounds.get("dp_fedavg.theorem_2")).silent == ()
    share = np.linspace(0, 0.5, 11)
    assert (2 - share - share**2 >= 1.25).all()


def test_the_floor_of_the_adaptive_bound() -> None:
    """It is 1/(T speed) + sqrt(3)/3 with a speed above 0: 0.577 of the 1 that its own condition asks."""
    judged = judge(bounds.get("als_dpfl.theorem_2.theorem_omega"))
    assert judged.verdict is Verdict.INFORMATIVE
    assert judged.ratio == pytest.approx(3**-0.5, rel=1e-3)
    assert [floor.quantity for floor in judged.floors] == ["floor"]


def test_constants_of_an_order_are_not_judged() -> None:
    assert judge(bounds.get("dp_fedavg.theorem_3")).verdict is Verdict.CONSTANTS_OPEN
    assert judge(bounds.get("als_dpfl.algorithm_1")).verdict is Verdict.NO_BOUND
    assert (
        judge(replace(CONVEX, left=D0, terms=(Term("one", Integer(1), ""),))).verdict is Verdict.NO_FREE_BOUND
    )
