"""What coordinates that share one curvature show: steps along one of them undo those along others.

A sweep makes a step of eta <= 1/L along each coordinate in turn. With g_i the derivative that step i uses,
f falls by eta/2 sum g_i^2 at least, and |grad_i f(x_k)| <= |g_i| + L ||x^i - x_k||, where ||x^i - x_k||^2 is
eta^2 sum g_j^2 over j < i. So ||grad f(x_k)||^2 <= 2 (1 + (d - 1) eta^2 L^2) sum g_i^2, and its mean over K
rounds is at most 4 (1 + (d - 1) eta^2 L^2) Delta/(eta K). The 2 Delta/(eta K) of gradient descent is less.
"""

from dataclasses import replace
from typing import Any

import pytest
from strangers import enter, paper, state_with_example
from sympy import Expr

from bounds import discovery
from bounds.language.assumptions import BOUNDED_BELOW, CONVEX_CLIENTS, MINIMUM_ATTAINED, SMOOTH_CLIENTS
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.quantity import Notation, Over, States
from bounds.language.statement import Statement
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.matching.cells.sharp import sharp_cells
from verify.matching.cells.sharp_problems import SHARP
from verify.runs.check import run_cell

NOTATION = Notation()
K, eta, L, D, Delta, d = enter(NOTATION, "K", "eta", "L", "D", "Delta", "d")
PAPER = paper("coupled", NOTATION)
BEFORE = States.BEFORE_A_ROUND
SLOPE = NOTATION.observable(
    "slope", "x", "x", (F / X) ** 2, Over.UNIFORM_ROUND, measured="squared_gradient_norm", states=BEFORE
)
GAP = NOTATION.observable("gap", "x", "x", F, Over.UNIFORM_ROUND, measured="gap", states=BEFORE)
EXAMPLE = {"K": 20, "eta": 0.5, "L": 1, "D": 2, "Delta": 2, "d": 4}
COUPLED = "quadratics coupled"


def sweep(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    for i in range(len(x)):
        x[i] -= settings.step * clients.gradient(x)[i]
    return x


def descend(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients.gradient(x)


def falls(statement: Statement, round: Any, role: str) -> bool:
    name = adopt(Algorithm(round=round, settings={"step": REQUIRED}))
    adopted = discovery.adopt(replace(statement, algorithm=name))
    with pytest.MonkeyPatch.context() as patch:  # the constants of the other problems take most of the time
        patch.setattr("verify.matching.cells.sharp.SHARP", [one for one in SHARP if one.title == role])
        (cell,) = sharp_cells(adopted, ())
    return run_cell(cell, level=1e-4, seed=1, replicates=2).verdict.value == "violated"


def test_the_rate_of_descent_is_not_that_of_sweeps() -> None:
    def stated(right: Expr) -> Statement:
        step = at_most(eta, 1 / L, locator="coupled", printed="x")
        return state_with_example(PAPER, EXAMPLE, SLOPE, right, (SMOOTH_CLIENTS, BOUNDED_BELOW), step)

    assert not falls(stated(4 * (1 + (d - 1) * eta**2 * L**2) * Delta / (eta * K)), sweep, COUPLED)
    assert falls(stated(2 * Delta / (eta * K)), sweep, COUPLED)
    assert not falls(stated(2 * Delta / (eta * K)), descend, COUPLED)


def test_a_bound_that_is_too_small_for_the_start_falls_in_one_round() -> None:
    """The gap at the start is L D^2/2 along the greatest curvature."""

    def stated(right: Expr) -> Statement:
        step = at_most(eta, 1 / L, locator="coupled", printed="x")
        assumptions = (SMOOTH_CLIENTS, CONVEX_CLIENTS, MINIMUM_ATTAINED)
        return state_with_example(PAPER, EXAMPLE, GAP, right, assumptions, step, names="eta K")

    once = f"{COUPLED}, one round"
    assert not falls(stated(L * D**2 / 2), descend, once)
    assert falls(stated(99 * L * D**2 / 200), descend, once)
