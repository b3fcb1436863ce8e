"""Functions that are flat as far as a run comes: smaller constants fall there, whatever the steps."""

import os
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Integer, Rational, sqrt

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED, SMOOTH_CLIENTS
from bounds.language.condition import at_most
from bounds.language.dimension import F
from bounds.language.finding import Verdict
from bounds.language.part import setting
from bounds.language.quantity import POSITIVE_INTEGER, Notation, Over, States
from bounds.language.statement import Statement, Term, sets
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.matching import watched_calls
from verify.matching.cells.on_a_slope import ENDS, cells_on_a_slope
from verify.matching.cells.standard import cells
from verify.runs.check import run_cell
from verify.workers.watched import watched

NOTATION = Notation()
K, E, eta, L, D, Delta = enter(NOTATION, "K", "E", "eta", "L", "D", "Delta")
J = NOTATION.quantity("J", "J", "levels of the schedule", POSITIVE_INTEGER, part=setting("levels"))
gap = NOTATION.observable("gap", "g", "last gap", F, Over.LAST, measured="gap")
mean_gap = NOTATION.observable(
    "mean_gap", "m", "mean gap", F, Over.UNIFORM_ROUND, measured="gap", states=States.BEFORE_A_ROUND
)
PAPER = paper("slope", NOTATION)
CONVEX = (CONVEX_CLIENTS, SMOOTH_CLIENTS, MINIMUM_ATTAINED)
COMES, TWICE = ENDS
EXAMPLE = {"K": 20, "E": 3, "eta": 0.1, "L": 1, "D": 2, "J": 3}


def local(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    for _ in range(settings.local_steps):
        x = x - settings.step * clients.gradient(x)
    return x


def silver(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Steps (1 + (1 + sqrt(2))^(v - 1))/L, where 2^v is the power of two in i: a round is a run."""
    for i in range(1, 2**settings.levels):
        power = (i & -i).bit_length() - 1
        x = x - settings.step * (1 + (1 + np.sqrt(2)) ** (power - 1)) * clients.gradient(x)
    return x


LOCAL = Algorithm(round=local, settings={"step": REQUIRED, "local_steps": REQUIRED})
SILVER = Algorithm(round=silver, settings={"step": REQUIRED, "levels": REQUIRED})


def stated(algorithm: Algorithm, left: Any, right: Any, **more: Any) -> Statement:
    names = {s.name for s in right.free_symbols} | {"L", *more.pop("names", ())}
    made = state(
        PAPER,
        left,
        Term("right side", right, "distance"),
        assumptions=CONVEX,
        algorithm=adopt(algorithm),
        example={name: value for name, value in EXAMPLE.items() if name in names},
        **more,
    )
    return discovery.adopt(made)


def descent(share: Any) -> Statement:
    """D^2/(2 eta E K) bounds the mean gap of local steps of one function."""
    limit = at_most(eta, 1 / (4 * L * E), locator="x", printed="x")
    return stated(LOCAL, mean_gap, share * D**2 / (2 * eta * K), conditions=(limit,), names=("eta", "E"))


def schedule(share: Any) -> Statement:
    """Altschuler and Parrilo: L D^2/(1 + sqrt(4 (1 + sqrt(2))^(2 J) - 3)) after 2^J - 1 steps."""
    right = share * L * D**2 / (1 + sqrt(4 * (1 + sqrt(2)) ** (2 * J) - 3))
    step = sets(eta, 1 / L, locator="x")
    return stated(SILVER, gap, right, choices=(step,), run_with={"rounds": 1})


def judge(statement: Statement) -> dict[str, Verdict]:
    made = {cell.role: cell for cell in cells_on_a_slope(statement)}
    assert made.keys() == {COMES, TWICE}
    return {r: run_cell(c, level=1e-6, seed=1, replicates=8).verdict for r, c in made.items()}


@pytest.mark.parametrize(
    ("make", "share", "falls"),
    [
        (descent, Integer(1), set()),
        (descent, 3 / (4 * E), {COMES}),
        (schedule, Integer(1), set()),
        (schedule, Rational(1, 2), {TWICE}),
    ],
    ids=["mean gap", "three quarters of it, by the local steps", "schedule", "half of it"],
)
def test_a_bound_that_is_reached_falls_with_a_smaller_constant(
    make: Any, share: Any, falls: set[str]
) -> None:
    found = judge(make(share))
    assert {role for role, verdict in found.items() if verdict is Verdict.VIOLATED} == falls


def test_no_other_cell_shows_half_of_the_schedule() -> None:
    statement = schedule(Rational(1, 2))
    others = [cell for cell in cells(statement) if "flat from" in cell.role]
    assert len(others) == 2
    verdicts = {run_cell(cell, level=1e-6, seed=1, replicates=8).verdict for cell in others}
    assert Verdict.VIOLATED not in verdicts


def test_a_method_that_moves_without_a_slope_has_no_such_cell() -> None:
    def away(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        return x + 1.0

    still = Algorithm(round=away, settings={"step": 1.0, "local_steps": 1})
    assert list(cells_on_a_slope(stated(still, mean_gap, L * D**2, names=("K",)))) == []


def test_a_round_that_ends_its_process_is_called_once_while_cells_are_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It ends a copy of this process; its cells exist, and are refused when they are judged."""

    def leave(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        os._exit(3)

    statement = stated(
        Algorithm(round=leave, settings={"step": REQUIRED, "local_steps": 1}),
        mean_gap,
        D**2 / (eta * K),
        names=("eta",),
    )
    copies = []
    monkeypatch.setattr(watched_calls, "watched", lambda function: (copies.append(1), watched(function))[1])
    for _ in range(2):
        assert not any(cell.role in ENDS for cell in cells(statement))
    assert len(copies) == 1
