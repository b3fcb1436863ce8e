"""A share of a range: near its own ends it is the ends of the range, and half of it lies in the middle."""

import pytest

from bounds.language.quantity import POSITIVE, POSITIVE_INTEGER
from verify.parameters.inputs import END, between


@pytest.mark.parametrize(("low", "high", "middle"), [(1.0, 3.0, 2.0), (1.0, 1e6, 1e3)])
def test_ends_are_reached_and_the_middle_lies_between(low, high, middle):
    at = {u: between(low, high, POSITIVE, u, 1.0) for u in (0.0, END, 0.5, 1 - END, 1.0)}
    assert at == pytest.approx({0.0: low, END: low, 0.5: middle, 1 - END: high, 1.0: high}, rel=1e-9)


def test_whole_numbers_reach_their_ends():
    assert [between(2, 9, POSITIVE_INTEGER, u, 1.0) for u in (0.0, END / 2, 1 - END / 2, 1.0)] == [2, 2, 9, 9]
