"""A sample beyond the end that its observable is declared to have refuses the cell, and is named."""

from dataclasses import replace

import numpy as np
import pytest

from bounds.language.finding import Verdict
from verify.matching.linear_bound import LinearBound
from verify.matching.measurements.measurement import Sampled
from verify.runs.judge import judge

BOUND = LinearBound(
    left={"walk": 1.0, "gap": 1.0},
    right={},
    constant=5.0,
    lowest={"walk": 0.0, "gap": 0.0},
    highest={"walk": 4.0},
)
GAP = np.linspace(3.0, 3.5, 64)


def judged(bound: LinearBound, walk: float) -> tuple[Verdict, str]:
    """One sample of the walk is `walk`, all others are 1."""
    samples = np.ones(64)
    samples[7] = walk
    measurement = Sampled(observables={"walk": samples, "gap": GAP})
    found = judge(bound, lambda *_: measurement, 64, 1e-3)
    return found.verdict, found.sentence


@pytest.mark.parametrize(
    ("walk", "end"), [(-1.0, "walk is -1 in a run, and `lowest=` is 0"), (4.5, "`highest=` is 4")]
)
def test_one_observable_leaves_its_ends_where_the_sum_stays_inside(walk: float, end: str) -> None:
    verdict, sentence = judged(BOUND, walk)
    assert verdict is Verdict.REFUSED
    assert end in sentence


@pytest.mark.parametrize(
    ("walk", "end"), [(-1.0, "walk is -1 in a run, and `lowest=` is 0"), (4.5, "`highest=` is 4")]
)
def test_an_observable_on_the_right_leaves_its_ends(walk: float, end: str) -> None:
    verdict, sentence = judged(replace(BOUND, left={"gap": 1.0}, right={"walk": 1.0}), walk)
    assert verdict is Verdict.REFUSED
    assert end in sentence


def test_an_end_that_is_none_or_lower_allows_the_sample() -> None:
    for lowest in ({"walk": -1.0, "gap": 0.0}, {"gap": 0.0}):
        verdict, _ = judged(replace(BOUND, lowest=lowest), -1.0)
        assert verdict is not Verdict.REFUSED


@pytest.mark.parametrize("walk", [0.0, -1e-12, 4.0, 4.0 + 1e-12, float("inf")])
def test_roundings_and_diverged_runs_are_not_beyond_an_end(walk: float) -> None:
    verdict, sentence = judged(BOUND, walk)
    assert verdict is not Verdict.REFUSED, sentence
