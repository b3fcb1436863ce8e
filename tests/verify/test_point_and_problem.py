"""What satisfies a statement is one point and one problem together: constants that the problem has."""

from fractions import Fraction

import pytest
from strangers import enter, paper, state
from sympy import Rational

import bounds
from bounds.language import assumptions as stated
from bounds.language.condition import at_least
from bounds.language.quantity import Notation
from bounds.language.statement import Statement, Term
from verify.audit.satisfiable.judge import Verdict, judge

SGD = bounds.get("textbook.stochastic_gradient_descent")


def _state_steep(factor: Fraction) -> Statement:
    """A theorem about no run, on smooth and strongly convex clients with mu >= factor L."""
    notation = Notation()
    smooth, strong = enter(notation, "L", "mu")
    steep = at_least(strong, Rational(factor) * smooth, locator="own.steep", printed="x")
    return state(
        paper("own", notation), smooth, Term("all", smooth, "all"), conditions=(steep,),
        assumptions=(stated.SMOOTH_CLIENTS, stated.STRONGLY_CONVEX), example={"L": 1, "mu": 3},
    )  # fmt: skip


def test_a_point_and_a_problem_go_together() -> None:
    """mu >= 2 L holds at L = 1 and mu = 3, and at the constants of no problem; mu >= L/2 at those of one."""
    empty, met = judge(_state_steep(Fraction(2))), judge(_state_steep(Fraction(1, 2)))
    assert empty.verdict is Verdict.INCONCLUSIVE
    assert "at no point that was tried do the conditions hold with the constants of" in empty.sentence
    assert met.verdict is Verdict.SATISFIABLE
    assert met.point is not None
    assert met.point["mu"] <= 1 <= met.point["L"]


def test_another_problem_says_nothing_of_a_statement_whose_cells_all_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert judge(SGD, ends=False).verdict is Verdict.SATISFIABLE
    monkeypatch.setattr("verify.audit.satisfiable.problem._unmet", lambda *_: "a condition fails there")
    judged = judge(SGD, ends=False)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "standard cells does, the last one since a condition fails there" in judged.sentence
