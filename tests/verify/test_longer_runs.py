"""A cell that leans against its bound is run on, and only a refutation is taken from the longer run."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from bounds.language.finding import Verdict
from verify.matching.linear_bound import LinearBound
from verify.matching.measurements.measurement import Measurement, Sampled
from verify.runs.judge import Interval, Judged, judge
from verify.runs.longer import leans_against, refute_by_more

LEVEL = 1e-3
FIRST = 256


def _bound(constant: float) -> LinearBound:
    return LinearBound(left={"o": 1}, right={}, constant=constant, lowest={"o": 0}, highest={})


def _judge_exponential(
    seed: int, constant: float, level: float = LEVEL
) -> Callable[[int], tuple[int, Judged]]:
    """The first samples of a longer run are those of the shorter one, as in the engine."""

    def run_with(replicates: int) -> tuple[int, Judged]:
        def draw(_purpose: str, count: int) -> Measurement:
            return Sampled(observables={"o": np.random.default_rng(seed).exponential(size=count)})

        return replicates, judge(_bound(constant), draw, replicates, level)

    return run_with


def _verdict_at_length(seed: int, constant: float, level: float = LEVEL) -> tuple[Verdict, int]:
    run_with = _judge_exponential(seed, constant, level)
    _, first = run_with(FIRST)
    replicates, judged = refute_by_more(first, FIRST, 10**9, run_with) or (FIRST, first)
    return judged.verdict, replicates


def test_a_mean_above_the_bound_is_found_by_more_samples() -> None:
    """The bound is 0.8 of the mean: 256 samples show it in a third of the runs, 4,096 in all."""
    found = [_verdict_at_length(seed, 0.8) for seed in range(20)]
    shown_at_once = sum(replicates == FIRST for _, replicates in found)
    assert shown_at_once < 12
    assert sum(verdict is Verdict.VIOLATED for verdict, _ in found) >= 19


@pytest.mark.parametrize(
    ("lower", "upper", "below", "taken"),
    [
        (0.1, None, False, True),
        (None, -0.1, True, True),
        (None, -0.1, False, False),
        (-0.1, 0.1, True, False),
        (None, None, True, False),
    ],
)
def test_only_a_refutation_by_one_end_is_taken(
    lower: float | None, upper: float | None, *, below: bool, taken: bool
) -> None:
    """Another kind of refutation may depend on the number of samples, which the bet alone may not."""
    _, first = _judge_exponential(0, 0.9)(FIRST)
    leaning = replace(
        first, verdict=Verdict.INCONCLUSIVE, excess=Interval(estimate=1.0, lower=-0.1, upper=None)
    )
    assert leans_against(leaning)
    excess = Interval(estimate=1.0, lower=lower, upper=upper)
    refuting = replace(first, verdict=Verdict.VIOLATED, excess=excess, below=below)
    found = refute_by_more(leaning, FIRST, 10**9, lambda replicates: (replicates, refuting))
    assert (found is not None) is taken


def test_going_on_keeps_the_level() -> None:
    """The bound equals the mean, so that each of 150 runs is refuted with probability at most 0.05."""
    refuted = sum(_verdict_at_length(seed, 1.0, level=0.05)[0] is Verdict.VIOLATED for seed in range(150))
    assert refuted <= 23  # more has probability below 1e-6


def test_an_equality_that_is_too_large_is_found_by_more_samples_in_a_range() -> None:
    """The mean is 0.3 of what is claimed, in [0, 1]: shown by 16 times the samples, never without a range."""
    for ceiling, verdict in ((1.0, Verdict.VIOLATED), (np.inf, Verdict.INCONCLUSIVE)):
        claimed = replace(_bound(0.1), equality=True, highest={"o": ceiling} if ceiling < np.inf else {})

        def run_with(replicates: int, claimed: LinearBound = claimed) -> tuple[int, Judged]:
            def draw(_purpose: str, count: int) -> Measurement:
                return Sampled(observables={"o": np.random.default_rng(5).beta(0.06, 1.94, size=count)})

            return replicates, judge(claimed, draw, replicates, LEVEL)

        _, first = run_with(32)
        assert first.verdict is Verdict.INCONCLUSIVE
        _, found = refute_by_more(first, 32, 10**9, run_with) or (32, first)
        assert found.verdict is verdict


def test_a_verdict_by_truncation_is_not_sought_by_more_samples() -> None:
    """The truncation depends on the number of samples: a longer run would be a second test."""
    subtracted = LinearBound(
        left={"o": -1}, right={}, constant=-1.3, lowest={"o": 0}, highest={}, second_moment=2.0
    )

    def draw(_purpose: str, count: int) -> Measurement:
        return Sampled(observables={"o": np.random.default_rng(3).exponential(size=count)})

    first = judge(subtracted, draw, FIRST, LEVEL)
    assert first.verdict is Verdict.INCONCLUSIVE
    assert first.excess.lower is not None
    assert first.excess.estimate > -first.excess.lower
    assert judge(subtracted, draw, 16 * FIRST, LEVEL).verdict is Verdict.VIOLATED

    def run_with(replicates: int) -> tuple[int, Judged]:
        return replicates, judge(subtracted, draw, replicates, LEVEL)

    assert refute_by_more(first, FIRST, 10**9, run_with) is None


def test_a_run_stops_at_what_a_record_may_ask_for() -> None:
    asked: list[int] = []

    def run_with(replicates: int) -> tuple[int, Judged]:
        asked.append(replicates)
        return replicates, leaning

    _, undecided = _judge_exponential(1, 0.97)(FIRST)
    interval = Interval(estimate=0.3, lower=-0.1, upper=None)
    leaning = replace(undecided, verdict=Verdict.INCONCLUSIVE, excess=interval)
    assert refute_by_more(leaning, FIRST, 4 * FIRST, run_with) is None
    assert asked == [4 * FIRST]
    asked.clear()
    assert refute_by_more(leaning, FIRST, 10**9, run_with) is None
    assert asked == [4 * FIRST, 16 * FIRST]


@pytest.mark.parametrize(
    ("verdict", "estimate", "lower", "leans"),
    [
        (Verdict.INCONCLUSIVE, 0.3, -0.1, True),
        (Verdict.INCONCLUSIVE, 0.02, -0.1, False),
        (Verdict.INCONCLUSIVE, -0.3, -0.9, False),
        (Verdict.INCONCLUSIVE, 0.3, None, False),
        (Verdict.HOLDS, 0.3, -0.1, False),
    ],
)
def test_only_an_undecided_estimate_above_the_bound_leans(
    verdict: Verdict, estimate: float, lower: float | None, leans: bool
) -> None:
    excess = Interval(estimate=estimate, lower=lower, upper=None)
    judged = Judged(measured=excess, excess=excess, verdict=verdict, method="", sentence="")
    assert leans_against(judged) is leans


def test_no_other_verdict_than_a_refutation_is_taken_from_the_longer_run() -> None:
    interval = Interval(estimate=0.3, lower=-0.1, upper=None)
    leaning = Judged(measured=interval, excess=interval, verdict=Verdict.INCONCLUSIVE, method="", sentence="")
    for verdict in (Verdict.HOLDS, Verdict.REFUSED):
        other = replace(leaning, verdict=verdict)
        assert refute_by_more(leaning, FIRST, 10**9, lambda count, other=other: (count, other)) is None
