"""Sides and cells that are refused before anything is run."""

import re
from dataclasses import replace
from typing import Any

import pytest
from strangers import enter, paper, state

from bounds import discovery
from bounds.language.assumptions import SMOOTH_CLIENTS
from bounds.language.dimension import F, X
from bounds.language.quantity import Notation, Over
from bounds.language.statement import Term
from verify.cell import Cell
from verify.matching.linear_bound import NotLinear, linear_bound
from verify.runs.work import STEPS, asks_too_much

NOTATION = Notation()
K, eta, L, D = enter(NOTATION, "K", "eta", "L", "D")
gap = NOTATION.observable("gap", "g", "", F, Over.LAST, measured="gap")
distance = NOTATION.observable("far", "f", "", X**2, Over.LAST, measured="squared_distance")
THEOREM = discovery.adopt(
    state(
        paper("guards", NOTATION),
        gap,
        Term("start", L * D**2, ""),
        algorithm="gradient_descent",
        assumptions=(SMOOTH_CLIENTS,),
        example={"K": 4, "eta": 1, "L": 1, "D": 2},
    )
)
CELL = Cell(
    statement=THEOREM.id,
    variant=THEOREM.variant,
    algorithm="gradient_descent",
    role="planted",
    problem="quadratic.small",
    problem_arguments={},
    parameters={"K": 4, "eta": 1.0, "L": 1.0, "D": 2.0},
    engine={"start": [1.0] * 4},
)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"left": gap + L * D**2}, "the left-hand side has the constant part"),
        ({"left": gap * distance}, "is not linear in"),
        ({"terms": (Term("far", L * distance, ""),)}, "a random right-hand side needs a free bound"),
        ({"left": None}, "has no left-hand side"),
    ],
)
def test_a_side_that_cannot_be_judged_is_named(change: dict[str, Any], why: str) -> None:
    assert linear_bound(THEOREM, CELL).constant == 4
    with pytest.raises(NotLinear, match=why):
        linear_bound(replace(THEOREM, **change), CELL)


@pytest.mark.parametrize(
    ("parameters", "arguments", "replicates", "why"),
    [
        ({"K": STEPS + 1}, {}, 64, "steps; at most"),
        ({}, {"clients": 10**7}, 64, "the problem of a recorded cell has"),
        ({}, {"dimension": 10**4}, 64, "the matrices of a recorded cell"),
        ({}, {}, 10**9, "a recorded cell asks for .* numbers"),
    ],
)
def test_a_record_that_asks_for_too_much_is_refused(
    parameters: dict[str, Any], arguments: dict[str, Any], replicates: int, why: str
) -> None:
    assert asks_too_much(CELL, 64) is None
    asked = replace(CELL, parameters={**CELL.parameters, **parameters}, problem_arguments=arguments)
    assert re.search(why, asks_too_much(asked, replicates) or "")
