"""What an author subtracts may leave nothing but roundings, and these are as large in every run.

Points that halve their distance from their mean have the spread S_0/4^K exactly. Written as the mean of the
squares less the square of the mean it is a difference of numbers near 40, of which 2e-13 is a few last bits;
the same ones recur in many runs.
"""

from dataclasses import replace
from itertools import cycle
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Expr

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS
from bounds.language.dimension import X
from bounds.language.finding import Verdict
from bounds.language.part import at_start
from bounds.language.quantity import NON_NEGATIVE, Notation, Over
from bounds.language.statement import Statement, Term
from synthetic.outside.algorithm import Algorithm
from synthetic.outside.algorithms import adopt
from verify.cell import Cell
from verify.falsify import fresh_run
from verify.falsify.fresh_run import confirm_run, instance_of
from verify.matching.measurements.measurement import Computed
from verify.runs import rounding
from verify.runs.check import CellResult, run_cell
from verify.runs.judge import Interval, Judged

NOTATION = Notation()
(K,) = enter(NOTATION, "K")
S = NOTATION.quantity("S", "S_0", "spread at the start", NON_NEGATIVE, X**2, part=at_start("spread"))
spread = NOTATION.observable("spread", "S_K", "spread", X**2, Over.LAST, measured="spread")
PAPER = paper("spread", NOTATION)


def begin(x0: Any, clients: Any, settings: Any) -> Any:
    return {"x": x0, "points": x0 + np.eye(len(clients), len(x0))}


def halve(at: Any, clients: Any, settings: Any, random: Any) -> Any:
    points = at["points"]
    return {"x": at["x"], "points": points - 0.5 * (points - points.mean(axis=0))}


def measure(at: Any, clients: Any, settings: Any) -> Any:
    points = at["points"]
    return (points**2).sum(axis=1).mean() - (points.mean(axis=0) ** 2).sum()


def stated(bound: Expr) -> Statement:
    algorithm = Algorithm(round=halve, begin=begin, settings={}, observables={"spread": measure})
    of = state(
        PAPER,
        spread,
        Term("spread", bound, "points that are apart"),
        assumptions=(CONVEX_CLIENTS,),
        example={"S": 1, "K": 20},
    )
    return discovery.adopt(replace(of, algorithm=adopt(algorithm)))


def judge(bound: Expr, rounds: int, start: float) -> CellResult:
    return run_cell(cell_of(stated(bound), rounds, start), level=1e-6, seed=1, replicates=64)


def cell_of(statement: Statement, rounds: int, start: float) -> Cell:
    """Two clients in one coordinate, whose points are 1 apart: S_0 is 1/4."""
    return Cell(
        statement=statement.id,
        variant=statement.variant,
        role="x",
        problem="quadratic.diagonal",
        problem_arguments={"curvatures": ((1.0,), (1.0,)), "centers": ((1.0,), (-1.0,))},
        algorithm=str(statement.algorithm),
        parameters={"K": rounds, "S": 0.25 + 1e-13},  # the spread at the start is rounded too
        engine={"start": [start]},
    )


START = 6.109999999999999  # where the last bits are above the bound, in the first disturbed run too


def test_what_a_difference_leaves_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge(S / 4**K, 20, START).verdict is Verdict.INCONCLUSIVE
    # the planted defect: a single disturbed run decides
    monkeypatch.setattr(rounding, "recurs", lambda *_: True)
    assert judge(S / 4**K, 20, START).verdict is Verdict.VIOLATED


def test_a_search_does_not_confirm_it_either(monkeypatch: pytest.MonkeyPatch) -> None:
    statement = stated(S / 4**K)
    instance = instance_of(cell_of(statement, 20, START), 1)
    # moved data show it here, and do not everywhere
    monkeypatch.setattr(fresh_run, "_stands", lambda *_: True)
    assert "rounded otherwise" in confirm_run(statement, instance, 1e-7).sentence
    monkeypatch.setattr(fresh_run, "recurs", lambda *_: True)  # the planted defect
    assert confirm_run(statement, instance, 1e-7).refutes


@pytest.mark.parametrize(
    ("again", "recurs"),
    [([0.4, 0.6], True), ([inf, inf], True), ([0.5, -0.1], False), ([1e-3, 0.5], False), ([nan, 0.5], False)],
    ids=["hardly changed", "diverged", "the other sign", "next to nothing", "not known"],
)
def test_a_refutation_recurs_if_it_hardly_changes(again: list[float], recurs: bool) -> None:
    runs = cycle(again)
    main = Computed(observables={}, rounding=dict)
    first = judged(inf if again[0] == inf else 0.5)
    assert rounding.recurs(first, main, lambda: judged(next(runs))) is recurs


def judged(excess: float) -> Judged:
    """Violated by this excess, or not."""
    interval = Interval(estimate=excess, lower=None, upper=None)
    verdict = Verdict.VIOLATED if excess > 0 else Verdict.HOLDS
    return Judged(measured=interval, excess=interval, verdict=verdict, method="", sentence="")


def test_a_rate_that_is_too_fast_is_refuted_beside_the_same_roundings() -> None:
    assert judge(S / 5**K, 20, START).verdict is Verdict.VIOLATED
    assert judge(S / 5**K, 1, START).verdict is Verdict.VIOLATED
