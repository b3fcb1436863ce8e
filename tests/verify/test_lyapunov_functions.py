"""A Lyapunov function with x* and the gradients there, as an observable of an author's algorithm.

The round moves x along the mean gradient and each h_i by a share a of grad f_i(x) - h_i. Write
G = mean ||grad f_i(x) - grad f_i(x*)||^2 and Q = mean ||h_i - grad f_i(x*)||^2. Cocoercivity and strong
convexity give ||x+ - x*||^2 <= (1 - eta mu) ||x - x*||^2 - (eta/L - eta^2) G, and the convexity of the square
Q+ <= (1 - a) Q + a G. For eta <= 1/(2L), V = ||x - x*||^2 + eta^2/a Q has V+ <= (1 - min(eta mu, a)) V.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sympy import Min

from bounds import discovery
from bounds.language.assumptions import BOUNDED_BELOW, CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.finding import Verdict
from bounds.language.part import at_start, constant, lower_constant, setting
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, POSITIVE_INTEGER, PROBABILITY, Notation, Over
from bounds.language.statement import Kind, Paper, Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from verify.falsify.attempt import falsify_statement
from verify.matching.cells.standard import cells
from verify.matching.declared import why_not_declared
from verify.runs.check import run_cell

NOTATION = Notation()
q = NOTATION.quantity
K = q("K", "K", "rounds", POSITIVE_INTEGER, part=setting("rounds"))
eta = q("eta", r"\eta", "step", POSITIVE, X**2 / F, part=setting("step"))
a = q("a", "a", "share of the way", PROBABILITY, part=setting("share"))
L = q("L", "L", "smoothness", POSITIVE, F / X**2, part=constant("smoothness"))
mu = q("mu", r"\mu", "strong convexity", POSITIVE, F / X**2, part=lower_constant("strong_convexity"))
D = q("D", "D", "distance", NON_NEGATIVE, X, part=at_start("distance"))
slopes = constant("mean_squared_client_gradient_at_minimiser", root=True)
s = q("s", "s", "slopes at the minimizer", NON_NEGATIVE, F / X, part=slopes)
psi = NOTATION.observable("psi", r"\Psi", "Lyapunov function", X**2, Over.LAST, measured="lyapunov")
excess = NOTATION.observable(
    "excess", "e", "gap of an own measure", F, Over.LAST, measured="away_from_minimum"
)
PAPER = Paper(key="lyapunov", title="", authors="", bibtex="", package=__name__, notation=NOTATION)
STRONG = (CONVEX_CLIENTS, SMOOTH_CLIENTS, STRONGLY_CONVEX)
EXAMPLE = {"K": 10, "eta": 0.1, "a": 0.5, "L": 1, "mu": 0.1, "D": 1, "s": 1}


def begin(x: Any, clients: Any, settings: Any) -> Any:
    return {"x": x, "h": np.zeros((len(clients), clients.dimension))}


def learn(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    slopes = clients.gradients(state["x"])
    x = state["x"] - settings.step * slopes.mean(axis=0)
    return {"x": x, "h": state["h"] + settings.share * (slopes - state["h"])}


def lyapunov(state: Any, clients: Any, settings: Any) -> Any:
    apart = ((state["h"] - clients.gradients_at_minimizer) ** 2).sum(axis=1).mean()
    away = ((state["x"] - clients.minimizer) ** 2).sum()
    return away + settings.step**2 / settings.share * apart


def away_from_minimum(state: Any, clients: Any, settings: Any) -> Any:
    return clients.value(state["x"]) - clients.value(clients.minimizer)


ALGORITHM = Algorithm(
    round=learn,
    begin=begin,
    settings={"step": REQUIRED, "share": 0.5},
    observables={"lyapunov": lyapunov, "away_from_minimum": away_from_minimum},
)


def stated(left: Any, right: Any, assumptions: Any = STRONG, **changes: Any) -> Statement:
    names = {symbol.name for symbol in right.free_symbols} | {"L"}
    statement = Statement(
        locator="lyapunov",
        kind=Kind.UPPER_BOUND,
        paper=PAPER,
        title="memories of the clients",
        printed=("x",),
        reading="",
        algorithm=adopt(ALGORITHM),
        left=left,
        terms=(Term("right side", right, "distance and memories"),),
        assumptions=assumptions,
        conditions=(at_most(eta, 1 / (2 * L), locator="x", printed="x"),),
        example={name: value for name, value in EXAMPLE.items() if name in names | {"eta"}},
        **changes,
    )
    return discovery.adopt(statement)


def judged(statement: Statement) -> dict[str, Verdict]:
    return {c.role: run_cell(c, level=1e-4, seed=1, replicates=8).verdict for c in cells(statement)}


RATE, START = (1 - Min(eta * mu, a)) ** K, D**2 + eta**2 / a * s**2


def test_the_function_falls_as_the_proof_says() -> None:
    found = judged(stated(psi, RATE * START))
    assert len(found) >= 10
    assert set(found.values()) == {Verdict.HOLDS}


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    "right", [RATE * D**2, (1 - eta * mu) ** K * START, RATE**2 * START, RATE * START / 2], ids=str
)
def test_a_false_form_falls(right: Any) -> None:
    """Without the memories at the start, without their rate, twice as fast, and a half of it."""
    assert Verdict.VIOLATED in judged(stated(psi, right)).values()


def judge_some(statement: Statement) -> list[Verdict]:
    """Every third cell, as each of them takes a run in Python."""
    return [run_cell(cell, level=1e-4, seed=1, replicates=8).verdict for cell in cells(statement)[::3]]


V_0 = q("V_0", "V_0", "the function at the start", NON_NEGATIVE, X**2, part=at_start("lyapunov"))
typo = q("typo", "v", "a measure that does not exist", NON_NEGATIVE, X**2, part=at_start("liapunov"))


def test_the_function_at_the_start_is_measured_with_the_settings_of_the_cell() -> None:
    """V_0 depends on the step and on the share, which every cell chooses; a half of it is too little."""
    statement = stated(psi, RATE * V_0)
    made = cells(statement)
    assert len({(c.parameters["eta"], c.parameters["a"], c.parameters["V_0"]) for c in made}) > 5
    assert set(judge_some(statement)) == {Verdict.HOLDS}
    assert Verdict.VIOLATED in judge_some(stated(psi, RATE * V_0 / 2))


def test_a_cell_that_understates_the_function_at_the_start_is_refused() -> None:
    """Without that, a number of the example would refute the true theorem."""
    statement = stated(psi, RATE * V_0)
    for cell in cells(statement)[:3]:
        least = float(cell.parameters["V_0"]) * 0.99
        result = run_cell(
            replace(cell, parameters={**cell.parameters, "V_0": least}), level=1e-3, seed=1, replicates=8
        )
        assert result.verdict is Verdict.REFUSED
        assert "V_0" in result.sentence


def test_settings_follow_a_condition_on_the_function_at_the_start() -> None:
    """The share is at most V_0/(8 D^2), and a part of V_0 is divided by the share."""
    limit = at_most(a, V_0 / (8 * D**2), locator="x", printed="x")
    statement = stated(psi, RATE * V_0)
    limited = replace(
        statement,
        locator="limited",
        conditions=(*statement.conditions, limit),
        example={**statement.example, "D": 1},
    )
    found = judge_some(discovery.adopt(limited))
    assert len(found) >= 3
    assert set(found) == {Verdict.HOLDS}


def test_a_measure_of_the_start_that_nothing_measures_is_named() -> None:
    why = why_not_declared(stated(psi, RATE * typo)) or ""
    assert "typo" in why
    assert "at_start('liapunov'), which nothing measures: there are distance" in why


def test_a_search_puts_the_function_at_the_start_where_its_settings_have_it() -> None:
    outcome = falsify_statement(stated(psi, RATE * V_0 / 3), evaluations=60)
    assert outcome.refuted


def test_a_mistake_of_the_function_at_the_start_refuses_the_cell() -> None:
    def wrong(state: Any, clients: Any, settings: Any) -> Any:
        raise ValueError("not at the start")

    algorithm = Algorithm(
        round=learn, begin=begin, settings=ALGORITHM.settings, observables={"lyapunov": wrong}
    )
    statement = replace(stated(psi, RATE * V_0), algorithm=adopt(algorithm))
    made = cells(discovery.adopt(statement))
    results = [run_cell(cell, level=1e-4, seed=1, replicates=8) for cell in made[:2]]
    assert len(results) == 2
    assert {result.verdict for result in results} == {Verdict.REFUSED}
    assert "not at the start" in results[0].sentence


def test_a_problem_that_knows_no_minimizer_is_refused_with_the_reason() -> None:
    """Not a violation, and no mistake of the author: the problem certifies too little."""
    right = 10 * (1 - eta * L / 100) ** K * s**0 * L * D**0
    statement = stated(excess, right, (SMOOTH_CLIENTS, BOUNDED_BELOW), problems=("nonconvex_logistic.small",))
    results = [run_cell(cell, level=1e-4, seed=1, replicates=8) for cell in cells(statement)]
    assert results
    for result in results:
        assert result.verdict is Verdict.REFUSED
        assert "the minimizer of f, which an observable asks for" in result.sentence
        assert "for the author of the function to mend" not in result.sentence
