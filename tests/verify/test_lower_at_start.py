"""A slope at the start that a bound subtracts is known from below: f(x_1) <= f(x_0) - ||grad f(x_0)||^2/(2L).

That is the descent lemma at eta = 1/L; it is an equality where all curvatures are L.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Expr, Integer, Rational, sqrt

from bounds.errors import MalformedStatement
from bounds.language.assumptions import MINIMUM_ATTAINED, SMOOTH_CLIENTS
from bounds.language.dimension import F, X
from bounds.language.part import at_start, constant, lower_at_start
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, Notation, Over
from bounds.language.statement import Statement, Term, sets
from synthetic.problems import build
from verify.answer import check
from verify.matching.cells.required import certify_numbers, requirements
from verify.matching.cells.standard import cells
from verify.matching.constants import at_start as measures
from verify.matching.constants.certified import unfit

ONE_CURVATURE = {"curvatures": ((1.0, 1.0),) * 2, "centers": ((1.0, -1.0), (3.0, 0.0))}


def fractions_of(rows: Any) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(x) for x in row) for row in rows)


def stated(part: Any, times: int = 1) -> Statement:
    notation = Notation()
    q = notation.quantity
    eta, Delta = enter(notation, "eta", "Delta")
    L = q("L", "L", "smoothness", POSITIVE, F / X**2, part=constant("mean_smoothness"))
    G = q("G", "G", "slope at the start", NON_NEGATIVE, F / X, part=part)
    gap = notation.observable("next_gap", "g", "gap after the step", F, Over.LAST, measured="gap")
    return state(
        paper("descent", notation),
        gap,
        Term("gap", Delta, "before the step"),
        Term("descent", -Integer(times) * G**2 / (2 * L), "the step", non_negative=False),
        assumptions=(SMOOTH_CLIENTS, MINIMUM_ATTAINED),
        choices=(sets(eta, 1 / L, locator="descent"),),
        example={"L": 1, "G": 1, "Delta": 1},
        run_with={"steps": 1},
    )


def judge(statement: Statement) -> set[str]:
    problem = build("quadratic.diagonal", **ONE_CURVATURE)
    answer = check(statement, algorithm="gradient_descent", problem=problem, quick=True, search=0)
    return {entry["verdict"] for entry in answer.cells}


def test_an_equality_with_a_slope_that_is_subtracted_is_not_refuted() -> None:
    assert "violated" not in judge(stated(lower_at_start("gradient_norm")))
    assert "violated" in judge(stated(lower_at_start("gradient_norm"), times=2))


def test_a_slope_that_the_bound_subtracts_is_found_by_its_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "violated" not in judge(stated(at_start("gradient_norm")))
    assert "violated" in judge(stated(at_start("gradient_norm"), times=2))
    # the defect: a slope that is rounded up
    monkeypatch.setattr(measures, "_subtracted", lambda *given: False)
    assert "violated" in judge(stated(at_start("gradient_norm")))


def test_a_slope_that_is_stated_too_large_is_refused() -> None:
    statement = replace(stated(lower_at_start("gradient_norm")), algorithm="gradient_descent")
    cell = cells(statement)[0]
    assert unfit(requirements(statement, cell)) is None
    for factor, refused in ((1 - 1e-9, False), (1 + 1e-9, True)):
        p = {**cell.parameters, "G": float(cell.parameters["G"]) * factor}
        reason = unfit(requirements(statement, replace(cell, parameters=p)))
        assert (reason is not None) is refused


@pytest.mark.parametrize("name", ["gradient_norm", "squared_gradient_norm"])
def test_it_is_never_above_the_measure(name: str) -> None:
    """In floats, and as the root of a fraction."""
    exact = {n: fractions_of(rows) for n, rows in ONE_CURVATURE.items()}
    start = [Fraction(1), Fraction(2)]
    true = Fraction(1 - 2) ** 2 + Fraction(5, 2) ** 2
    root = name == "squared_gradient_norm"
    statement = stated(lower_at_start(name, root=root))
    found = certify_numbers(statement, build("quadratic.diagonal", **exact), start)["G"]
    assert 0 < true - found**2 < 1e-9
    in_floats = certify_numbers(
        statement, build("quadratic.diagonal", **ONE_CURVATURE), [float(x) for x in start]
    )["G"]
    assert in_floats < np.sqrt(float(true)) < in_floats * (1 + 1e-11)


def test_what_is_known_from_above_alone_is_refused() -> None:
    with pytest.raises(MalformedStatement, match="distance is not known from below"):
        lower_at_start("distance")


def keep_a_share(share: Expr) -> Statement:
    """f(x_K) - f* >= share of what it was, as an upper bound on its negative."""
    whole = stated(at_start("gradient_norm"))
    symbols = {s.name: s for s in whole.symbols | whole.choices[0].expression.free_symbols}
    term = Term("what stays", -share * symbols["Delta"], "none", non_negative=False)
    return replace(whole, left=-symbols["next_gap"], terms=(term,), example={"L": 1, "Delta": 1})


@pytest.mark.parametrize("share", [Rational(1, 2), (1 - sqrt(2)) ** 3 + 1])
def test_a_gap_that_the_bound_subtracts_is_taken_from_below(share: Expr) -> None:
    """It is a value less another one: near the minimizer what rounds the values is not small beside it."""
    statement, start = keep_a_share(share), [2.0 + 1e-7, -0.5]
    problem = build("quadratic.diagonal", **ONE_CURVATURE)
    below = certify_numbers(statement, problem, start)["Delta"]
    above = certify_numbers(stated(at_start("gradient_norm")), problem, start)["Delta"]
    true = (Fraction(start[0]) - 2) ** 2 / 2
    assert below <= true <= above
    assert above - below > 1e-3 * float(true)
    exact = build("quadratic.diagonal", **{n: fractions_of(rows) for n, rows in ONE_CURVATURE.items()})
    assert certify_numbers(statement, exact, [Fraction(x) for x in start])["Delta"] == true


def test_the_example_says_which_side_is_safe_where_no_formula_does() -> None:
    """(1 - 2/5)^3 has a sign; of (1 - eta L)^3 only the example knows it."""
    L = next(s for s in stated(at_start("gradient_norm")).symbols if s.name == "L")
    for share, lower in (((2 - L) ** 3, True), ((L - 2) ** 3, False)):
        parts = measures.parts_at_start(keep_a_share(share))
        assert parts["Delta"].lower is lower
