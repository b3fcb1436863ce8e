"""A setting may be prescribed by a constant that the bound does not contain: Polyak's step knows f*."""

from dataclasses import replace
from typing import Any

import pytest
from strangers import enter, paper, state
from sympy import Rational

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED, SMOOTH_CLIENTS
from bounds.language.dimension import F, X
from bounds.language.part import constant, setting
from bounds.language.quantity import POSITIVE, REAL, Notation, Over, States
from bounds.language.statement import Statement, Term, sets
from synthetic.participation import Full
from synthetic.problems import build
from verify.answer import check
from verify.matching.run_settings import settings_of
from verify.runs.check import standard_cells

NOTATION = Notation()
q = NOTATION.quantity
K, D = enter(NOTATION, "K", "D")
L = q("L", "L", "smoothness", POSITIVE, F / X**2, part=constant("mean_smoothness"))
lowest = q("ell", r"\ell", "the minimum, as the algorithm is given it", REAL, F, part=setting("lowest"))
minimum = q("f_star", "f^*", "the minimum", REAL, F, part=constant("minimum"))
gap = NOTATION.observable(
    "gap", "g", "mean gap", F, Over.UNIFORM_ROUND, measured="gap", states=States.BEFORE_A_ROUND
)


def polyak(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    gradient = clients.gradient(x)
    above = max(clients.value(x) - settings.lowest, 0.0)
    return x - above / max(gradient @ gradient, 1e-300) * gradient


def state_gap(factor: Rational) -> Statement:
    return state(
        paper("polyak", NOTATION),
        gap,
        Term("start", factor * L * D**2 / K, "the start"),
        assumptions=(CONVEX_CLIENTS, SMOOTH_CLIENTS, MINIMUM_ATTAINED),
        choices=(sets(lowest, minimum, locator="polyak"),),
        example={"K": 10, "L": 1, "D": 1, "f_star": 0},
    )


@pytest.mark.parametrize(("factor", "refuted"), [(Rational(2), False), (Rational(1, 8), True)])
def test_a_setting_takes_a_constant_that_the_bound_does_not_contain(factor: Rational, refuted: bool) -> None:
    problem = build("quadratic.small", clients=2, dimension=2)
    answer = check(state_gap(factor), algorithm=polyak, problem=problem, quick=True, search=0)
    assert answer.cells
    assert answer.refuted is refuted


def test_the_rounds_of_a_statement_come_before_those_that_it_leaves_open() -> None:
    """A search moved the two apart, ran one round of five, and refuted a true theorem."""
    statement = discovery.get("fedavg_lojasiewicz.theorem_f2", "amended")
    cell = next(cell for cell in standard_cells([statement]) if cell.role == "heterogeneous")
    apart = replace(cell, parameters=cell.parameters | {"R": 5}, engine=cell.engine | {"r": 1})
    assert settings_of(statement, apart, participation=Full()).rounds == 5
