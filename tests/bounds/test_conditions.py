"""The conditions of every statement, and the parameters that are drawn inside them."""

import math
from dataclasses import replace

import numpy as np
import oracle
import pytest
from every_statement import EPS, STATEMENTS, UNSHRUNK, Point, every_statement, seeded_points
from example_count import count_examples
from hypothesis import given, settings
from hypothesis import seed as hypothesis_seed
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from sympy import Expr, Integer, Symbol

from bounds.evaluation.decide import decide
from bounds.evaluation.resolve import definitions, resolve
from bounds.language.condition import Condition, Solved, at_most, solved_at_most
from bounds.language.statement import Statement
from verify.parameters.valid import UnsolvableCondition, valid_parameters


@every_statement
def test_the_example_meets_every_condition(identity: str) -> None:
    statement = STATEMENTS[identity]
    evaluation = statement.evaluate(**statement.example)
    assert evaluation.applicable is True, evaluation.conditions
    assert math.isfinite(evaluation.value)


@pytest.mark.sampled
@every_statement
@settings(max_examples=count_examples(40), phases=UNSHRUNK)
@given(data=st.data())
def test_conditions_hold_at_valid_parameters(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    evaluation = statement.evaluate(**data.draw(valid_parameters(statement)))
    failed = [(c.condition.locator, c.holds, c.margin) for c in evaluation.conditions if c.holds is not True]
    assert failed == []
    assert evaluation.applicable is True
    for checked in evaluation.conditions:
        assert checked.margin >= 0 or checked.tie


@pytest.mark.sampled
@every_statement
@settings(max_examples=20, phases=UNSHRUNK)
@given(data=st.data())
def test_derived_quantities_are_in_their_domains(identity: str, data: st.DataObject) -> None:
    """Where all conditions hold: what a paper assumes of a derived quantity is a condition or follows."""
    statement = STATEMENTS[identity]
    evaluation = statement.evaluate(**data.draw(valid_parameters(statement)))
    outside = {}
    for name, value in evaluation.derived.items():
        quantity = statement.notation.quantities.get(name)
        if quantity is not None and math.isfinite(value):
            domain = quantity.domain
            low = value > domain.lower or (domain.lower_included and value == domain.lower)
            high = value < domain.upper or (domain.upper_included and value == domain.upper)
            if not (low and high):
                outside[name] = value
    assert outside == {}


def limit_in_inputs(statement: Statement, condition: Condition) -> Expr:
    substitution = {c.symbol: c.expression for c in statement.choices} | dict(definitions(statement))
    assert condition.constructive is not None
    limit = condition.constructive.limit
    while limit.free_symbols & substitution.keys():
        limit = limit.xreplace(substitution)
    return limit


def disagreeing(statement: Statement, point: Point, factor: float) -> list[str]:
    """Conditions that do not turn where their solved form says that they turn."""
    wrong = []
    for condition, sides in zip(statement.conditions, resolve(statement).conditions, strict=True):
        solved = condition.constructive
        assert solved is not None
        limit_expression = limit_in_inputs(statement, condition)
        given_values = {s.name: point[s.name] for s in limit_expression.free_symbols}
        limit = float(oracle.value(limit_expression, statement, given_values))
        away = abs(limit) * factor or factor
        for side, expected in ((-away, solved.relation.upper), (away, not solved.relation.upper)):
            at = dict(point) | {solved.symbol.name: limit + side}
            checked = decide(condition, *sides, at)
            if checked.holds is not expected:
                wrong.append(
                    f"{condition.id}: {solved.symbol} = {limit + side}, limit {limit}: {checked.holds}"
                )
    return wrong


@pytest.mark.sampled
@every_statement
@settings(max_examples=20, phases=UNSHRUNK)
@given(data=st.data())
def test_solved_form_agrees_with_the_condition(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    point = data.draw(valid_parameters(statement))
    assert disagreeing(statement, point, data.draw(st.sampled_from([1e-6, 1e-3, 0.5]))) == []


def test_a_wrong_solved_form_is_caught() -> None:
    statement = STATEMENTS["dp_fedavg.theorem_2"]
    point = seeded_points(statement)[2]
    assert disagreeing(statement, point, 1e-6) == []
    *others, last = statement.conditions
    assert last.solved is not None
    solved = last.solved
    for mutant in (
        Solved(solved.symbol, solved.relation, solved.limit * Integer(1001) / 1000),
        Solved(solved.symbol, at_most(Integer(0), 0, locator="", printed="").relation, solved.limit),
    ):
        wrong = replace(statement, conditions=(*others, replace(last, solved=mutant)))
        assert disagreeing(wrong, point, 1e-6) != []


def test_a_dropped_condition_is_missed_by_valid_parameters() -> None:
    """Without eta <= 1/L the strategy leaves it: the condition is what keeps the points inside."""
    statement = STATEMENTS["fedavg_lojasiewicz.lemma_f3"]
    without = replace(statement, conditions=())
    verdicts = {statement.evaluate(**point).applicable for point in seeded_points(without)}
    assert False in verdicts


def test_a_circle_of_conditions_is_named() -> None:
    statement = STATEMENTS["fedavg_lojasiewicz.lemma_f3"]
    symbols = {s.name: s for s in statement.right.free_symbols}
    back = at_most(symbols["L"], 1 / symbols["eta"], locator="X.back", printed="L at most 1/eta")
    with pytest.raises(UnsolvableCondition, match=r"X\.back"):
        valid_parameters(replace(statement, conditions=(*statement.conditions, back)))


def test_a_condition_without_solved_form_is_named() -> None:
    statement = STATEMENTS["fedavg_lojasiewicz.lemma_f3"]
    symbols = {s.name: s for s in statement.right.free_symbols}
    product = at_most(symbols["L"] * symbols["eta"], 1, locator="X.product", printed="eta L at most 1")
    with pytest.raises(UnsolvableCondition, match=r"X\.product"):
        valid_parameters(replace(statement, conditions=(product,)))
    derived = replace(product, solved=solved_at_most(Symbol("not_an_input"), 1))
    with pytest.raises(UnsolvableCondition, match=r"X\.product"):
        valid_parameters(replace(statement, conditions=(derived,)))


@settings(max_examples=count_examples(30), phases=UNSHRUNK)
@given(data=st.data())
def test_several_limits_on_one_symbol_combine(data: st.DataObject) -> None:
    statement = STATEMENTS["fedavg_lojasiewicz.lemma_f3"]
    symbols = {s.name: s for s in statement.right.free_symbols}
    more = (
        at_most(symbols["eta"], 1 / symbols["mu"], locator="X.1", printed="-"),
        at_most(symbols["eta"], Integer(3), locator="X.2", printed="-"),
    )
    point = data.draw(valid_parameters(replace(statement, conditions=(*statement.conditions, *more))))
    assert 0 < point["eta"] <= min(1 / point["L"], 1 / point["mu"], 3) * (1 + 4 * EPS)


# ---- the strategy itself


def draw_examples(statement: Statement) -> list[Point]:
    """From ten seeds: within one the later examples repeat much of the earlier."""
    found: list[Point] = []
    for number in range(10):

        @hypothesis_seed(number)
        @settings(max_examples=10, database=None)
        @given(valid_parameters(statement))
        def collect(point: Point) -> None:
            found.append(point)

        collect()
    return found


@pytest.mark.sampled
@every_statement
def test_valid_parameters_are_spread_and_reach_their_ends(identity: str) -> None:
    """Zero is drawn where nothing depends on its being positive."""
    statement = STATEMENTS[identity]
    drawn = draw_examples(statement)
    limited = {c.constructive.symbol.name for c in statement.conditions if c.constructive}
    depended_on = set()
    for condition in statement.conditions:
        depended_on |= {s.name for s in limit_in_inputs(statement, condition).free_symbols}
    for name in resolve(statement).required | resolve(statement).optional:
        values = np.array([point[name] for point in drawn])
        domain = statement.notation.quantities[name].domain
        assert len(set(values)) > 10
        if domain.lower == 0 and domain.lower_included and name not in limited | depended_on:
            assert (values == 0).any(), name
        if domain.upper == math.inf and domain.lower == 0 and not domain.integer:
            positive = values[values > 0]
            assert positive.max() / positive.min() > 1e3, name


def test_no_such_example_is_not_swallowed() -> None:
    """An empty range is named, not filtered."""
    statement = STATEMENTS["fedavg_lojasiewicz.lemma_f3"]
    symbols = {s.name: s for s in statement.right.free_symbols}
    impossible = at_most(symbols["eta"], Integer(-1), locator="X.empty", printed="eta at most -1")

    @settings(max_examples=1, database=None)
    @given(valid_parameters(replace(statement, conditions=(impossible,))))
    def draw(point: dict[str, float]) -> None:
        raise NoSuchExample(str(point))

    with pytest.raises(UnsolvableCondition, match=r"X\.empty"):
        draw()
