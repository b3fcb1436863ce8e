"""Conditions near and at their limits, against exact rationals and hundreds of digits."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import oracle
import pytest
from example_count import count_examples
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from sympy import Expr, Integer, Symbol, log, sqrt

from bounds.discovery import forms
from bounds.evaluation.decide import Checked, decide
from bounds.evaluation.resolve import resolve
from bounds.language.condition import Condition, Relation
from bounds.language.statement import Statement
from verify.parameters.valid import valid_parameters

STATEMENTS = {name: form for name, form in forms().items() if form.evaluable}
every_statement = pytest.mark.parametrize("identity", STATEMENTS)
with_conditions = pytest.mark.parametrize("identity", [i for i, s in STATEMENTS.items() if s.conditions])
# Hundreds of digits are too slow for hundreds of shrinking steps.
UNSHRUNK = (Phase.explicit, Phase.generate)
ULP = 2.0**-52
TIE = 4 * ULP

a, b, c = (Symbol(name, real=True) for name in "abc")


def relate(value: Expr, relation: Relation, limit: Expr) -> Condition:
    return Condition(value=value, relation=relation, limit=limit, locator="X", printed="x")


def verdict(value: Expr, relation: Relation, limit: Expr, **given_values: Any) -> Checked:
    return decide(relate(value, relation, limit), value, limit, given_values)


def up(x: float, steps: int) -> float:
    for _ in range(abs(steps)):
        x = math.nextafter(x, math.inf if steps > 0 else -math.inf)
    return x


# ---- ties and what is just outside them

every_relation = pytest.mark.parametrize("relation", Relation)


@every_relation
@pytest.mark.parametrize("x", [1.0, 0.1, 1e-300, 3e200, -7.0])
def test_equal_to_the_last_bit_is_a_tie(relation: Relation, x: float) -> None:
    checked = verdict(a, relation, b, a=x, b=x)
    assert checked.tie is True
    assert checked.holds is not relation.strict
    assert checked.margin == 0


@every_relation
@pytest.mark.parametrize("steps", [-3, -2, -1, 1, 2, 3])
@pytest.mark.parametrize("x", [1.0, 0.1, 1e-200, -7.0])
def test_three_units_in_the_last_place_are_a_tie(relation: Relation, steps: int, x: float) -> None:
    checked = verdict(a, relation, b, a=up(x, steps), b=x)
    assert checked.tie is True
    assert checked.holds is not relation.strict


@every_relation
@pytest.mark.parametrize("relative", [1e-15, 1e-14, 1e-12, 1e-10, 0.9e-9, 1.1e-9, 1e-6, 0.5])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_little_more_is_decided(relation: Relation, relative: float, side: int) -> None:
    checked = verdict(a, relation, b, a=1 + side * relative, b=1.0)
    assert checked.tie is False
    assert checked.holds is ((side < 0) is relation.upper)
    assert checked.margin == pytest.approx((-side if relation.upper else side) * relative, rel=0.2)


def test_floats_are_exact_rationals() -> None:
    """0.1 + 0.2 is not 0.3, and a third is not a float: what is compared are the given floats."""
    checked = verdict(a + b, Relation.AT_MOST, c, a=0.1, b=0.2, c=0.3)
    assert Fraction(0.1) + Fraction(0.2) > Fraction(0.3)
    assert checked.tie is True  # by less than a unit in the last place
    far = verdict(10**12 * (a + b - c), Relation.AT_MOST, Integer(0), a=0.1, b=0.2, c=0.3)
    assert far.holds is False
    assert far.margin == pytest.approx(float(10**12 * (Fraction(0.1) + Fraction(0.2) - Fraction(0.3))) * -1)


def test_cancellation_that_floats_cannot_see_is_decided() -> None:
    """(1 + a) - 1 against a: in float64 the left is 0."""
    one_plus = (1 + a) * b - b
    assert verdict(one_plus, Relation.AT_LEAST, c, a=2.0**-60, b=1.0, c=2.0**-61).holds is True
    assert verdict(one_plus, Relation.AT_MOST, c, a=2.0**-60, b=1.0, c=2.0**-61).holds is False
    assert verdict(one_plus, Relation.AT_MOST, c, a=2.0**-60, b=1.0, c=2.0**-60).tie is True


# ---- limit zero


@every_relation
@pytest.mark.parametrize("slack", [1.0, 1e-8, 1e-10, 1e-15, 1e-16, 1e-30, 1e-300])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_limit_of_zero_has_no_last_place(relation: Relation, slack: float, side: int) -> None:
    """Nothing but zero itself ties with zero: with other units the same number is as large as one likes."""
    checked = verdict(a, relation, Integer(0), a=side * slack)
    assert checked.absolute is True
    assert checked.margin == (-side if relation.upper else side) * slack
    assert checked.tie is False
    assert checked.holds is ((side < 0) is relation.upper)


@every_relation
def test_zero_ties_with_a_limit_of_zero(relation: Relation) -> None:
    checked = verdict(a, relation, Integer(0), a=0.0)
    assert (checked.tie, checked.absolute, checked.margin) == (True, True, 0)
    assert checked.holds is not relation.strict
    assert verdict(a, relation, b, a=0.0, b=0.0).tie is True


def test_a_limit_that_is_not_zero_is_relative() -> None:
    checked = verdict(a, Relation.AT_MOST, b, a=3.0, b=4.0)
    assert (checked.margin, checked.absolute) == (0.25, False)
    checked = verdict(a, Relation.AT_LEAST, b, a=3.0, b=-4.0)
    assert checked.margin == 1.75


# ---- what the rounding of the inputs explains

ABOVE_ONE = 0.2  # times 5, by 5.6e-17


@pytest.mark.parametrize(
    ("value", "relation", "limit"),
    [
        (1 - a * b, Relation.AT_LEAST, Integer(0)),
        (a * b - 1, Relation.AT_MOST, Integer(0)),
        (Integer(0), Relation.AT_LEAST, a * b - 1),
    ],
    ids=str,
)
def test_the_rounding_of_an_input_is_forgiven_where_that_is_asked(
    value: Expr, relation: Relation, limit: Expr
) -> None:
    assert Fraction(ABOVE_ONE) * 5 > 1
    strictly = {Relation.AT_LEAST: Relation.ABOVE, Relation.AT_MOST: Relation.BELOW}[relation]
    for x, holds, forgiven in ((ABOVE_ONE, False, True), (0.2 + 1e-13, False, False), (0.1, True, True)):
        given = {"a": x, "b": 5.0}
        for strict, expected in ((relation, forgiven), (strictly, holds)):
            condition = relate(value, strict, limit)
            assert decide(condition, value, limit, given).holds is holds
            assert decide(condition, value, limit, given, within_rounding=True).holds is expected


# ---- missing quantities, poles, arrays


def test_missing_quantities_leave_it_undecided() -> None:
    checked = verdict(a, Relation.AT_MOST, b * c, a=1.0, c=2.0)
    assert (checked.holds, checked.margin, checked.missing) == (None, None, ("b",))
    assert checked.tie is False


@pytest.mark.parametrize("relation", Relation)
def test_no_value_does_not_hold(relation: Relation) -> None:
    checked = verdict(a, relation, 1 / b - 1 / c, a=1.0, b=0.0, c=0.0)
    assert checked.holds is False
    assert math.isnan(checked.margin)
    assert verdict(sqrt(a), relation, b, a=-1.0, b=1.0).holds is False
    assert verdict(log(a), relation, b, a=-1.0, b=1.0).holds is False


def same_checked(single: Checked, whole: Checked, where: tuple[int, ...]) -> bool:
    parts = [np.broadcast_to(getattr(whole, name), np.shape(whole.holds))[where] for name in FIELDS]
    return all(
        x == y or (isinstance(x, float) and math.isnan(x) and np.isnan(y))
        for x, y in zip((getattr(single, name) for name in FIELDS), parts, strict=True)
    )


FIELDS = ("holds", "tie", "margin", "absolute")


@pytest.mark.thinned(3)
@pytest.mark.sampled
@with_conditions
@settings(max_examples=15, phases=UNSHRUNK)
@given(data=st.data())
def test_arrays_agree_with_single_points(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    points = [data.draw(valid_parameters(statement)) for _ in range(3)]
    shape = data.draw(st.sampled_from([(3,), (1, 3), (3, 1)]))
    columns = {name: np.array([p[name] for p in points]).reshape(shape) for name in points[0]}
    whole = statement.evaluate(**columns)
    for number, point in enumerate(points):
        where = tuple(int(i) for i in np.unravel_index(number, shape))
        single = statement.evaluate(**point)
        for one, many in zip(single.conditions, whole.conditions, strict=True):
            if many.condition.constructive is None or np.shape(many.holds) != shape:
                continue  # depends on no input that varies
            assert same_checked(one, many, where)
        assert bool(np.broadcast_to(whole.applicable, shape)[where]) is single.applicable


def test_an_array_with_a_missing_quantity_is_undecided_too() -> None:
    statement = STATEMENTS["fed_norm_ec.theorem_1.main"]
    point = {
        "Delta_inf": 1.0,
        "K": 3,
        "L": 1.0,
        "M": 4,
        "R": 1.0,
        "T": 2,
        "beta": 0.5,
        "f0_gap": 1.0,
        "p": 0.5,
    }
    point |= {"sigma_DP": 0.1}
    assert statement.evaluate(**point, eta=0.01).applicable is None
    verdicts = statement.evaluate(**point, eta=[0.01, 0.02]).applicable
    assert verdicts is None or all(v is None or (isinstance(v, float) and math.isnan(v)) for v in verdicts)


def test_a_whole_array_near_its_limits() -> None:
    steps = np.arange(-20, 21)
    left = np.array([up(1.0, int(k)) for k in steps])
    checked = verdict(a, Relation.BELOW, b, a=left, b=1.0)
    for x, holds, tie in zip(left, checked.holds, checked.tie, strict=True):
        distance = (1 - Fraction(x)) / 1
        assert tie == (abs(distance) <= TIE)
        assert holds == (distance > TIE)


# ---- the statements' own conditions, close to their limits

CLOSE = [0.0, ULP, 2 * ULP, 6 * ULP, 1e-13, 1e-12, 1e-11, 0.99e-9, 1.01e-9, 1e-8]


def near_limit(
    statement: Statement, condition: Condition, point: dict[str, float], off: float
) -> dict[str, float]:
    """The point with the solved symbol at its limit, times 1 + off."""
    solved = condition.constructive
    assert solved is not None
    with mp.workdps(60):
        limit = oracle.value(solved.limit, statement, point)
        return point | {solved.symbol.name: float(limit * (1 + mpf(off)))}


@pytest.mark.sampled
@with_conditions
@settings(max_examples=count_examples(30), phases=UNSHRUNK)
@given(data=st.data())
def test_close_to_the_limits_the_verdict_is_that_of_200_digits(identity: str, data: st.DataObject) -> None:
    statement = STATEMENTS[identity]
    number = data.draw(st.integers(0, len(statement.conditions) - 1))
    condition = statement.conditions[number]
    off = data.draw(st.sampled_from(CLOSE)) * data.draw(st.sampled_from([-1, 1]))
    at = near_limit(statement, condition, data.draw(valid_parameters(statement)), off)
    checked = decide(condition, *resolve(statement).conditions[number], at)
    with mp.workdps(oracle.DIGITS):
        value, limit = (oracle.value(e, statement, at) for e in (condition.value, condition.limit))
        slack = (limit - value) * (1 if condition.relation.upper else -1)
        margin = slack / abs(limit) if limit else slack
        if limit and abs(abs(margin) - TIE) < ULP:
            return  # where the tie itself begins is a matter of rounding
        tie = abs(margin) <= TIE if limit else slack == 0
        assert checked.tie == bool(tie)
        assert checked.holds == bool(not condition.relation.strict if tie else margin > 0)
        assert checked.absolute == bool(limit == 0)
        # The sign is certain; the margin itself has the accuracy of float64.
        assert abs(mpf(checked.margin) - margin) <= 1e-3 * abs(margin) + (2 * ULP if limit else 0)


# ---- the checks can fail


def test_a_turned_relation_is_caught() -> None:
    for relation, opposite in ((Relation.AT_MOST, Relation.AT_LEAST), (Relation.BELOW, Relation.ABOVE)):
        right = verdict(a, relation, b, a=1.0, b=1.0 + 1e-12)
        wrong = decide(replace(relate(a, relation, b), relation=opposite), a, b, {"a": 1.0, "b": 1.0 + 1e-12})
        assert right.holds is True
        assert wrong.holds is False


def test_margins_grow_with_the_slack() -> None:
    margins = [
        verdict(a, Relation.AT_MOST, b, a=x, b=1.0).margin for x in (2.0, 1.0, 1 - 1e-12, 0.5, 0.0, -3.0)
    ]
    assert all(first < second for first, second in pairwise(margins))
