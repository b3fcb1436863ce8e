"""When an amount of rounding is known, and when it explains an excess."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import bounds
from bounds.language.finding import Verdict
from verify.matching.linear_bound import LinearBound
from verify.matching.measurements.measurement import Sampled
from verify.runs.judge import Interval, Judged
from verify.runs.rounding import CLEAR, explain, measure_on_cell, measure_on_samples

EVALUATION = bounds.get("textbook.gradient_descent_convex").evaluate(L=1, D0=1, N=1)
BOUND = LinearBound(left={"o": 1.0}, right={}, constant=1.0, lowest={"o": 0.0}, highest={})
JUDGED = Judged(
    measured=Interval(estimate=0.5, lower=0.4, upper=0.6),
    excess=Interval(estimate=-0.5, lower=-0.6, upper=-0.4),
    verdict=Verdict.HOLDS,
    method="",
    sentence="",
)


def sampled(*values: float) -> Sampled:
    return Sampled(observables={"o": np.array(values)})


@pytest.mark.parametrize(("verdict", "known"), [(Verdict.HOLDS, True), (Verdict.INCONCLUSIVE, False)])
def test_a_disturbance_that_turns_the_verdict_has_no_amount(verdict: Verdict, known: bool) -> None:
    again = replace(JUDGED, verdict=verdict)
    assert (measure_on_cell(EVALUATION, BOUND, JUDGED, lambda: again, 2, 1) is not None) is known


@pytest.mark.parametrize(("upper", "known"), [(-0.4, True), (-1e-14, False)])
def test_an_end_within_its_rounding_of_the_bound_has_no_amount(upper: float, known: bool) -> None:
    judged = replace(JUDGED, excess=replace(JUDGED.excess, upper=upper))
    seen, moved = sampled(0.5, 0.5), sampled(0.5, 0.5 + 1e-13)
    assert (measure_on_samples(EVALUATION, BOUND, judged, seen, moved, 2) is not None) is known


@pytest.mark.parametrize(
    ("seen", "moved", "explained"),
    [
        ((3.0, 3.0), (3.0 + 2 / CLEAR, 3.0 + 2 / CLEAR), True),
        ((3.0, 3.0), (3.0 + 1 / CLEAR, 3.0 + 1 / CLEAR), False),
        ((np.inf, 3.0), (3.0, 3.0), False),
        ((3.0, 3.0), (np.inf, 3.0), False),
        ((np.inf, 3.0), (np.inf, 3.0), False),
    ],
)
def test_a_replicate_that_diverges_is_explained_by_no_rounding(
    seen: Any, moved: Any, explained: bool
) -> None:
    assert explain(BOUND, sampled(*seen), sampled(*moved)) is explained
