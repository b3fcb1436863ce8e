"""A theorem about one client: a usual textbook theorem, and what is known of local steps without drift."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from strangers import enter, paper, state

from bounds import discovery
from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED, ONE_CLIENT, SMOOTH_CLIENTS
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.finding import Verdict
from bounds.language.part import setting
from bounds.language.quantity import POSITIVE, Notation, Over
from bounds.language.statement import Statement, Term, sets
from verify.falsify.runs import families
from verify.matching.cells.sharp_problems import SHARP
from verify.matching.cells.standard import cells
from verify.matching.cells.standard_problems import ALONE, built, leave_one_client
from verify.runs.check import run_cell
from verify.worst_case.statements import question

NOTATION = Notation()
K, E, L, D, n = enter(NOTATION, "K", "E", "L", "D", "n")
step = NOTATION.quantity("step", r"\gamma", "local step", POSITIVE, X**2 / F, part=setting("local_step"))
gap = NOTATION.observable("gap", "g", "last gap", F, Over.LAST, measured="gap")
PAPER = paper("alone", NOTATION)
CONVEX = (CONVEX_CLIENTS, SMOOTH_CLIENTS, MINIMUM_ATTAINED)


def alone(first: Any = 1, assumptions: Any = (ONE_CLIENT, *CONVEX), **changes: Any) -> Statement:
    """FedAvg with one client and steps 1/L: L D^2/(4 K E + 2)."""
    stated = state(
        PAPER,
        gap,
        Term("initialization", first * L * D**2 / (4 * K * E + 2), "distance"),
        algorithm="fedavg",
        assumptions=assumptions,
        choices=(sets(step, 1 / L, locator="alone"),),
        example={"L": 1, "D": 1, "K": 5, "E": 2},
        run_with={"participation": "full"},
    )
    return discovery.adopt(replace(stated, **changes))


def judge_flat(statement: Statement) -> set[Verdict]:
    """Verdicts on functions that are flat where runs start, where the bound is reached, or nearly."""
    made = [cell for cell in cells(statement) if "flat" in cell.role]
    assert len(made) >= 3
    return {run_cell(cell, level=1e-4, seed=1, replicates=8).verdict for cell in made}


def test_every_cell_has_one_client_and_a_half_of_a_tight_rate_falls() -> None:
    made = cells(alone())
    assert len(made) >= 10
    assert {cell.build_problem().clients for cell in made} == {1}
    assert Verdict.VIOLATED not in judge_flat(alone())
    assert Verdict.VIOLATED in judge_flat(alone(first=K / (2 * K)))


def test_with_several_clients_the_theorem_is_false() -> None:
    """So the assumption decides what is run, and clients that drift are not among it."""
    (apart,) = (c for c in cells(alone(assumptions=CONVEX)) if c.role == "started near the minimizer")
    assert run_cell(apart, level=1e-4, seed=1, replicates=8).verdict is Verdict.VIOLATED


def test_a_condition_on_the_number_of_clients_says_the_same() -> None:
    few = alone(assumptions=CONVEX, conditions=(at_most(n, 1, locator="x", printed="x"),), locator="few")
    few = discovery.adopt(replace(few, example={**few.example, "n": 1}))
    made = cells(few)
    assert made
    assert {cell.build_problem().clients for cell in made} == {1}


def test_a_search_tries_one_client_alone() -> None:
    statement = alone()
    shapes = [space for space in families(statement, seed=1) if space.enough is None]
    assert shapes
    for space in shapes:
        point = np.full(space.dimension, 0.5)
        cell = space.cell(point)
        assert cell is None or cell.build_problem().clients == 1


def test_the_problems_exist_with_one_client() -> None:
    asked = [(candidate.name, candidate.apart) for candidate in ALONE]
    asked += [(sharp.name, leave_one_client(sharp.arguments)) for sharp in SHARP]
    for name, arguments in asked:
        problem = built(name, arguments)
        assert problem is not None, name
        assert problem.clients == 1


def test_a_worst_case_is_that_of_one_client() -> None:
    given = {name: Fraction(value) for name, value in (("L", 1), ("D", 1), ("K", 2), ("E", 2))}
    assert question(alone(), given).setting.clients == 1
