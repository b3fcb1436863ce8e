"""The search on worst functions: a claim that only they break, and one that they reach and do not break."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Rational

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED, ONE_CLIENT, SMOOTH_CLIENTS
from bounds.language.condition import at_most
from bounds.language.dimension import F
from bounds.language.quantity import Notation, Over
from bounds.language.statement import Statement, Term, sets
from synthetic.errors import Refusal
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.problems import build
from verify.falsify.attempt import falsify_statement
from verify.falsify.confirm import confirm
from verify.falsify.runs import standard
from verify.falsify.trial_of_run import trial_of
from verify.falsify.worst_functions import worst_cells
from verify.worst_case.instance_problem import Data, envelope_through
from verify.worst_case.setting import ProblemClass

pytest.importorskip("clarabel", reason="worst functions are found with clarabel, of the extra tight")

NOTATION = Notation()
L, D, s, n, eta = enter(NOTATION, "L", "D", "s", "n", "eta")
gap = NOTATION.observable("gap", "g", "last gap", F, Over.LAST, measured="gap")
PAPER = paper("two_local_steps", NOTATION)


def two_local_steps(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    own = np.tile(x, (len(clients), 1))
    for _ in range(2):
        own = own - settings.step * clients.gradients(own)
    return own.mean(axis=0)


def claim(of_spread: Rational) -> Statement:
    """One round of two local steps 1/(2L) ends with a gap of at most L D^2/6 + b s^2/L, if s >= L D/2."""
    return discovery.adopt(
        state(
            PAPER,
            gap,
            Term("start", L * D**2 / 6, "distance"),
            Term("spread", of_spread * s**2 / L, "gradients at the minimizer"),
            algorithm=adopt(Algorithm(round=two_local_steps, settings={"step": REQUIRED})),
            assumptions=(CONVEX_CLIENTS, SMOOTH_CLIENTS, MINIMUM_ATTAINED),
            choices=(sets(eta, 1 / (2 * L), locator=PAPER.key),),
            conditions=(at_most(L * D / 2, s, locator=PAPER.key, printed=r"LD\leq2s"),),
            run_with={"rounds": 1},
            example={"L": 1, "D": 1, "s": 1},
        )
    )


def test_a_constant_that_is_too_small_falls_on_them_alone() -> None:
    found = falsify_statement(claim(Rational(1, 40)), evaluations=40)
    assert found.refuted, found.sentence
    assert found.witness is not None
    assert found.witness["family"] == "worst functions"
    others = {name: score for name, score in found.families.items() if name != "worst functions"}
    assert max(others.values()) < -0.1
    assert confirm(claim(Rational(1, 40)), found.witness["instance"], level=1e-6).refutes


def test_they_come_close_to_a_true_bound_and_do_not_break_it() -> None:
    """Certified at these starts: the worst case is below the bound, and above 0.98 times it."""
    statement = claim(Rational(1, 30))
    trials = [trial_of(statement, cell, 0) for cell in worst_cells(statement, standard(statement))]
    ratios = [trial.ratio for trial in trials if trial is not None and trial.ratio is not None]
    assert len(ratios) >= 4
    assert 0.98 < max(ratios) < 1
    assert not falsify_statement(statement, evaluations=40).refuted


@pytest.mark.parametrize(("assumed", "clients"), [((), 2), ((ONE_CLIENT,), 1)])
def test_a_statement_that_counts_its_clients_gets_as_many_as_it_assumes(assumed: Any, clients: int) -> None:
    true = claim(Rational(1, 30))
    counted = replace(true.terms[0], expression=n * true.terms[0].expression)
    example = {"L": 1, "D": 1, "s": 0, "n": 1} if assumed else {"L": 1, "D": 1, "s": 1, "n": 2}
    conditions = () if assumed else true.conditions
    made = replace(
        true,
        terms=(counted, *true.terms[1:]),
        assumptions=(*true.assumptions, *assumed),
        conditions=conditions,
        example=example,
    )
    statement = discovery.adopt(made)
    found = worst_cells(statement, standard(statement))
    assert {cell.parameters["n"] for cell in found} == {clients}


def test_a_statement_without_a_program_has_none() -> None:
    def clipped(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        gradient = clients.gradient(x)
        return x - settings.step * gradient * min(1.0, 1 / np.linalg.norm(gradient))

    name = adopt(Algorithm(round=clipped, settings={"step": REQUIRED}))
    statement = discovery.adopt(replace(claim(Rational(1, 30)), algorithm=name))
    assert standard(statement)
    assert worst_cells(statement, standard(statement)) == []


def test_an_envelope_takes_the_values_and_gradients_that_it_is_made_of() -> None:
    """Data of x^2/2 for |x| <= 1 and |x| - 1/2 beyond, at 0, 2 and -2; beyond 2 it bends up again."""
    setting = ProblemClass(clients=1, L=Fraction(1), D0=Fraction(1))
    points, slopes = np.array([0.0, 2.0, -2.0]), np.array([0.0, 1.0, -1.0])
    data = Data(
        points=points[None, :, None],
        gradients=slopes[None, :, None],
        values=np.array([[0.0, 1.5, 1.5]]),
        start=np.array([3.0]),
    )
    arguments, start = envelope_through(setting, data)
    problem = build("envelope.envelope", **arguments)
    places = np.array([[0.5], [-1.0], [1.5], [3.0]])
    assert start == [3.0]
    assert problem.value(places) == pytest.approx([0.125, 0.5, 1.0, 3.0])
    assert problem.gradient(places)[:, 0] == pytest.approx([0.5, -1.0, 1.0, 2.0])


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"bottoms": [[[1.0], [2.0]]]}, "first bottoms of 0"),
        ({"heights": [[0.5, 1.0]]}, "first bottoms of 0"),
        ({"heights": [[0.0, -1.0]]}, "no height below"),
        ({"tilts": [[0.5]]}, "add up to 0"),
        ({"curvature": 2.0}, "below the smoothness"),
        ({"curvature": -0.5}, "below the smoothness"),
        ({"tilts": [[0.0, 0.0]]}, "the shapes do not fit"),
    ],
)
def test_an_envelope_whose_minimum_is_not_known_is_refused(changed: dict[str, Any], why: str) -> None:
    usual = {"bottoms": [[[0.0], [2.0]]], "heights": [[0.0, 1.0]], "tilts": [[0.0]], "smoothness": 2.0}
    build("envelope.envelope", **usual)
    with pytest.raises(Refusal, match=why):
        build("envelope.envelope", **(usual | changed))
