"""Betting tests and bounds for a mean at their edges: infinities, roundings, what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from verify.statistics.betting import (
    InvalidLevel,
    InvalidSamples,
    OutsideSupport,
    evidence_above,
    lower_confidence,
    rejects,
    rejects_below,
    truncation_for,
    upper_confidence,
    upper_confidence_by_truncation,
)
from verify.statistics.error_level import evidence_above_in_every_round, per_cell, round_with_lowest_mean

LEVEL = 0.05


def test_a_diverged_replicate_is_certain_evidence_and_stays_so() -> None:
    wealth = evidence_above([0.0, math.inf, 0.0], 5.0, 0.0)
    assert math.isfinite(wealth[0])
    assert (wealth[1:] == math.inf).all()
    assert lower_confidence([1.0, math.inf], LEVEL, 0.0) == math.inf
    assert upper_confidence_by_truncation([1.0, math.inf], LEVEL, 4.0, 3.0, 0.0) == math.inf
    with pytest.raises(OutsideSupport, match="ceiling"):
        rejects_below([1.0, math.inf], 0.5, 2.0, LEVEL)


def test_a_huge_finite_sample_is_not_certain_evidence() -> None:
    assert np.isfinite(evidence_above([1e308, 0.0, 1e308], 1e-300, -1e308)).all()
    wealth = evidence_above([1e308, 0.0], 1e-300, 0.0)
    assert np.isfinite(wealth).all()
    assert rejects(wealth, 1e-300)


def test_a_bound_at_or_below_the_floor() -> None:
    assert list(evidence_above([0.0, 1e-300, 0.0], 0.0, 0.0)) == [0.0, math.inf, math.inf]
    assert list(evidence_above([2.0, 2.0], 1.0, 2.0)) == [math.inf, math.inf]
    assert list(evidence_above([2.0, 2.0 + 4e-16], 2.0, 2.0)) == [0.0, 0.0]
    assert list(evidence_above([2.0], 2.0 - 4e-16, 2.0)) == [0.0]
    assert list(evidence_above([2.0, 2.0 + 1e-9], 2.0, 2.0)) == [0.0, math.inf]


def test_rounding_below_the_floor_is_forgiven_and_paid_for() -> None:
    just_below = 3.0 - 4e-16
    assert not rejects(evidence_above([just_below] * 50, 3.0, 3.0), LEVEL)
    with pytest.raises(OutsideSupport, match="rounding"):
        evidence_above([3.0 - 1e-9], 4.0, 3.0)
    with pytest.raises(OutsideSupport, match="rounding"):
        upper_confidence_by_truncation([3.0 - 1e-9], LEVEL, 16.0, 8.0, 3.0)
    evidence_above([3.0 - 1e-9], 4.0, 3.0, rounding=1e-8)
    # Samples all rounded up by the stated error must not refute a bound that the true value meets.
    assert not rejects(evidence_above(np.full(10_000, 1.0 + 1e-3), 1.0, 0.0, rounding=1e-3), LEVEL)
    assert lower_confidence(np.full(10_000, 1.0 + 1e-3), LEVEL, 0.0, rounding=1e-3) <= 1.0


def test_where_nothing_is_known_nothing_is_said() -> None:
    assert list(evidence_above([1.0, 2.0], 0.0, -math.inf)) == [0.0, 0.0]
    assert list(evidence_above([1.0, 2.0], math.inf, 0.0)) == [0.0, 0.0]
    assert lower_confidence([1.0], LEVEL, -math.inf) == -math.inf
    assert upper_confidence([1.0], LEVEL, math.inf) == math.inf
    assert upper_confidence_by_truncation([1.0], LEVEL, math.inf, 3.0, 0.0) == math.inf
    assert lower_confidence([], LEVEL, 2.0) == 2.0
    assert upper_confidence([], LEVEL, 2.0) == 2.0
    assert upper_confidence_by_truncation([], LEVEL, 9.0, 1e6, 0.0) == 3.0
    assert evidence_above([], 1.0, 0.0).size == 0
    assert not rejects(evidence_above([], 1.0, 0.0), LEVEL)


def test_misuse_is_refused() -> None:
    for level in (0.0, 1.0, -0.1, math.nan):
        with pytest.raises(InvalidLevel):
            lower_confidence([1.0], level, 0.0)
        with pytest.raises(InvalidLevel):
            per_cell(level, 3)
    with pytest.raises(InvalidLevel):
        per_cell(0.05, 0)
    refused: list[Callable[[], object]] = [
        lambda: evidence_above([math.nan], 1.0, 0.0),
        lambda: evidence_above([1.0], math.nan, 0.0),
        lambda: evidence_above([[1.0]], 1.0, 0.0),
        lambda: evidence_above([1.0], 1.0, math.inf),
        lambda: evidence_above([1.0], 1.0, 0.0, rounding=-1.0),
        lambda: lower_confidence([1.0], LEVEL, math.inf),
        lambda: upper_confidence_by_truncation([1.0], LEVEL, 4.0, 0.0, 0.0),
        lambda: upper_confidence_by_truncation([3.0], LEVEL, 4.0, 1.0, 3.0),
        lambda: truncation_for(0.0, 10, LEVEL),
        lambda: evidence_above_in_every_round([1.0], 1.0, 0.0),
        lambda: evidence_above_in_every_round([[math.nan]], 1.0, 0.0),
        lambda: round_with_lowest_mean([[], []]),
    ]
    for bad in refused:
        with pytest.raises(InvalidSamples):
            bad()


def test_a_wealth_of_one_over_the_level_rejects() -> None:
    enough = -math.log(LEVEL)
    assert rejects(np.array([0.0, enough, 0.0]), LEVEL)
    assert not rejects(np.array([0.0, math.nextafter(enough, 0.0)]), LEVEL)


@pytest.mark.parametrize("floor", [3.0, -3.0])
def test_without_a_stated_rounding_2_to_the_9_units_of_roundoff_are_forgiven(floor: float) -> None:
    """A unit of roundoff is 2^-53 of the larger of floor and bound."""
    evidence_above([floor - 2.98 * 2**-44], -1.0, floor)
    with pytest.raises(OutsideSupport):
        evidence_above([floor - 3.02 * 2**-44], -1.0, floor)


def test_a_level_of_one_cell_is_its_own() -> None:
    assert per_cell(LEVEL, 1) == LEVEL


@pytest.mark.parametrize(
    ("second_moment", "floor", "possible"),
    [(5.0, 2.0, True), (3.9, 2.0, False), (0.26, 0.5, True), (0.24, 0.5, False), (0.02, -3.0, True)],
)
def test_the_second_moment_is_at_least_the_square_of_a_positive_floor(
    second_moment: float, floor: float, possible: bool
) -> None:
    samples = [max(floor, 0.0)] * 50
    if possible:
        upper = upper_confidence_by_truncation(samples, LEVEL, second_moment, 6.0, floor)
        assert upper <= math.sqrt(second_moment)
    else:
        with pytest.raises(InvalidSamples, match="second moment as small"):
            upper_confidence_by_truncation(samples, LEVEL, second_moment, 6.0, floor)


def test_a_truncation_by_hand() -> None:
    """The root of n E[X^2] / (2 log(1/level)), from one sample on."""
    assert truncation_for(0.5, 1, LEVEL) == pytest.approx(math.sqrt(0.25 / math.log(20)))
    assert truncation_for(8.0, 100, 1e-4) == pytest.approx(math.sqrt(400 / math.log(10_000)))
    with pytest.raises(InvalidSamples):
        truncation_for(1.0, 0, LEVEL)
