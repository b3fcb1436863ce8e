"""A factor of what the choice of clients costs is hidden by noise: n - 1 in the place of n shows without it.

Clients h/2 ||x - c_i||^2, of which m of n are drawn; each sends a gradient with noise of the variance sigma^2
in each of d coordinates. With r = 1 - eta h and s^2 the mean of ||grad f_i(x*)||^2,

    E||x_K - x*||^2 = r^(2K) D^2 + (1 - r^(2K))/(1 - r^2) eta^2 ((n - m)/(m (n - 1)) s^2 + d sigma^2/m).
"""

from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Expr

from bounds import discovery
from bounds.language.condition import at_least, at_most
from bounds.language.dimension import F, X
from bounds.language.finding import Verdict
from bounds.language.part import constant, setting
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, POSITIVE_INTEGER, Notation, Over
from bounds.language.statement import Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.outside.claims import given_at_least, given_at_most
from synthetic.outside.own_problem import OwnProblem
from synthetic.outside.problems import adopt_problem
from verify.matching.cells.standard import cells
from verify.runs.check import run_cell

NOTATION = Notation()
q = NOTATION.quantity
K, eta, n, d, D, s = enter(NOTATION, "K", "eta", "n", "d", "D", "s")
h = q("h", "h", "curvature", POSITIVE, F / X**2, part=constant("smoothness"))
m = q("m", "m", "clients of a round", POSITIVE_INTEGER, part=setting("clients_per_round"))
sigma = q("sigma", r"\sigma", "noise of a coordinate", NON_NEGATIVE, F / X, part=setting("noise_scale"))
away = NOTATION.observable("away", "x", "squared distance", X**2, Over.LAST, measured="squared_distance")
NAMES = ("step", "clients_per_round", "noise_scale")
ROLE = "few clients, weak noise near the minimizer"


def drawn_clients(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    gradients = clients.gradients(x)
    noise = settings.noise_scale * random.standard_normal(gradients.shape)
    taken = random.random(gradients.shape[:-1]).argsort(axis=-1) < settings.clients_per_round
    sent = (gradients + noise) * taken[..., None]
    return x - settings.step * sent.sum(axis=-2) / settings.clients_per_round


def alike() -> OwnProblem:
    centers = np.random.default_rng(1).standard_normal((4, 3))
    curvature = 0.5
    return OwnProblem(
        clients=4,
        dimension=3,
        value=lambda i, x: curvature / 2 * ((x - centers[i]) ** 2).sum(axis=-1),
        gradient=lambda i, x: curvature * (x - centers[i]),
        minimizer=centers.mean(axis=0),
        constants={
            "smoothness": given_at_most(curvature, because="its Hessian"),
            "strong_convexity": given_at_least(curvature, because="its Hessian"),
        },
        convex=True,
        quadratic=True,
        batched=True,
    )


def stated(choice: Expr) -> Statement:
    r = 1 - eta * h
    often = (1 - r ** (2 * K)) / (1 - r**2) * eta**2
    made = state(
        paper("drawn", NOTATION),
        away,
        Term("start", r ** (2 * K) * D**2, "the start"),
        Term("choice", often * choice * s**2, "the choice of clients"),
        Term("noise", often * d * sigma**2 / m, "noise"),
        conditions=(
            at_most(eta, 1 / (2 * h), locator="drawn", printed="x"),
            at_most(m, n, locator="drawn", printed="x"),
            at_least(n, 2, locator="drawn", printed="x"),
        ),
        example={"K": 20, "eta": 0.5, "h": 0.5, "n": 4, "m": 2, "d": 3, "D": 2, "s": 1, "sigma": 1},
        algorithm=adopt(
            Algorithm(round=drawn_clients, settings=dict.fromkeys(NAMES, REQUIRED), batched=True)
        ),
        problems=(adopt_problem(alike(), "alike"),),
    )
    return discovery.adopt(made)


def judge_in(role: str, statement: Statement) -> Verdict:
    (cell,) = (cell for cell in cells(statement) if cell.role == role)
    return run_cell(cell, level=1e-5, seed=1, replicates=4096).verdict


def test_a_slip_of_one_client_falls_only_where_noise_is_weak() -> None:
    slip = stated((n - m) / (m * n))
    assert judge_in(ROLE, slip) is Verdict.VIOLATED
    assert judge_in("few clients near the minimizer", slip) is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("times", [1, 2])
def test_the_true_cost_of_the_choice_stands(times: int) -> None:
    verdict = judge_in(ROLE, stated(times * (n - m) / (m * (n - 1))))
    assert verdict is (Verdict.INCONCLUSIVE if times == 1 else Verdict.HOLDS)  # once it is an equality
