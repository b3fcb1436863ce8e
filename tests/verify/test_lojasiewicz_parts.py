"""A Lojasiewicz inequality is told from what its quantities stand for, not from what they are called."""

from dataclasses import replace
from typing import Any

import pytest
from strangers import enter, paper, state
from sympy import Rational

from bounds import discovery
from bounds.language.assumptions import LOJASIEWICZ, SMOOTH_CLIENTS
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.part import at_start, lower_constant, setting
from bounds.language.quantity import NATURAL, NON_NEGATIVE, POSITIVE, Notation, Over
from bounds.language.statement import Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.problems import build
from verify.answer import check
from verify.matching.assumptions import unmet
from verify.matching.cells.grounds import unfit
from verify.matching.cells.standard import cells
from verify.matching.constants.pinned import fixed_in, pinned_in


def descent(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients.gradient(x)


ALGORITHM = Algorithm(round=descent, settings={"step": REQUIRED})


def stated(curvature: str, part: Any, rate: Any) -> Statement:
    """f(x_K) - f* <= (1 - eta mu)^K (f(x_0) - f*) where ||grad f||^2 >= 2 mu (f - f*) and eta <= 1/L."""
    notation = Notation()
    q = notation.quantity
    K = q("K", "K", "rounds", NATURAL, part=setting("rounds"))
    eta, L = enter(notation, "eta", "L")
    mu = q(curvature, r"\mu", "strong convexity", POSITIVE, F / X**2, part=part)
    start = q("G", "G", "gap at the start", NON_NEGATIVE, F, part=at_start("gap"))
    gap = notation.observable("gap", "gap", "gap", F, Over.LAST, measured="gap")
    return state(
        paper("stranger", notation),
        gap,
        Term("start", (1 - rate * eta * mu) ** K * start, "the way"),
        assumptions=(SMOOTH_CLIENTS, LOJASIEWICZ),
        conditions=(at_most(eta, 1 / L, locator="stranger", printed="x"),),
        example={"K": 20, "eta": 0.1, "L": 1, curvature: 0.1, "G": 1},
    )


@pytest.mark.thinned(3)
@pytest.mark.parametrize("curvature", ["mu", "alpha", "mu_1"])
@pytest.mark.slow("a search beside the cells")
def test_a_curvature_is_not_taken_for_the_constant_of_the_inequality(curvature: str) -> None:
    """The mean of the clients has more curvature than twice that of the flattest client."""
    part = lower_constant("strong_convexity")
    true = check(stated(curvature, part, 1), algorithm=ALGORITHM, quick=True, search=0)
    verdicts = {cell["role"]: cell["verdict"] for cell in true.cells}
    assert "heterogeneous" in verdicts
    assert set(verdicts.values()) == {"holds"}
    cell = next(cell for cell in cells(true.statement) if cell.role == "heterogeneous")
    assert not {curvature} & (fixed_in(cell, {}) | pinned_in(cell, {}, set()).keys())
    assert check(stated(curvature, part, 4), algorithm=ALGORITHM, quick=True, search=0).refuted


def test_the_constant_of_the_inequality_is_compared_under_any_name() -> None:
    problem = build("quadratic.small")  # 0.1 is the smallest curvature of a client, so that mu is 0.2
    for part in (lower_constant("lojasiewicz"), lower_constant("client_strong_convexity", times=2)):
        statement = stated("steepness", part, 1)
        assert unmet(statement, problem, {"steepness": 0.19}) is None
        assert unmet(statement, problem, {"steepness": 0.21}) == (
            "lojasiewicz at the iterates: certified: exponent 1, constant 0.2; "
            "claimed: exponent 1, constant 0.21"
        )


def test_a_constant_without_an_exponent_is_that_of_the_exponent_one() -> None:
    """The gap falls by 1 - eta m/2 in a step, but ever less on lojasiewicz.small, whose exponent is 3/2."""
    statement = stated("m", lower_constant("lojasiewicz"), Rational(1, 2))
    of_another = unmet(statement, build("lojasiewicz.small"), {"m": 0.01, "reach": 3.0})
    assert "certified: exponent 1.5" in str(of_another)
    unlooked = discovery.adopt(replace(statement, assumptions=(SMOOTH_CLIENTS,)))
    assert not cells(unlooked)
    assert unfit(unlooked, build("lojasiewicz.small")) == (
        'm: its exponent here is 1.5, which no quantity takes with constant("lojasiewicz_exponent")'
    )
