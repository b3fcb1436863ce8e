"""What an author's round adds up is rounded, also where no product of the engine is disturbed.

Barzilai and Borwein divide two differences of points. After the run has arrived, both are a few last bits:
their quotient, a step that lies between 1/L and 1/mu in real numbers, is any ratio of small whole numbers.
"""

from dataclasses import replace
from typing import Any

import pytest
from strangers import enter, paper, state
from sympy import Expr, Rational

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, STRONGLY_CONVEX
from bounds.language.dimension import F, X
from bounds.language.finding import Verdict
from bounds.language.quantity import Notation, Over
from bounds.language.statement import Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.outside.states import read_only
from verify.cell import Cell
from verify.runs.check import CellResult, run_cell

NOTATION = Notation()
K, eta, L, mu = enter(NOTATION, "K", "eta", "L", "mu")
last_step = NOTATION.observable("step", r"\eta_K", "the last step", X**2 / F, Over.LAST, measured="step")
PAPER = paper("secants", NOTATION)


def begin(x0: Any, clients: Any, settings: Any) -> Any:
    return {"x": x0, "before": x0, "slope": 0 * x0, "step": settings.step, "k": 0}


def divide_differences(at: Any, clients: Any, settings: Any, random: Any) -> Any:
    x, slope, step = at["x"], clients.gradient(at["x"]), at["step"]
    moved, turned = x - at["before"], slope - at["slope"]
    if at["k"] and moved @ turned > 0:
        step = moved @ moved / (moved @ turned)
    return {"x": x - step * slope, "before": x, "slope": slope, "step": step, "k": at["k"] + 1}


def stated(bound: Expr) -> Statement:
    algorithm = Algorithm(
        round=divide_differences,
        begin=begin,
        settings={"step": REQUIRED},
        observables={"step": lambda at, clients, settings: at["step"]},
    )
    of = state(
        PAPER,
        last_step,
        Term("step", bound, "the longest step"),
        assumptions=(CONVEX_CLIENTS, STRONGLY_CONVEX),
        example={"mu": 1, "eta": 1, "K": 20},
    )
    return discovery.adopt(replace(of, algorithm=adopt(algorithm)))


def judge(bound: Expr, rounds: int) -> CellResult:
    """Run on one coordinate, in which the curvatures 1 and 0.05 have the mean 0.525."""
    statement = stated(bound)
    cell = Cell(
        statement=statement.id,
        variant=statement.variant,
        role="x",
        problem="quadratic.diagonal",
        problem_arguments={"curvatures": ((1.0,), (0.05,)), "centers": ((1.0,), (-1.0,))},
        algorithm=str(statement.algorithm),
        parameters={"eta": 1.0, "K": rounds, "mu": 0.52},
        engine={"start": [2.9047619047619047]},
    )
    return run_cell(cell, level=1e-6, seed=1, replicates=64)


def test_a_quotient_of_last_bits_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge(1 / mu, 20).verdict is Verdict.INCONCLUSIVE
    # the planted defect: in a disturbed run nothing that the round adds up is rounded
    monkeypatch.setattr("synthetic.outside.execution.shifted", read_only)
    assert judge(1 / mu, 20).verdict is Verdict.VIOLATED


def test_a_step_that_is_longer_than_claimed_refutes() -> None:
    below = judge(Rational(9, 10) / mu, 2)
    assert below.verdict is Verdict.VIOLATED
    assert below.measured is not None
    assert below.measured.estimate == pytest.approx(1 / 0.525)
