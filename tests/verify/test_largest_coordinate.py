"""On the largest coordinate no method of subgradients is better than its bound: a smaller constant falls."""

from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Integer, Rational, sqrt

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, LIPSCHITZ_CLIENTS, SMOOTH_CLIENTS
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.finding import Verdict
from bounds.language.part import constant
from bounds.language.quantity import POSITIVE, Notation, Over, States
from bounds.language.statement import Statement, Term, sets
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.problems import build
from verify.matching.cells.largest_coordinate import ROLE
from verify.matching.cells.on_a_slope import cells_on_a_slope
from verify.runs.check import run_cell

NOTATION = Notation()
K, eta, L, D = enter(NOTATION, "K", "eta", "L", "D")
G = NOTATION.quantity("G", "G", "longest slope", POSITIVE, F / X, part=constant("lipschitz"))
last = NOTATION.observable("last", "g", "last gap", F, Over.LAST, measured="gap")
mean = NOTATION.observable(
    "mean", "m", "mean gap", F, Over.UNIFORM_ROUND, measured="gap", states=States.BEFORE_A_ROUND
)
PAPER = paper("largest", NOTATION)
TUNED = sets(eta, D / (G * sqrt(K + 1)), locator="x")


def constant_steps(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients.gradient(x)


def falling_steps(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Steps that fall to zero evenly: Zamani and Glineur bound the last gap by G D/sqrt(K + 1)."""
    x, k = state["x"], state["k"]
    share = (settings.rounds - k) / (settings.rounds + 1)
    return {"x": x - settings.step * share * clients.gradient(x), "k": k + 1}


CONSTANT = adopt(Algorithm(round=constant_steps, settings={"step": REQUIRED}))
FALLING = adopt(
    Algorithm(
        round=falling_steps, begin=lambda x, clients, settings: {"x": x, "k": 0}, settings={"step": REQUIRED}
    )
)


def stated(left: Any, right: Any, algorithm: str, names: str, *choices: Any, **more: Any) -> Statement:
    example = {"K": 20, "eta": 0.1, "D": 2, "G": 1, "L": 1}
    usual = {"assumptions": (CONVEX_CLIENTS, LIPSCHITZ_CLIENTS), "choices": choices, "algorithm": algorithm}
    given = {"example": {name: example[name] for name in names.split()}}
    return discovery.adopt(state(PAPER, left, Term("all", right, "slopes"), **(usual | given | more)))


def bound_mean(share: Any) -> Statement:
    """D^2/(2 eta K) + eta G^2/2 bounds the mean gap of steps of one length."""
    return stated(mean, D**2 / (2 * eta * K) + share * eta * G**2 / 2, CONSTANT, "K eta D G")


def bound_last(share: Any) -> Statement:
    return stated(last, share * D * G / sqrt(K + 1), FALLING, "K D G", TUNED)


@pytest.mark.parametrize(
    ("make", "share", "verdict"),
    [
        (bound_mean, Integer(1), Verdict.HOLDS),
        (bound_mean, Rational(9, 10), Verdict.VIOLATED),
        (bound_last, Integer(1), Verdict.HOLDS),
        (bound_last, Rational(19, 20), Verdict.VIOLATED),
    ],
)
def test_a_smaller_constant_falls(make: Any, share: Any, verdict: Verdict) -> None:
    (cell,) = (cell for cell in cells_on_a_slope(make(share)) if cell.role == ROLE)
    assert run_cell(cell, level=1e-6, seed=1, replicates=8).verdict is verdict


def test_a_step_that_the_curvature_limits_has_no_such_cell() -> None:
    limit = at_most(eta, 1 / L, locator="x", printed="x")
    smooth = {"assumptions": (CONVEX_CLIENTS, SMOOTH_CLIENTS, LIPSCHITZ_CLIENTS), "conditions": (limit,)}
    statement = stated(mean, D * G, CONSTANT, "K eta D G L", **smooth)
    assert ROLE not in {cell.role for cell in cells_on_a_slope(statement)}


def test_the_slope_points_along_the_largest_coordinate() -> None:
    problem = build("log_sum_exp.coordinates", clients=1, dimension=3, temperature=0.001)
    assert problem.gradient(np.array([[0.1, -0.3, 0.2]])) == pytest.approx(np.array([[0, -1, 0]]), abs=1e-12)
    assert problem.minimiser() == pytest.approx(np.zeros(3), abs=1e-12)
