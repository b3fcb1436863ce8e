"""Starts along the least curvature, and the settings of the example: rates that are too fast fall there."""

from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Rational, exp

from bounds import discovery
from bounds.language.assumptions import BOUNDED_BELOW, CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.finding import Verdict
from bounds.language.part import setting
from bounds.language.quantity import OPEN_UNIT, POSITIVE, Notation, Over
from bounds.language.statement import Statement, Term
from synthetic.errors import AuthorMistake
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.outside.claims import given_at_least, given_at_most
from synthetic.outside.own_problem import OwnProblem
from synthetic.outside.problems import adopt_problem
from synthetic.problems import build
from verify.matching.cells.along_curvatures import _directions
from verify.matching.cells.standard import cells
from verify.matching.cells.standard_problems import Candidate
from verify.runs.check import run_cell

NOTATION = Notation()
K, eta, L, mu, D, Delta = enter(NOTATION, "K", "eta", "L", "mu", "D", "Delta")
lr = NOTATION.quantity("lr", "a", "length of a step", POSITIVE, X, part=setting("length"))
beta = NOTATION.quantity("beta", r"\beta", "momentum", OPEN_UNIT, part=setting("beta"))
gap = NOTATION.observable("gap", "g", "last gap", F, Over.LAST, measured="gap")
distance = NOTATION.observable("distance", "d", "distance", X**2, Over.LAST, measured="squared_distance")
moved = NOTATION.observable("moved", "m", "from the start", X, Over.LAST, measured="moved")
PAPER = paper("curvatures", NOTATION)
ROWS = np.array([[1.0, 0.0], [0.6, 0.8], [0.8, 0.6]])


def descent(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients.gradient(x)


def one_row(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - clients[random.integers(len(clients))].gradient(x)


def signs(s: Any, clients: Any, settings: Any, random: Any) -> Any:
    v = settings.beta * s["v"] + np.sign(clients.gradient(s["x"]))
    return {"x": s["x"] - settings.length * v, "v": v, "start": s["start"]}


DESCENT = adopt(Algorithm(round=descent, settings={"step": REQUIRED}))
ROW = adopt(Algorithm(round=one_row, settings={}))
SIGNS = adopt(
    Algorithm(
        round=signs,
        begin=lambda x, clients, settings: {"x": x, "v": 0 * x, "start": x},
        settings={"length": REQUIRED, "beta": REQUIRED},
        observables={"moved": lambda s, clients, settings: np.abs(s["x"] - s["start"]).max()},
    )
)


def stated(left: Any, right: Any, algorithm: str, **more: Any) -> Statement:
    return discovery.adopt(state(PAPER, left, Term("all", right, "start"), algorithm=algorithm, **more))


def exponential(times: Any) -> Statement:
    """The gap falls as exp(-eta mu (2 - eta L) K): 1 - u <= exp(-u)."""
    return stated(
        gap,
        exp(-times * eta * mu * (2 - eta * L) * K) * Delta,
        DESCENT,
        assumptions=(SMOOTH_CLIENTS, STRONGLY_CONVEX),
        conditions=(at_most(eta, 2 / L, locator="x", printed="x"),),
        example={"L": 1, "mu": 0.1, "eta": 0.5, "Delta": 2, "K": 20},
    )


def kaczmarz(times: Any) -> Statement:
    """Strohmer and Vershynin: rows of length one, drawn uniformly."""
    return stated(
        distance,
        (1 - times * mu) ** K * D**2,
        ROW,
        assumptions=(CONVEX_CLIENTS, STRONGLY_CONVEX),
        example={"mu": 0.1, "D": 2, "K": 20},
    )


def rows() -> str:
    least = float(np.linalg.eigvalsh(ROWS.T @ ROWS / 3)[0])
    return adopt_problem(
        OwnProblem(
            clients=3,
            dimension=2,
            value=lambda i, x: float((ROWS[i] @ x) ** 2 / 2),
            gradient=lambda i, x: ROWS[i] * (ROWS[i] @ x),
            minimizer=np.zeros(2),
            constants={
                "smoothness": given_at_most(1 + 1e-9, because="rows of length one"),
                "strong_convexity": given_at_least(least - 1e-9, because="the least eigenvalue"),
            },
            convex=True,
            quadratic=True,
            bounded_below=True,
        ),
        "rows_of_length_one",
    )


def broken(statement: Statement, **on: Any) -> set[str]:
    found = {c.role: run_cell(c, level=1e-6, seed=1, replicates=64).verdict for c in cells(statement, **on)}
    return {role for role, verdict in found.items() if verdict is Verdict.VIOLATED}


def test_a_rate_that_is_a_tenth_too_fast_falls_along_the_least_curvature_alone() -> None:
    assert broken(exponential(1)) == set()
    assert broken(exponential(Rational(11, 10))) == {"small steps along the least curvature, quadratic"}


@pytest.mark.parametrize(("times", "falls"), [(1, False), (Rational(11, 10), True)])
def test_so_it_does_on_an_authors_own_problem_where_clients_are_drawn(times: Any, falls: bool) -> None:
    name = rows()
    on = [Candidate(name=name, apart={}, title="own")]
    along = {role for role in broken(kaczmarz(times), on=on) if "along the least" in role}
    assert bool(along) is falls


def test_directions_are_those_of_the_curvatures() -> None:
    problem = build("quadratic.small", clients=2, dimension=3, heterogeneity=1.0, seed=3)
    _, vectors = np.linalg.eigh(problem.gradient(problem.minimiser() + np.eye(3)))
    found = [v / np.linalg.norm(v) for v in _directions(problem)]
    for direction, place in zip(found, (0, -1), strict=True):
        assert abs(direction @ vectors[:, place]) > 1 - 1e-6


def test_where_all_curvatures_are_alike_any_direction_will_do() -> None:
    problem = build("quadratic.diagonal", curvatures=((1.0, 1.0),) * 2, centers=((1.0, 0.0), (-1.0, 0.0)))
    assert all(np.isfinite(direction).all() and direction.any() for direction in _directions(problem))


@pytest.mark.slow("a verification of a package and of its twin")
def test_a_bound_that_is_false_at_the_settings_of_its_example_falls_there() -> None:
    """The bound 4 lr K holds with momentum 1/2, as in other cells, and fails with that of the example."""
    example = {"lr": 0.1, "beta": 0.9, "K": 20}
    given = {"assumptions": (BOUNDED_BELOW,), "example": example}
    assert broken(stated(moved, lr * K / (1 - beta), SIGNS, **given)) == set()
    assert "settings of the example" in broken(stated(moved, 4 * lr * K, SIGNS, **given))


def test_a_gradient_that_raises_near_the_minimizer_ends_no_choice_of_cells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = build("quadratic.small", clients=2, dimension=2, heterogeneity=1.0, seed=3)

    def raises(self: Any, points: Any) -> Any:
        raise AuthorMistake(asked="a gradient", failed="it raised", found="x", needed="y", change="z")

    monkeypatch.setattr(type(problem), "gradient", raises)
    assert list(_directions(problem)) == []
