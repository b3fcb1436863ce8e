"""Constants carry their provenance, and are refused where they are not certified."""

import math
from fractions import Fraction

import pytest

from synthetic.certified.facts import Constant, certified_lower, certified_upper, exactly, joined, single
from synthetic.errors import BadValue, NotCertified


def enclosed(lower, value, upper):
    return Constant(value=value, lower=lower, upper=upper, provenance="enclosed")


def test_an_upper_bound_is_returned_when_it_is_certified():
    assert certified_upper("smoothness", enclosed(1.0, 2.0, 3.0)) == 3.0
    assert certified_lower("smoothness", enclosed(1.0, 2.0, 3.0)) == 1.0


def test_a_constant_certified_from_below_only_is_refused_where_an_upper_bound_is_needed():
    with pytest.raises(NotCertified, match="smoothness"):
        certified_upper("smoothness", enclosed(1.0, 2.0, None))


def test_an_estimate_is_refused_on_both_sides():
    estimate = Constant(value=2.0, lower=1.0, upper=3.0, provenance="estimated")
    for certified in (certified_upper, certified_lower):
        with pytest.raises(NotCertified):
            certified("lipschitz", estimate)


@pytest.mark.parametrize(
    "wrong",
    [
        {"value": 2.0, "lower": 3.0, "upper": 4.0, "provenance": "enclosed"},
        {"value": 2.0, "lower": 1.0, "upper": 3.0, "provenance": "exact"},
        {"value": 2.0, "lower": None, "upper": None, "provenance": "exact"},
        {"value": math.nan, "lower": None, "upper": None, "provenance": "estimated"},
        {"value": 2.0, "lower": 2.0, "upper": math.inf, "provenance": "enclosed"},
        {"value": 2.0, "lower": 2.0, "upper": 2.0, "provenance": "guessed"},
        {"value": (1.0, 2.0), "lower": (1.0,), "upper": (1.0, 2.0), "provenance": "enclosed"},
    ],
)
def test_inconsistent_constants_are_refused(wrong):
    with pytest.raises(BadValue):
        Constant(**wrong)


def test_a_column_is_as_strong_as_its_weakest_entry():
    column = joined([exactly(Fraction(1, 3)), enclosed(1.0, 2.0, None)])
    assert column.value == (Fraction(1, 3), 2.0)
    assert column.lower == (Fraction(1, 3), 1.0)
    assert column.upper is None
    assert column.provenance == "enclosed"
    with pytest.raises(BadValue):
        single(column.value)
