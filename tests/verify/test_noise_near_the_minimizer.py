"""Noise that a bound forgets shows near the minimizer: where it is strong, and where mu is far below L."""

from dataclasses import replace
from typing import Any

from sympy import Expr

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.finding import Verdict
from bounds.language.part import at_start, constant, lower_constant, setting
from bounds.language.quantity import NATURAL, NON_NEGATIVE, POSITIVE, POSITIVE_INTEGER, Notation, Over
from bounds.language.statement import Kind, Paper, Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.matching.cells.standard import cells
from verify.runs.check import run_cell

NOTATION = Notation()
q = NOTATION.quantity
K = q("K", "K", "rounds", NATURAL, part=setting("rounds"))
eta = q("eta", r"\eta", "step", POSITIVE, X**2 / F, part=setting("step"))
sigma = q("sigma", r"\sigma", "noise", NON_NEGATIVE, F / X, part=setting("noise_scale"))
L = q("L", "L", "smoothness", POSITIVE, F / X**2, part=constant("smoothness"))
mu = q("mu", r"\mu", "strong convexity", POSITIVE, F / X**2, part=lower_constant("strong_convexity"))
d = q("d", "d", "dimension", POSITIVE_INTEGER, part=constant("dimension"))
D = q("D", "D", "distance at the start", NON_NEGATIVE, X, part=at_start("distance"))
distance = NOTATION.observable("distance", "x", "distance", X**2, Over.LAST, measured="squared_distance")
PAPER = Paper(key="stranger", title="", authors="", bibtex="", package="stranger", notation=NOTATION)
STRONG, ILL = "strong noise near the minimizer", "edge of its conditions, near the minimizer, logistic"


def noisy(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * (clients.gradient(x) + settings.noise_scale * random.standard_normal(x.shape))


def stated(noise: Expr) -> Statement:
    """A step contracts by 1 - eta mu, so a+ <= (1 - eta mu) a + eta^2 sigma^2 d."""
    name = adopt(Algorithm(round=noisy, settings={"step": REQUIRED, "noise_scale": REQUIRED}, batched=True))
    statement = Statement(
        locator="stranger",
        kind=Kind.UPPER_BOUND,
        paper=PAPER,
        title="noisy descent",
        printed=("x",),
        reading="",
        left=distance,
        terms=(Term("start", (1 - eta * mu) ** K * D**2, "the way"), Term("noise", noise, "the noise")),
        assumptions=(CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX),
        conditions=(at_most(eta, 1 / L, locator="stranger", printed="x"),),
        example={"K": 20, "eta": 0.1, "sigma": 0.1, "L": 1, "mu": 0.1, "D": 2, "d": 3},
    )
    return discovery.adopt(replace(statement, algorithm=name))


def fallen(noise: Expr) -> set[str]:
    made = {cell.role: cell for cell in cells(stated(noise))}
    verdicts = {
        role: run_cell(made[role], level=1e-5, seed=1, replicates=512).verdict for role in (STRONG, ILL)
    }
    return {role for role, verdict in verdicts.items() if verdict is Verdict.VIOLATED}


def test_a_noise_term_is_judged_where_noise_is_strong_and_where_clients_are_ill_conditioned() -> None:
    true = eta * sigma**2 * d / mu
    assert fallen(true) == set()
    assert STRONG in fallen(true / 5)
    assert fallen(true * mu / L / 2) == {STRONG, ILL}  # 1/mu forgotten
