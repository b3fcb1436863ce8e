"""True theorems that float64 seemed to refute: a right side that cancels, a measure that is a rounding."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from strangers import SPREAD, enter, paper, state
from sympy import Rational

from bounds import discovery
from bounds.language.assumptions import SMOOTH_CLIENTS
from bounds.language.dimension import F, X
from bounds.language.finding import Verdict
from bounds.language.part import constant, setting
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, POSITIVE_INTEGER, Notation, Over, States
from bounds.language.statement import Statement, Term
from synthetic.certified.facts import certified_upper, single
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.problems import build
from verify.audit.satisfiable.judge import judge
from verify.cell import Cell
from verify.falsify.fresh_run import confirm_run, instance_of
from verify.matching.linear_bound import linear_bound
from verify.runs.check import run_cell

PROBLEM = build("quadratic.small")
NOTATION = Notation()
q = NOTATION.quantity
K, eta, n = enter(NOTATION, "K", "eta", "n")
L = q("L", "L", "smoothness of f", POSITIVE, F / X**2, part=constant("mean_smoothness"))
s = q("s", "s", "clients in a round", POSITIVE_INTEGER, part=setting("clients_per_round"))
star = q("star", r"\zeta_*", "of the clients at x*", NON_NEGATIVE, F / X, part=SPREAD)
pull = NOTATION.observable(
    "pull", "p", "mean", F**2 / X**2, Over.LAST, states=States.AFTER_A_ROUND, measured="pull"
)
PAPER = paper("rounded", NOTATION)
APART = PROBLEM.constants()["mean_squared_client_gradient_at_minimiser"]
STAR = math.sqrt(single(certified_upper("apart", APART))) * (1 + 1e-12)


def draw(at: Any, clients: Any, settings: Any, random: Any) -> Any:
    chosen = random.permutation(len(clients))[: settings.clients_per_round]
    return {"x": at["x"], "chosen": tuple(int(i) for i in chosen)}


def stated(share: Any, scale: Any = 1) -> Statement:
    """E||mean of the gradients at x* of s of n clients||^2 = (n-s)/(s(n-1)) of the mean of their squares."""
    bound = share * scale * (n - s) / (s * (n - 1)) * star**2

    def measure(at: Any, clients: Any, settings: Any) -> Any:
        there = clients.gradients_at_minimizer[list(at["chosen"])]
        return float(scale) * float(np.sum(there.mean(axis=0) ** 2)) if len(there) else 0.0

    algorithm = Algorithm(
        round=draw,
        begin=lambda x0, clients, settings: {"x": x0, "chosen": ()},
        settings={"clients_per_round": REQUIRED},
        observables={"pull": measure},
    )
    of = state(
        PAPER,
        pull,
        Term("spread", bound, "the clients that are not drawn"),
        assumptions=(SMOOTH_CLIENTS,),
        example={"n": 5, "s": 2, "star": 1},
        run_with={"rounds": 1},
    )
    return discovery.adopt(replace(of, algorithm=adopt(algorithm)))


def draw_of(statement: Statement, drawn: int) -> Cell:
    return Cell(
        statement=statement.id,
        variant=statement.variant,
        algorithm=str(statement.algorithm),
        role="heterogeneous",
        problem="quadratic.small",
        problem_arguments={},
        parameters={"n": 5, "s": drawn, "star": STAR},
        engine={"start": [1.0] * PROBLEM.dimension},
    )


def judged(statement: Statement, drawn: int) -> Verdict:
    cell = draw_of(statement, drawn)
    found = run_cell(cell, level=1e-5, seed=1, replicates=512).verdict
    confirmed = confirm_run(statement, instance_of(cell, 1), 1e-5).refutes
    assert confirmed is (found is Verdict.VIOLATED)
    return found


def test_what_is_a_rounding_of_zero_refutes_nothing() -> None:
    """All 5 of 5 clients have the mean 0, up to 1e-33 in other orders of them."""
    assert judged(stated(1), 5) is Verdict.INCONCLUSIVE
    assert judged(stated(Rational(1, 2)), 3) is Verdict.VIOLATED


def test_a_small_measure_that_is_no_rounding_refutes() -> None:
    assert judged(stated(Rational(1, 2), Rational(1, 10**33)), 3) is Verdict.VIOLATED


@pytest.mark.parametrize("away", [1e-9, 1e-3])
def test_a_right_side_that_cancels_is_computed_to_its_digits(away: float) -> None:
    """1 - (1 - eta L)^2 = eta L (2 - eta L), of which float64 has seven digits where eta is nearly 2/L."""
    noise = eta * (1 - (1 - eta * L) ** (2 * K)) / (L * (2 - eta * L))
    of = state(PAPER, pull, Term("noise", noise, ""), example={"K": 1, "eta": 1, "L": 1})
    statement = discovery.adopt(replace(of, algorithm=stated(1).algorithm))
    step = 2 / 0.525 * (1 - away)
    cell = Cell(
        statement=statement.id,
        variant=statement.variant,
        algorithm=str(statement.algorithm),
        role="edge",
        problem="quadratic.small",
        problem_arguments={},
        parameters={"K": 1, "eta": step, "L": 0.525},
        engine={"start": [1.0] * PROBLEM.dimension},
    )
    assert float(linear_bound(statement, cell).constant) == pytest.approx(step**2, rel=1e-14)


def test_a_statement_without_inputs_can_be_met() -> None:
    """Its audit looked for the first of no inputs."""
    of = state(PAPER, pull, Term("one", star**0, ""), assumptions=(SMOOTH_CLIENTS,))
    assert judge(discovery.adopt(of)).sentence
