"""Lemma 1 of Fed-alpha-NormEC is false as printed: the counterexample again, by hand, in fractions alone."""

from fractions import Fraction

import numpy as np

import bounds
from bounds.language.finding import Verdict
from verify.runs.check import verify


def test_the_hypotheses_hold_and_the_conclusion_fails_by_hand() -> None:
    """f = x^2/2, one gradient step with gamma = 1/2: T(x) = x/2, so P(x) = (x - T(x))/gamma = x."""
    C, beta, alpha, gamma, rho = Fraction(1), Fraction(1), Fraction(1, 1024), Fraction(1, 2), Fraction(2)
    eta = Fraction(15, 16) * gamma * beta * C / ((1 + rho) * (alpha + C))
    x, v = Fraction(31, 1024), Fraction(0)
    moved = x - eta
    assert abs(x / 2 - moved / 2) <= rho * abs(x - moved)  # h2
    assert abs(x - v) <= C  # h3
    assert abs(moved - x) <= eta  # h4
    assert beta / (alpha + C) < 1  # h5
    assert eta <= gamma * beta * C / ((1 + rho) * (alpha + C))  # h6
    renewed = v + beta * (x - v) / (alpha + abs(x - v))  # h1
    assert renewed == Fraction(31, 32)
    assert abs(moved - renewed) == Fraction(31, 32) - x + eta > C


def test_the_engine_finds_the_same_number() -> None:
    violated, held = verify(["fed_norm_ec.lemma_1"])
    assert (violated.verdict, held.verdict) == (Verdict.VIOLATED, Verdict.HOLDS)
    assert violated.measured is not None
    eta = Fraction(15, 16) * Fraction(512, 3075)
    assert violated.measured.exact == str(Fraction(31, 32) - Fraction(31, 1024) + eta)


def test_every_condition_holds_at_the_counterexample_with_room() -> None:
    """Only h4 is met with equality: the model moves by eta exactly."""
    cell = verify(["fed_norm_ec.lemma_1"])[0].cell
    given = {name: float(value) for name, value in cell.parameters.items()}
    conditions = bounds.get("fed_norm_ec.lemma_1").evaluate(**given).conditions
    assert all(c.holds for c in conditions)
    assert {c.condition.id for c in conditions if c.margin < 1e-4} <= {"A.lem1.h4"}


def test_the_numbers_of_objects_are_those_of_the_definitions() -> None:
    """f = 3x^2/2 with gamma = 1/2: T(x) = -x/2 and P(x) = 3x."""
    concrete = bounds.get("fed_norm_ec.lemma_1").concrete
    assert concrete is not None
    x, x_next, v, alpha, beta = 2.0, 2.5, 1.0, 3.0, 0.5
    found = concrete.numbers(
        local=lambda points: -points / 2,
        v=np.array([[v]]),
        x=np.array([[x]]),
        x_next=np.array([[x_next]]),
        alpha=alpha,
        beta=beta,
        gamma=0.5,
    )
    renewed = v + beta * (3 * x - v) / (alpha + abs(3 * x - v))
    assert found["memory_error"] == abs(3 * x - v)
    assert found["server_move"] == abs(x_next - x)
    assert found["operator_move"] == abs(x_next - x) / 2
    assert found["next_memory_error"] == max(abs(3 * x_next - renewed), abs(3 * x - renewed))
