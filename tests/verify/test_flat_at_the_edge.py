"""Where functions are flat around the start, the longest step is taken: accelerated descent is slowest there.

Nesterov's method has gap_K <= 2 D^2/(eta (K + 1)^2). Along a slope tau the K steps move x by eta tau S with
S = 126 after K = 20, so that Huber functions that are flat from D/(2S + 1) on leave a gap D^2/(eta (4S + 2)).
This is 0.87 of the bound, and more than half of it.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from sympy import Rational

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, SMOOTH_CLIENTS
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.finding import Verdict
from bounds.language.part import at_start, constant, setting
from bounds.language.quantity import NATURAL, NON_NEGATIVE, POSITIVE, Notation, Over
from bounds.language.statement import Kind, Paper, Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.matching.cells.standard import cells
from verify.runs.check import run_cell

NOTATION = Notation()
q = NOTATION.quantity
K = q("K", "K", "rounds", NATURAL, part=setting("rounds"))
eta = q("eta", r"\eta", "step", POSITIVE, X**2 / F, part=setting("step"))
L = q("L", "L", "smoothness of f", POSITIVE, F / X**2, part=constant("mean_smoothness"))
D = q("D", "D", "distance at the start", NON_NEGATIVE, X, part=at_start("distance"))
gap = NOTATION.observable("gap", "g", "gap", F, Over.LAST, measured="gap")
PAPER = Paper(key="stranger", title="", authors="", bibtex="", package="stranger", notation=NOTATION)


def begin(x0: Any, clients: Any, settings: Any) -> Any:
    return {"x": x0, "y": x0, "t": 1.0}


def accelerated(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    x = state["y"] - settings.step * clients.gradient(state["y"])
    t = (1 + np.sqrt(1 + 4 * state["t"] ** 2)) / 2
    return {"x": x, "y": x + (state["t"] - 1) / t * (x - state["x"]), "t": t}


def judged(factor: Any) -> tuple[Verdict, float | None]:
    name = adopt(Algorithm(round=accelerated, begin=begin, settings={"step": REQUIRED}))
    statement = Statement(
        locator="stranger",
        kind=Kind.UPPER_BOUND,
        paper=PAPER,
        title="accelerated descent",
        printed=("x",),
        reading="",
        left=gap,
        terms=(Term("start", factor * 2 * D**2 / (eta * (K + 1) ** 2), "the way"),),
        assumptions=(CONVEX_CLIENTS, SMOOTH_CLIENTS),
        conditions=(at_most(eta, 1 / L, locator="stranger", printed="x"),),
        example={"K": 20, "eta": 0.1, "L": 1, "D": 2},
    )
    made = cells(discovery.adopt(replace(statement, algorithm=name)))
    (flat,) = [cell for cell in made if cell.role == "heterogeneous, huber, flat from 0.008 on"]
    found = run_cell(flat, level=1e-5, seed=1, replicates=64)
    return found.verdict, found.ratio


def test_half_of_the_bound_of_accelerated_descent_falls() -> None:
    verdict, ratio = judged(1)
    assert verdict is Verdict.HOLDS
    assert ratio is not None
    assert abs(ratio - 0.87) < 0.25
    assert judged(Rational(1, 2))[0] is Verdict.VIOLATED
