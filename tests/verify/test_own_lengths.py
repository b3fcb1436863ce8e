"""Cells that fit an author's own lengths: a lost d, and a tail that lost its factor 2, fall there.

A sum of K signs, each times c, is at least t in absolute value with probability 2 exp(-t^2/(2 K c^2)) at
most (Hoeffding); for t = K c it is so with probability 2^(1 - K). In each round of descent along the signs of
the gradient with the step a, f falls by at least a ||grad f||_1 - L a^2 d/2, so that the least ||grad f||_1
of K rounds is at most Delta/(a K) + L a d/2.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper, state
from sympy import Rational, exp, sqrt

from bounds import discovery
from bounds.language.assumptions import BOUNDED_BELOW, SMOOTH_CLIENTS
from bounds.language.dimension import ONE, F, X
from bounds.language.finding import Verdict
from bounds.language.part import setting
from bounds.language.quantity import POSITIVE, Notation, Over, States
from bounds.language.statement import Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.matching.cells.own_lengths import HALF, REACHED
from verify.matching.cells.standard import cells
from verify.runs.check import run_cell

NOTATION = Notation()
K, L, d, Delta = enter(NOTATION, "K", "L", "d", "Delta")
a = NOTATION.quantity("a", "a", "length of a step", POSITIVE, X, part=setting("length"))
c = NOTATION.quantity("c", "c", "size of a jump", POSITIVE, X, part=setting("jump"))
t = NOTATION.quantity("t", "t", "threshold", POSITIVE, X, part=setting("threshold"))
far = NOTATION.observable("far", "P", "probability of a far sum", ONE, Over.LAST, measured="far", highest=1)
slope = NOTATION.observable(
    "slope",
    "s",
    "least sum of slopes",
    F / X,
    Over.MINIMUM_OF_MEANS,
    measured="slopes",
    states=States.BEFORE_A_ROUND,
)
PAPER = paper("own_lengths", NOTATION)


def down_the_signs(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.length * np.sign(clients.gradient(x))


def jumps_added_up(s: Any, clients: Any, settings: Any, random: Any) -> Any:
    return {"x": s["x"], "sum": s["sum"] + settings.jump * (2 * random.integers(2) - 1)}


SIGNS = Algorithm(
    round=down_the_signs,
    settings={"length": REQUIRED},
    observables={"slopes": lambda x, clients, settings: np.abs(clients.gradient(x)).sum()},
)
JUMPS = Algorithm(
    round=jumps_added_up,
    begin=lambda x, clients, settings: {"x": x, "sum": 0.0},
    settings={"jump": REQUIRED, "threshold": REQUIRED},
    observables={"far": lambda s, clients, settings: float(abs(s["sum"]) >= settings.threshold)},
)


def tail(right: Any) -> Statement:
    example = {"c": 1, "t": 3, "K": 100}
    return state(PAPER, far, Term("all", right, "chance"), algorithm=adopt(JUMPS), example=example)


def along_signs(times: Any) -> Statement:
    right = Delta / (a * K) + times * L * a / 2
    example = {"L": 1, "a": 0.1, "Delta": 3, "K": 100, **({"d": 4} if right.has(d) else {})}
    return state(
        PAPER,
        slope,
        Term("all", right, "start and steps"),
        algorithm=adopt(SIGNS),
        assumptions=(SMOOTH_CLIENTS, BOUNDED_BELOW),
        example=example,
    )


def verdicts(statement: Statement) -> dict[str, Verdict]:
    named = (HALF, *REACHED.values())
    found = [cell for cell in cells(discovery.adopt(statement)) if cell.role in named]
    return {c.role: run_cell(c, level=1e-6, seed=1, replicates=64).verdict for c in found}


@pytest.mark.parametrize(
    ("right", "falls"),
    [
        (2 * exp(-(t**2) / (2 * K * c**2)), set()),
        (exp(-(t**2) / (2 * K * c**2)), {1, 2}),
        (2 * exp(-(t**2) / (K * c**2)), {1, 2}),
    ],
    ids=["Hoeffding", "one side forgotten", "exponent doubled"],
)
def test_a_tail_is_tried_at_thresholds_that_are_just_reached(right: Any, falls: set[int]) -> None:
    wanted = {role: Verdict.VIOLATED if n in falls else Verdict.HOLDS for n, role in REACHED.items()}
    assert verdicts(tail(right)) == wanted


@pytest.mark.parametrize(
    ("times", "verdict"),
    [(d, Verdict.HOLDS), (sqrt(d), Verdict.VIOLATED), (d * Rational(9, 10), Verdict.VIOLATED)],
    ids=str,
)
def test_steps_of_one_length_go_back_and_forth_around_the_minimizer(times: Any, verdict: Verdict) -> None:
    assert verdicts(along_signs(times)) == {HALF: verdict}


@pytest.mark.parametrize(("rounds", "has"), [(15, True), (1, False), (20, False), (100, False)])
def test_fewer_rounds_than_usual_are_taken_from_the_example(rounds: int, has: bool) -> None:
    example = {"L": 1, "a": 0.1, "Delta": 3, "K": rounds, "d": 4}
    made = cells(discovery.adopt(replace(along_signs(d), example=example)))
    found = [cell.parameters["K"] for cell in made if cell.role == "rounds of the example"]
    assert found == [rounds] * has


def test_steps_that_grow_with_the_slope_have_no_such_start() -> None:
    def down_the_slope(x: Any, clients: Any, settings: Any, random: Any) -> Any:
        return x - settings.length * clients.gradient(x)

    other = Algorithm(
        round=down_the_slope, settings={"length": REQUIRED}, observables=dict(SIGNS.observables)
    )
    assert verdicts(replace(along_signs(d), algorithm=adopt(other))) == {}
