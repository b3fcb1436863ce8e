"""A cell has no more rounds than float64 can judge: a fast rate soon leaves a bound below every rounding."""

from typing import Any

import pytest
from strangers import enter, paper, state
from sympy import Rational

from bounds.language.assumptions import SMOOTH_CLIENTS
from bounds.language.dimension import F, X
from bounds.language.quantity import Notation, Over
from bounds.language.statement import Statement, Term
from synthetic.problems import build
from verify.answer import check
from verify.matching.cells.one_cell import BEYOND

NOTATION = Notation()
K, D, Delta = enter(NOTATION, "K", "D", "Delta")
gap = NOTATION.observable("gap", "g", "last gap", F, Over.LAST, measured="gap")
distance = NOTATION.observable(
    "far", "r", "last squared distance", X**2, Over.LAST, measured="squared_distance"
)


def tenth(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """A Newton step on quadratics that leaves a tenth of the distance."""
    at_zero = clients.gradient(0 * x)
    return x / 10 - (9 / 10) * at_zero / (clients.gradient(0 * x + 1) - at_zero)


def state_rate(sign: int, rate: Any) -> Statement:
    return state(
        paper("tenth", NOTATION),
        sign * distance,
        Term("start", sign * rate**K * D**2, "the start"),
        assumptions=(SMOOTH_CLIENTS,),
        example={"K": 10, "D": 1},
    )


def problem() -> Any:
    return build("quadratic.diagonal", curvatures=((1.0,), (0.5,)), centers=((1.0,), (-1.0,)))


@pytest.mark.parametrize(
    ("sign", "rate", "verdict", "most"),
    [
        (1, Rational(1, 90), "holds", 7),
        (1, Rational(1, 110), "violated", 6),
        (-1, Rational(1, 110), "holds", 6),
        (1, Rational(1, 2), "holds", 20),
    ],
)
def test_a_bound_that_soon_is_below_all_roundings_is_judged(
    sign: int, rate: Any, verdict: str, most: int
) -> None:
    answer = check(state_rate(sign, rate), algorithm=tenth, problem=problem(), quick=True, search=0)
    found = {cell["verdict"] for cell in answer.cells}
    assert found == {verdict}
    rounds = [int(cell["parameters"]["K"]) for cell in answer.cells]
    assert max(rounds) == most
    assert rate ** (most - 1) >= BEYOND
    assert most == 20 or rate**most < BEYOND  # one more would be too many


def test_a_floor_below_the_bound_after_half_of_the_rounds_is_seen() -> None:
    """The distance stops at a millionth: after 5 rounds the bound holds, after 7 it does not."""

    def stopping(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        return tenth(x, clients, settings, random) + 1e-6

    answer = check(
        state_rate(1, Rational(1, 90)), algorithm=stopping, problem=problem(), quick=True, search=0
    )
    far = [cell for cell in answer.cells if cell["role"] == "heterogeneous"]
    assert [cell["verdict"] for cell in far] == ["violated"]


def test_a_gap_near_the_minimizer_has_fewer_rounds_than_its_roundings_hide() -> None:
    """A value of f is known to 1e-12, and near the minimizer a gap begins at 1e-6."""
    made = state(
        paper("tenth", NOTATION),
        gap,
        Term("start", Rational(1, 90) ** K * Delta, "the start"),
        assumptions=(SMOOTH_CLIENTS,),
        example={"K": 10, "Delta": 1},
    )
    answer = check(made, algorithm=tenth, problem=problem(), quick=True, search=0)
    near = [cell for cell in answer.cells if "near the minimizer" in cell["role"]]
    assert near
    assert {cell["verdict"] for cell in near} == {"holds"}
    assert {1 < cell["parameters"]["K"] < 7 for cell in near} == {True}
    assert min(cell["bound"]["value"] for cell in near) >= 1e-11
