"""Observables that are sums over rounds: each state with its own weight, at the numbers of the cell."""

from dataclasses import replace
from typing import Any

import pytest
from declared_statements import NOTATION, PAPER, D, E, K, L, eta, local
from sympy import Expr, Sum, log

from bounds import discovery
from bounds.arithmetic.multiprecision import MOST_WITH_A_SLOPE
from bounds.arithmetic.program import MOST_SUMMANDS
from bounds.errors import Misuse
from bounds.evaluation.free_bound import known_before_any_run
from bounds.language.condition import at_most
from bounds.language.dimension import F, X
from bounds.language.part import INDEX
from bounds.language.quantity import NATURAL, Over, States
from bounds.language.statement import Statement, Term
from reports.documents.evaluation import describe_point
from synthetic.run import run
from verify.audit.units import _dimensions, infer
from verify.matching.cells.standard import cells
from verify.matching.declared import why_not_declared
from verify.matching.joined import get_runs
from verify.matching.measurements.measurement import Computed
from verify.matching.measurements.weights import weigh
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
    """Bound the sum of eta E (f(x_k) - f*) by D^2, for equal clients; the weights only shrink the sum."""
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


def test_a_sum_is_not_bounded_by_what_bounds_the_gap_at_the_start() -> None:
    """Its weights have a unit and a size of their own, so only what its author says of it counts."""
    before, steps = OF_STATES[States.BEFORE_A_ROUND], Sum(WEIGHT, (k, 0, K - 1))
    assert not known_before_any_run(stated(before / steps))
    observable = replace(NOTATION.observables["before"], free_bound=steps * L * D**2 / 2)
    notation = replace(NOTATION, observables={**NOTATION.observables, "before": observable})
    form = stated(before / steps, paper=replace(PAPER, notation=notation))
    (own,) = known_before_any_run(form)
    assert infer(own.expression, _dimensions(form)) == infer(form.left, _dimensions(form)) == (F, ())


@pytest.mark.parametrize("rounds", [MOST_WITH_A_SLOPE, MOST_WITH_A_SLOPE + 1, MOST_SUMMANDS + 1])
def test_a_long_sum_has_a_value_and_says_why_it_has_no_condition_number(rounds: int) -> None:
    """The right side is c (1 + 1/2 + ... + 1/K), which is proportional to c = eta."""
    term = Term("harmonic", Sum(eta / (k + 1), (k, 0, K - 1)), "a sum")
    statement = stated(OF_STATES[States.ALL], terms=(term,), conditions=())
    document = describe_point(statement.evaluate(eta=0.5, K=rounds))
    assert document["value"] == pytest.approx(0.5 * sum(1 / j for j in range(1, rounds + 1)), rel=1e-12)
    if rounds > MOST_WITH_A_SLOPE:
        assert document["condition_number"] is None
        assert f"a sum of {rounds} summands takes too long" in document["reason"]
    else:
        assert document["condition_number"] == pytest.approx(1.0)


def test_a_condition_with_too_long_a_sum_is_undecided_and_costs_the_value_nothing() -> None:
    steps = Sum(eta / (k + 1), (k, 0, K - 1))
    conditions = (at_most(steps, 1 / L, locator="x", printed="x"),)
    statement = stated(OF_STATES[States.ALL], terms=(Term("all", steps, "a sum"),), conditions=conditions)
    short, long = (
        describe_point(statement.evaluate(eta=1e-3, L=1.0, K=rounds)) for rounds in (9, MOST_SUMMANDS + 1)
    )
    assert (short["applicable"], long["applicable"]) == (True, None)
    assert "needs a sum of at most 100000 summands" in long["why_not"][0]
    assert long["value"] == pytest.approx(1e-3 * sum(1 / j for j in range(1, MOST_SUMMANDS + 2)), rel=1e-12)


@pytest.mark.parametrize("weight", [WEIGHT * (k - 3), WEIGHT * log(k - 3)], ids=["below zero", "no number"])
def test_a_weight_below_zero_is_refused(weight: Expr) -> None:
    """The smallest value of a measure would no longer be one of the sum, and its test would be wrong."""
    statement = stated(OF_STATES[States.ALL] / K)
    (cell, *_) = cells(statement)
    observable = replace(NOTATION.observables["at_all"], weight=weight)
    with pytest.raises(Misuse, match=r"weight of at_all is not at least 0.*difference of two observables"):
        weigh(statement, cell, {"at_all": observable}, {"rounds": 20})


def test_a_cell_with_such_a_weight_is_refused_and_costs_no_other_one() -> None:
    """A weight (1 - eta mu)^-(k + 1) is below 0 where a step is too long; the whole command ended there."""
    statement = discovery.adopt(stated(summed("turning", WEIGHT * (k - 3), States.ALL) / K))
    found = run_cell(next(iter(cells(statement))), level=1e-4, seed=1, replicates=8)
    assert found.verdict.value == "refused"
    assert "a weight of turning is not at least 0" in found.sentence


def test_the_number_of_a_round_has_no_value_outside_a_sum() -> None:
    statement = stated(OF_STATES[States.ALL], factor=1 / (k + 1))
    assert "the number of a round" in str(why_not_declared(statement))
    assert why_not_declared(stated(OF_STATES[States.ALL])) is None
