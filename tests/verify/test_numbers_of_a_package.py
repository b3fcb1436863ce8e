"""What an author's numbers are: their units, the constants that a problem does not know, and roundings.

Gradient descent on f_i(x) = c/2 ||x - c_i||^2 keeps ||x_K - x*||^2 = (1 - eta c)^(2K) ||x_0 - x*||^2.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Integer

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, SMOOTH_CLIENTS
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.part import at_start, constant, setting
from bounds.language.quantity import NATURAL, NON_NEGATIVE, POSITIVE, Notation, Over
from bounds.language.statement import Kind, Statement, Term
from reports.verbs.verify import page
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.claims import given_at_most
from synthetic.outside.own_problem import OwnProblem
from synthetic.outside.problems import adopt_problem
from synthetic.problems import build
from verify.answer import check
from verify.cell import Cell
from verify.matching import linear_bound
from verify.matching.cells.required import requirements
from verify.matching.cells.standard import cells
from verify.matching.cells.standard_problems import CANDIDATES, Candidate
from verify.matching.constants.certified import unfit
from verify.notes_on_packages import say_units
from verify.records import record

NOTATION = Notation()
q = NOTATION.quantity
K = q("K", "K", "rounds", NATURAL, part=setting("rounds"))
eta, D = enter(NOTATION, "eta", "D")
L = q("L", "L", "smoothness of f", POSITIVE, F / X**2, part=constant("mean_smoothness"))
far = NOTATION.observable("far", "f", "", X**2, Over.LAST, measured="squared_distance")
PAPER = paper("bowl", NOTATION)
# a number that an author rounds up, as ours are
ABOVE_TWO = given_at_most(2 * (1 + 1e-12), because="the Hessian is 2 I")


def bowl(lowest: float = 0.0) -> OwnProblem:
    return OwnProblem(
        clients=1,
        dimension=2,
        value=lambda i, x: float(x @ x) + lowest,
        gradient=lambda i, x: 2 * x,
        minimizer=np.zeros(2),
        constants={"smoothness": ABOVE_TWO, "mean_smoothness": ABOVE_TWO},
        convex=True,
        bounded_below=True,
    )


BOWL = bowl()


def stated(right: Any, kind: Kind = Kind.EQUALITY) -> Statement:
    return state(
        PAPER,
        far,
        Term("start", right, ""),
        kind=kind,
        assumptions=(CONVEX_CLIENTS, SMOOTH_CLIENTS),
        conditions=(at_most(eta, 1 / L, locator="bowl", printed="x"),),
        example={"K": 20, "L": 1, "eta": 0.5, "D": 2},
    )


def descend(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients.gradient(x)


DESCENT = Algorithm(round=descend, settings={"step": REQUIRED})
TRUE = (1 - eta * L) ** (2 * K) * D**2


def answer(statement: Statement) -> Any:
    return check(statement, algorithm=DESCENT, problem=BOWL, quick=True, search=0)


def verdicts(statement: Statement) -> set[str]:
    return {cell["verdict"] for cell in answer(statement).cells}


@pytest.mark.slow("runs with other roundings; test_roundings_of_theorems.py has some in tier one")
def test_an_equality_is_not_refuted_by_the_rounding_of_a_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the edge 1 - eta L is the rounding of L alone."""
    assert verdicts(stated(TRUE)) == {"holds", "inconclusive"}
    assert verdicts(stated(2 * TRUE)) == {"violated"}
    assert verdicts(stated(TRUE / 2)) == {"violated"}
    monkeypatch.setattr(linear_bound, "ROUNDED", 0.0)  # the defect
    assert "violated" in verdicts(stated(TRUE))


def test_an_equality_is_not_refuted_by_the_rounding_of_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of ||x||^2 + 10^6 is known to 2e-7, and the distance, which it tells, to the last digit."""
    gap = q("Delta", r"\Delta", "gap", NON_NEGATIVE, F, part=at_start("gap"))
    example = {"K": 1, "L": 1, "eta": 0.5, "Delta": 2}
    statement = replace(stated((1 - eta * L) ** (2 * K) * 2 * gap / L), example=example)

    def verdicts_here() -> set[str]:
        found = check(statement, algorithm=DESCENT, problem=bowl(1e6), quick=True, search=0)
        return {cell["verdict"] for cell in found.cells}

    assert "violated" not in verdicts_here()
    monkeypatch.setattr(linear_bound, "measure_widths", lambda *_: {})  # the defect
    assert "violated" in verdicts_here()


def test_a_bound_is_not_blurred() -> None:
    """Its constants are on their safe side."""
    statement = discovery.adopt(replace(stated(TRUE, Kind.UPPER_BOUND), algorithm="gradient_descent"))
    parameters = {"K": 1, "L": 1.0, "eta": 1.0, "D": 2.0}
    cell = Cell(
        statement=statement.id,
        variant="printed",
        algorithm="gradient_descent",
        role="edge",
        problem="quadratic.small",
        problem_arguments={},
        parameters=parameters,
        engine={"start": [1.0] * 4},
    )
    assert linear_bound.linear_bound(statement, cell).blur == 0
    equality = replace(statement, kind=Kind.EQUALITY)
    assert linear_bound.linear_bound(equality, cell).blur == pytest.approx(4 * 16e-24, rel=1e-3)


def test_no_number_stands_for_a_constant_that_the_problem_does_not_know() -> None:
    """A search that kept the number of another problem refuted true theorems with it."""
    statement = discovery.adopt(replace(stated(TRUE, Kind.UPPER_BOUND), algorithm="gradient_descent"))
    start = [1.0, 1.0, 1.0, 1.0]
    reasons = {}
    unclaimed = OwnProblem(
        clients=1,
        dimension=4,
        value=lambda i, x: float(x @ x),
        gradient=lambda i, x: 2 * x,
        minimizer=[0.0] * 4,
    )
    adopt_problem(unclaimed, "unclaimed")
    for name in ("quadratic.small", "here.unclaimed"):
        problem = build(name)
        assert ("mean_smoothness" in problem.constants()) == (name == "quadratic.small")
        distance = float(np.linalg.norm(np.asarray(start) - np.asarray(problem.minimiser())))
        cell = Cell(
            statement=statement.id,
            variant="printed",
            algorithm="gradient_descent",
            role="",
            problem=name,
            problem_arguments={},
            parameters={"K": 1, "L": 50.0, "eta": 0.01, "D": distance * 1.1},
            engine={"start": start},
        )
        reasons[name] = unfit(requirements(statement, cell))
    assert reasons["quadratic.small"] is None
    assert "mean_smoothness is not certified on this problem" in str(reasons["here.unclaimed"])


def test_the_edge_of_the_conditions_is_tried_on_every_problem_of_an_author() -> None:
    own = Candidate(name=adopt_problem(BOWL, "bowl"), apart={})
    statement = discovery.adopt(replace(stated(TRUE, Kind.UPPER_BOUND), algorithm="gradient_descent"))
    roles = {cell.role: cell for cell in cells(statement, (CANDIDATES[0], own))}
    edge = roles["edge of its conditions, here"]
    assert edge.problem == own.name
    assert edge.parameters["eta"] == pytest.approx(0.5, rel=1e-6)  # 1/L


@pytest.mark.parametrize(
    ("right", "said"),
    [
        (TRUE, None),
        (TRUE * D, "units disagree in term start: far is X^2; "),
        (TRUE + eta * D**2, "units disagree in term start: "),
    ],
)
def test_units_that_disagree_are_said_beside_the_verdict(right: Any, said: str | None) -> None:
    found = answer(stated(right, Kind.UPPER_BOUND))
    told = str(page(record.document(found.entries, level=1e-3, seed=1), {}))
    assert ("units disagree" in " ".join(told.split())) == (said is not None)
    assert bool(found.units) == bool(found.document()["units"]) == (said is not None)
    if said is not None:
        assert found.units[0].startswith(said)
        assert found.sentence.endswith(found.units[0])


def test_units_of_our_own_papers_are_in_their_ledger() -> None:
    assert say_units(discovery.get("dp_fedavg.theorem_2")) == ()


def test_weights_and_ends_may_be_numbers() -> None:
    notation = Notation()
    notation.observable("sum", "s", "", X, Over.SUM, weight=1, highest=1, lowest=0)
    observable = notation.observables["sum"]
    assert (observable.weight, observable.highest, observable.lowest) == (Integer(1), Integer(1), Integer(0))
