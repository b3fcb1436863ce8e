"""Observables that are sums over rounds: each state with its own weight, at the numbers of the cell."""

from typing import Any

import pytest
from declared_statements import NOTATION, D, E, K, L, eta, local
from sympy import Expr, Sum

from bounds import discovery
from bounds.language.dimension import X
from bounds.language.part import INDEX
from bounds.language.quantity import NATURAL, Over, States
from bounds.language.statement import Statement, Term
from synthetic.run import run
from verify.matching.declared import why_not_declared
from verify.matching.declared_cells import cells
from verify.matching.joined import get_runs
from verify.matching.measurement import Computed
from verify.runs.check import run_cell

k = NOTATION.quantity("k", "k", "number of a round", NATURAL, part=INDEX)
WEIGHT = eta * E / (k + 1)


def summed(name: str, weight: Expr, states: States) -> Expr:
    return NOTATION.observable(name, name, name, X**2, Over.SUM, measured="gap", weight=weight, states=states)


OF_STATES = {
    States.BEFORE_A_ROUND: summed("before", WEIGHT, States.BEFORE_A_ROUND),
    States.AFTER_A_ROUND: summed("after", WEIGHT, States.AFTER_A_ROUND),
    States.ALL: summed("at_all", WEIGHT, States.ALL),
}


def stated(left: Expr, factor: Any = 1, **changes: Any) -> Statement:
    """Of clients that are alike the sum of eta E (f(x_k) - f*) is at most D^2; the weights only shrink it."""
    terms = (Term("initialization", factor * D**2 / K, "distance"),)
    return local(**{"left": left, "terms": terms} | changes)


@pytest.mark.parametrize("states", list(OF_STATES))
def test_the_sum_is_that_of_a_loop_over_the_states(states: States) -> None:
    statement = stated(OF_STATES[states] / K)
    (cell, *_) = cells(statement)
    runs = get_runs(statement)
    settings = runs.settings(statement, cell) if runs.settings else None
    found = runs.measure(statement, cell, 1, 0, "sum")
    assert isinstance(found, Computed)
    trace = run("fedavg", cell.build_problem(), settings, replicates=1, seed=0, stream="sum", observe=["gap"])
    gaps, p = trace.measurements["gap"][0], cell.parameters
    chosen = {States.BEFORE_A_ROUND: range(20), States.AFTER_A_ROUND: range(1, 21), States.ALL: range(21)}
    each = [float(p["eta"]) * float(p["E"]) / (j + 1) * gaps[j] for j in chosen[states]]
    (value,) = found.observables.values()
    assert float(value) == pytest.approx(sum(each), rel=1e-12)
    shifted = [float(p["eta"]) * float(p["E"]) / (j + 2) * gaps[j] for j in chosen[states]]
    assert float(value) != pytest.approx(sum(shifted), rel=1e-3)  # the planted defect: k is one too large


def test_a_weighted_average_is_judged_and_its_false_twin_falls() -> None:
    """The twin sums 1/(k + 1)^8 on its right, which is hardly more than the first summand."""
    before, weights = OF_STATES[States.BEFORE_A_ROUND], Sum(WEIGHT, (k, 0, K - 1))
    for more, verdicts in ((1, {"holds"}), (1 / (k + 1) ** 7, {"holds", "violated"})):
        right = Sum(WEIGHT * more, (k, 0, K - 1)) / weights * L * D**2 / 2
        statement = stated(before / weights, terms=(Term("start", right, "no gap is larger"),))
        adopted = discovery.adopt(statement)
        found = [run_cell(c, level=1e-4, seed=1, replicates=64) for c in cells(adopted)[:3]]
        assert {result.verdict.value for result in found} == verdicts


def test_the_number_of_a_round_has_no_value_outside_a_sum() -> None:
    statement = stated(OF_STATES[States.ALL], factor=1 / (k + 1))
    assert "the number of a round" in str(why_not_declared(statement))
    assert why_not_declared(stated(OF_STATES[States.ALL])) is None
