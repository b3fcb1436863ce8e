"""A probability inside its domain while the step is the longest: at 1 nothing is drawn, no noise is seen."""

from dataclasses import replace
from typing import Any

from strangers import enter, paper, state
from sympy import Expr, Integer, Rational

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX
from bounds.language.condition import at_most
from bounds.language.dimension import X
from bounds.language.finding import Verdict
from bounds.language.part import setting
from bounds.language.quantity import (
    NATURAL,
    Notation,
    Over,
)
from bounds.language.statement import Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.matching.cells.standard import cells
from verify.runs.check import run_cell

NOTATION = Notation()
K = NOTATION.quantity("K", "K", "rounds", NATURAL, part=setting("rounds"))
eta, p, L, mu, n, D, s = enter(NOTATION, "eta", "p", "L", "mu", "n", "D", "s")
distance = NOTATION.observable("distance", "x", "distance", X**2, Over.LAST, measured="squared_distance")
PAPER = paper("stranger", NOTATION)
ROLE = "edge near the minimizer, inside domains"


def inverse_weights(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    taken = random.random((len(x), len(clients), 1)) < settings.probability
    return x - settings.step * (taken * clients.gradients(x)).mean(axis=1) / settings.probability


def over_clients(factor: Expr) -> Statement:
    """With w = (1 - p)/(p n), E||g||^2 <= ||grad f||^2 + w mean ||grad f_i||^2 <= (2L + 4Lw) gap + 2w s^2."""
    w = (1 - p) / (p * n)
    noise = factor * eta * w * s**2 / mu
    return state(
        PAPER,
        distance,
        Term("start", (1 - eta * mu) ** K * D**2, "the way"),
        Term("noise", noise, "the draws"),
        assumptions=(CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX),
        conditions=(at_most(eta, 1 / (L * (1 + 2 * w)), locator="stranger", printed="x"),),
        example={"K": 20, "eta": 0.1, "p": 0.5, "L": 1, "mu": 0.1, "n": 5, "D": 2, "s": 1},
    )


def test_what_the_draws_cost_is_judged_at_the_longest_step() -> None:
    """A quarter of the noise is enough at half of the step; everybody takes part where p is at its limit."""
    algorithm = Algorithm(
        round=inverse_weights, settings={"step": REQUIRED, "probability": REQUIRED}, batched=True
    )
    name = adopt(algorithm)

    def fallen(factor: Expr) -> set[str]:
        made = cells(discovery.adopt(replace(over_clients(factor), algorithm=name)))
        near = [cell for cell in made if "near the minimizer" in cell.role]
        assert ROLE in {cell.role for cell in near}
        verdicts = {cell.role: run_cell(cell, level=1e-4, seed=1, replicates=4096).verdict for cell in near}
        return {role for role, verdict in verdicts.items() if verdict is Verdict.VIOLATED}

    assert fallen(Integer(2)) == set()
    assert fallen(Rational(1, 2)) == {ROLE}
