"""Frequencies of participation, and their independence."""

import itertools

import numpy as np
import pytest

from synthetic.engine.randomness import Place, PlacedNumbers
from synthetic.errors import BadValue
from synthetic.participation import FixedSize, Full, Independent

SIZE = 20_000


def numbers(replicates=SIZE):
    return PlacedNumbers(seed=7, stream="participation", replicates=replicates)


def test_full_is_everyone():
    assert Full().draw(numbers(3), 0, 4).tolist() == [[True] * 4] * 3
    assert Full().inclusion(4) == 1.0


@pytest.mark.parametrize("probability", [0.05, 0.5, 0.9])
def test_independent_coins_have_their_probability_and_are_independent(probability):
    taking = Independent(probability=probability).draw(numbers(), 2, 4)
    error = 5 * np.sqrt(probability * (1 - probability) / SIZE)
    assert np.abs(taking.mean(axis=0) - probability).max() < error
    for one, other in itertools.combinations(range(4), 2):
        both = (taking[:, one] & taking[:, other]).mean()
        assert abs(both - probability**2) < 5 * np.sqrt(probability**2 * (1 - probability**2) / SIZE)
    assert (~taking.any(axis=1)).mean() == pytest.approx((1 - probability) ** 4, abs=0.02)


def test_probability_one_is_full():
    assert Independent(probability=1).draw(numbers(100), 0, 3).all()


@pytest.mark.parametrize("count", [1, 2, 4, 5])
def test_a_fixed_size_set_has_its_size_and_is_uniform(count):
    rule = FixedSize(count=count)
    taking = rule.draw(numbers(), 0, 5)
    assert (taking.sum(axis=1) == count).all()
    assert rule.inclusion(5) == count / 5
    share = count / 5
    assert np.abs(taking.mean(axis=0) - share).max() <= 5 * np.sqrt(share * (1 - share) / SIZE)
    pair = count * (count - 1) / 20
    assert abs((taking[:, 0] & taking[:, 4]).mean() - pair) <= 5 * np.sqrt(pair * (1 - pair) / SIZE)


@pytest.mark.parametrize("rule", [Independent(probability=0.4), FixedSize(count=2)])
def test_rounds_differ_and_replicates_do_not_depend_on_their_number(rule):
    assert (rule.draw(numbers(200), 0, 5) != rule.draw(numbers(200), 1, 5)).any()
    np.testing.assert_array_equal(rule.draw(numbers(5), 0, 5), rule.draw(numbers(200), 0, 5)[:5])


@pytest.mark.parametrize("probability", [0, -0.1, 1.1, float("nan"), "half", True])
def test_probabilities_outside_their_range_are_refused(probability):
    with pytest.raises(BadValue):
        Independent(probability=probability)


def test_more_clients_than_there_are_is_refused():
    with pytest.raises(BadValue, match="at most 3"):
        FixedSize(count=4).draw(numbers(2), 0, 3)


def test_the_smallest_tickets_are_drawn():
    tickets = numbers(50).uniforms(Place(purpose="participation", round=3), 5)
    taking = FixedSize(count=2).draw(numbers(50), 3, 5)
    for row, taken in zip(tickets, taking, strict=True):
        assert set(row[taken]) == set(sorted(row)[:2])
