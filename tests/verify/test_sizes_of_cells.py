"""Statements for some numbers of clients alone: cells are made where the number fits."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state_with_example

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX
from bounds.language.condition import Condition, above, at_least, at_most
from bounds.language.dimension import X
from bounds.language.quantity import Notation, Over
from bounds.language.statement import Assumption, Statement
from verify.matching.assumptions import refusal
from verify.matching.cells.grounds import why_no_cell
from verify.matching.cells.sizes import resized
from verify.matching.cells.standard import cells
from verify.matching.cells.standard_problems import RESERVE, built

NOTATION = Notation()
K, eta, L, mu, D, n, d = enter(NOTATION, "K", "eta", "L", "mu", "D", "n", "d")
DISTANCE = NOTATION.observable("distance", "x", "x", X**2, Over.LAST, measured="squared_distance")
PAPER = paper("sizes", NOTATION)
SMALL = ("quadratic.small",)
EXAMPLE = {"K": 20, "eta": 0.1, "L": 1, "mu": 0.1, "D": 2, "n": 8, "d": 4}


def state_descent(*more: Assumption | Condition, problems: tuple[str, ...] = SMALL) -> Statement:
    limits = [each for each in more if isinstance(each, Condition)]
    own = [each for each in more if isinstance(each, Assumption)]
    step = at_most(eta, 1 / L, locator="sizes", printed="x")
    assumptions = (CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX, *own)
    made = state_with_example(
        PAPER, EXAMPLE, DISTANCE, (1 - eta * mu) ** K * D**2, assumptions, step, *limits
    )
    return discovery.adopt(replace(made, algorithm="gradient_descent", problems=problems))


def certify(accepts: Callable[[Any], bool]) -> Assumption:
    return Assumption(
        "of this size", "x", "sizes", certified_by=lambda known: accepts(known) or "another size"
    )


def require(relation: Any, *sides: Any) -> Condition:
    made: Condition = relation(*sides, locator="sizes", printed="x")
    return made


# what is asked, and whether a number of clients and of coordinates is such
ASKED: dict[str, tuple[Assumption | Condition, Callable[[int, int], bool]]] = {
    "even, by its facts": (certify(lambda k: k.facts.clients % 2 == 0), lambda n, d: n % 2 == 0),
    "even, by n": (certify(lambda k: k.parameters["n"] % 2 == 0), lambda n, d: n % 2 == 0),
    "more than ten": (require(above, n, 10), lambda n, d: n > 10),
    "many beside d": (require(at_least, n, 2 * d), lambda n, d: n >= 2 * d),
    "twelve coordinates": (certify(lambda k: k.facts.dimension == 12), lambda n, d: d == 12),
    "as many as coordinates": (certify(lambda k: k.facts.clients == k.facts.dimension), lambda n, d: n == d),
}


@pytest.mark.parametrize("asked", [*ASKED])
def test_cells_are_made_where_the_number_fits(asked: str) -> None:
    wanted, fits = ASKED[asked]
    statement = state_descent(wanted)
    made = cells(statement)
    assert {"homogeneous", "heterogeneous", "edge of its conditions"} <= {cell.role for cell in made}
    assert_fitting(statement, fits)


@pytest.mark.slow("every family of problems is made with another number of clients")
def test_every_family_has_a_number_that_fits() -> None:
    wanted, fits = ASKED["even, by n"]
    statement = state_descent(wanted, problems=())
    assert len(cells(statement)) == len(cells(state_descent(problems=())))
    assert_fitting(statement, fits)


def assert_fitting(statement: Statement, fits: Callable[[int, int], bool]) -> None:
    made = cells(statement)
    for cell in made:
        problem = cell.build_problem()
        assert fits(problem.clients, problem.dimension)
        assert refusal(statement, cell) is None


def test_without_such_a_wish_the_cells_are_the_usual_ones() -> None:
    first = cells(state_descent())[0]
    assert first.problem_arguments["clients"] == 5
    same = cells(state_descent(require(at_least, n, 2)))
    assert {cell.problem_arguments["clients"] for cell in same if cell.problem == "quadratic.small"} == {5}


def test_what_no_number_meets_is_named() -> None:
    never, contradictory = state_descent(certify(lambda k: False)), state_descent(require(at_most, 2 * n, n))
    assert not cells(never)
    assert why_no_cell(never) == "quadratic.small: of this size (sizes): another size"
    assert not cells(contradictory)
    assert why_no_cell(contradictory) == (
        "quadratic.small: the condition 2*n <= n (sizes) does not hold with n = 5"
    )


def test_listed_clients_are_repeated_as_a_whole() -> None:
    """Their mean stays, so that nothing else is another problem."""
    listed = RESERVE[0]
    problem = built(listed.name, listed.apart)
    assert problem is not None
    found = resized(state_descent(ASKED["even, by n"][0]), listed, problem)
    assert found is not None
    twice = built(found.name, found.apart)
    assert twice is not None
    assert (problem.clients, twice.clients) == (3, 6)
    np.testing.assert_array_equal(problem.minimiser(), twice.minimiser())
    assert found.family == f"{listed.family}, repeated"
