"""What a verdict says beside its word, by hand: both intervals, the method, the sentence, what may go on."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.language.finding import Verdict
from verify.matching.linear_bound import LinearBound
from verify.matching.measurements.measurement import Computed, Exact, Measurement, Sampled
from verify.runs.judge import Judged, judge

LEVEL, COUNT = 1e-4, 4000
BOUND = LinearBound(left={"o": 1}, right={}, constant=Fraction(5), lowest={"o": 0}, highest={})
DRAWS = np.random.default_rng(7).exponential(size=COUNT)  # mean 1, mean square 2


def judged_of(bound: LinearBound, measured: Measurement) -> Judged:
    return judge(bound, lambda *_: measured, COUNT, LEVEL)


def computed(value: float, rounding: float = 1e-9, **more: Any) -> Computed:
    return Computed(observables={"o": np.array(value)}, rounding=lambda: {"o": rounding}, **more)


def sampled(**observables: Any) -> Sampled:
    return Sampled(observables={name: np.broadcast_to(x, COUNT) for name, x in observables.items()})


# ---- what has no sampling error


def test_an_exact_value_says_how_far_it_is_from_the_bound() -> None:
    for value, how in ((5, "with equality"), (4, "by 1")):
        judged = judged_of(BOUND, Exact(observables={"o": Fraction(value)}, method="planted"))
        assert judged.sentence.startswith(f"holds {how}: {value} exactly, against 5")


@pytest.mark.parametrize(
    ("away", "relation", "verdict"), [(1e-6, "above", Verdict.VIOLATED), (-1e-6, "below", Verdict.HOLDS)]
)
def test_a_computed_value_has_its_rounding_on_either_side(
    away: float, relation: str, verdict: Verdict
) -> None:
    """The excess has a part in 10^11 of both sides more, which are 10 together."""
    judged = judged_of(BOUND, computed(5 + away))
    assert judged.verdict is verdict
    assert f"which is {relation} the bound 5" in judged.sentence
    for interval, middle, width in ((judged.measured, 5 + away, 1e-9), (judged.excess, away, 1.1e-9)):
        ends = [interval.lower, interval.estimate, interval.upper]
        assert ends == pytest.approx([middle - width, middle, middle + width], rel=0, abs=2e-15)


def test_a_computed_equality_holds_within_rounding() -> None:
    judged = judged_of(replace(BOUND, equality=True), computed(5 + 1e-12, rounding=0.0))
    assert judged.verdict is Verdict.HOLDS
    assert "within rounding of the bound" in judged.sentence


def test_a_run_that_diverges_is_above_every_bound() -> None:
    assert judged_of(BOUND, computed(np.inf)).verdict is Verdict.VIOLATED


@pytest.mark.parametrize(
    ("more", "method", "sentence"),
    [
        ({}, "one run that draws no random number;", "computed 4, which"),
        ({"outcomes": 2}, "the mean over all 2 outcomes of a run;", "computed 4 over all 2 outcomes, which"),
        ({"normals": 3}, "the mean over 3 Gaussian numbers,", "computed 4 over 3 Gaussian numbers, which"),
    ],
)
def test_it_is_said_over_what_a_mean_is_taken(more: dict[str, int], method: str, sentence: str) -> None:
    judged = judged_of(BOUND, computed(4.0, **more))
    assert judged.method.startswith(method)
    assert judged.sentence.startswith(sentence)


# ---- samples


@pytest.mark.parametrize("constant", [0.8, 1.3])
def test_the_excess_of_samples_is_theirs_less_the_bound(constant: float) -> None:
    judged = judged_of(replace(BOUND, constant=constant, highest={"o": 20}), sampled(o=DRAWS))
    measured, excess = judged.measured, judged.excess
    assert measured.estimate == pytest.approx(float(DRAWS.mean()))
    for less, more in (
        (excess.estimate, measured.estimate),
        (excess.lower, measured.lower),
        (excess.upper, measured.upper),
    ):
        assert more is not None
        assert less == pytest.approx(more - constant)
    assert "the bound" in judged.sentence
    assert "on the left" not in judged.sentence


def test_two_random_sides_are_told_as_they_are_printed() -> None:
    """2 O <= 1 + 3 X at O = 1 and X = 2."""
    lowest, highest = {"o": 0, "x": 0}, {"o": 5, "x": 5}
    bound = LinearBound(left={"o": 2}, right={"x": 3}, constant=1, lowest=lowest, highest=highest)
    judged = judged_of(bound, sampled(o=1.0, x=2.0))
    assert judged.verdict is Verdict.HOLDS
    assert judged.sentence.startswith("2 on the left, 7 on the right; left less random part of the right:")
    assert judged.sentence.endswith("below the constant part of the right 1")
    assert judged.measured.estimate == -4


@pytest.mark.parametrize(("constant", "verdict"), [(0.5, Verdict.HOLDS), (0.75, Verdict.INCONCLUSIVE)])
def test_an_equality_of_a_smallest_mean_is_that_of_the_chosen_round(
    constant: float, verdict: Verdict
) -> None:
    """The means are 1 and 1/2: 3/4 is the mean of both rounds, and of none of them."""
    rounds = np.array([[1.0], [0.5]]) + np.tile([-0.1, 0.1], COUNT // 2)
    bound = replace(BOUND, constant=constant, equality=True)
    judged = judged_of(bound, Sampled(observables={"o": rounds}))
    assert judged.verdict is verdict
    assert f"measured {0.5:.6g}" in judged.sentence


@pytest.mark.parametrize(("away", "verdict"), [(0.6, Verdict.HOLDS), (0.77, Verdict.INCONCLUSIVE)])
def test_an_equality_that_is_known_to_a_quarter_holds(away: float, verdict: Verdict) -> None:
    """Half the level on either side is 3.8906 deviations; that of the mean is away/sqrt(99)."""
    few = np.tile([1 - away, 1 + away], 50)
    judged = judged_of(replace(BOUND, constant=1.0, equality=True), Sampled(observables={"o": few}))
    width = 3.8906 * away / 99**0.5  # 0.235 and 0.301 of the mean
    assert judged.verdict is verdict
    (ends,) = re.findall(r"between (\S+) and (\S+) by", judged.sentence)
    assert [float(end) for end in ends] == pytest.approx([1 - width, 1 + width], rel=0, abs=1e-4)


def test_an_equality_in_which_nothing_varies_holds() -> None:
    same = Sampled(observables={"o": np.full(64, 5.0)}, ceiling=np.array(5.0), floor=5.0)
    assert judged_of(replace(BOUND, equality=True), same).verdict is Verdict.HOLDS


# ---- a mean from below, of what has no upper end: -O <= c, for O >= 0 with mean square 2

BELOW = LinearBound(left={"o": -1}, right={}, constant=0.0, lowest={"o": 0}, highest={})


@pytest.mark.parametrize(
    ("constant", "verdict"),
    [(-1.3, Verdict.VIOLATED), (-1.0, Verdict.INCONCLUSIVE), (-0.8, Verdict.HOLDS)],
)
def test_a_declared_mean_square_refutes_a_mean_from_below(constant: float, verdict: Verdict) -> None:
    judged = judged_of(replace(BELOW, constant=constant, second_moment=2.0), sampled(o=DRAWS))
    assert (judged.verdict, judged.continues) == (verdict, False)  # a truncation is fixed for a number
    assert judged.method.endswith("truncation with second moment as declared")


@pytest.mark.parametrize("square", [None, np.inf])
@pytest.mark.parametrize(("constant", "verdict"), [(-1.3, Verdict.INCONCLUSIVE), (-0.8, Verdict.HOLDS)])
def test_without_an_upper_end_nothing_refutes_a_mean_from_below(
    square: float | None, constant: float, verdict: Verdict
) -> None:
    judged = judged_of(replace(BELOW, constant=constant, second_moment=square), sampled(o=DRAWS))
    assert (judged.verdict, judged.continues) == (verdict, False)
    assert judged.method.endswith("no certified lower end, so nothing could refute it")
    assert ("without `highest=` of the observable o " in judged.sentence) == (constant == -1.3)


def test_a_mean_with_a_certified_floor_may_go_on() -> None:
    judged = judged_of(replace(BOUND, constant=1.0, highest={"o": 20}), sampled(o=DRAWS))
    assert (judged.verdict, judged.continues) == (Verdict.INCONCLUSIVE, True)
    assert "refute" not in judged.method


def test_what_lacks_an_upper_end_is_named() -> None:
    """O - X has no lower end where X has no upper one."""
    bound = LinearBound(left={"o": 1, "x": -1}, right={}, constant=-0.5, lowest={"o": 0, "x": 0}, highest={})
    judged = judged_of(bound, sampled(o=1.0, x=1.0))
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "without `highest=` of the observable x (no sample is larger)" in judged.sentence
