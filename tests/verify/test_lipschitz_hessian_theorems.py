"""A theorem on Lipschitz Hessians: gradients averaged around a point, whose bias is at most M rho^2/2.

The mean of grad f(x + rho e_j) and grad f(x - rho e_j) over the axes is within M rho^2/2 of grad f(x), and a
step of at most 2/(L + mu) contracts by 1 - eta mu: ||x_K - x*|| <= (1 - eta mu)^K D + M rho^2/(2 mu).
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state_with_example
from sympy import Expr, Integer

from bounds.language.assumptions import CONVEX_CLIENTS, LIPSCHITZ_HESSIANS, SMOOTH_CLIENTS, STRONGLY_CONVEX
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.part import constant, setting
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, Notation, Over
from bounds.language.statement import Statement
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.problems import build
from verify.answer import check
from verify.matching.assumptions import unmet

NOTATION = Notation()
K, eta, L, mu, D = enter(NOTATION, "K", "eta", "L", "mu", "D")
M = NOTATION.quantity("M", "M", "x", NON_NEGATIVE, F / X**3, part=constant("hessian_lipschitz"))
rho = NOTATION.quantity("rho", r"\rho", "x", POSITIVE, X, part=setting("radius"))
LENGTH = NOTATION.observable("length", "x", "x", X, Over.LAST, measured="length")
EXAMPLE = {"K": 20, "eta": 0.1, "L": 1, "mu": 0.1, "D": 2, "M": 1, "rho": 0.5}


def descend_around(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    moves = settings.radius * np.eye(len(x))
    total = sum(clients.gradient(x + move) + clients.gradient(x - move) for move in moves)
    return x - settings.step * total / (2 * len(x))


AROUND = Algorithm(
    round=descend_around,
    settings={"step": REQUIRED, "radius": REQUIRED},
    observables={"length": lambda x, clients, settings: np.linalg.norm(x - clients.minimizer)},
)


def state_around(bias: Expr) -> Statement:
    assumptions = (CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX, LIPSCHITZ_HESSIANS)
    step = at_most(eta, 2 / (L + mu), locator="around", printed="x")
    right = (1 - eta * mu) ** K * D + bias
    return state_with_example(
        paper("around", NOTATION), EXAMPLE, LENGTH, right, assumptions, step, names="rho"
    )


TRUE = state_around(M * rho**2 / (2 * mu))


@pytest.mark.slow("two theorems on every cell of a problem of data")
def test_the_theorem_stays_and_without_its_bias_it_falls() -> None:
    problem = build("logistic.small", clients=2, dimension=2, samples=5)
    assert not check(TRUE, algorithm=AROUND, problem=problem, quick=True, search=0).refuted
    assert check(state_around(Integer(0)), algorithm=AROUND, problem=problem, quick=True, search=0).refuted


@pytest.mark.parametrize("name", ["huber.small", "quadratic.small"])
def test_a_kink_of_the_gradient_has_no_such_constant(name: str) -> None:
    refused = unmet(replace(TRUE, assumptions=(LIPSCHITZ_HESSIANS,)), build(name), {})
    assert (refused is None) == (name == "quadratic.small")
