"""Verdicts on planted truths: exact equality, planted defects, and the error level."""

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from bounds.language.finding import Verdict
from verify.matching.linear_bound import LinearBound
from verify.matching.measurements.measurement import Computed, Exact, Measurement, Sampled
from verify.runs.judge import _verdict, judge

LEVEL = 1e-4


def _bound(constant: float | Fraction) -> LinearBound:
    return LinearBound(left={"o": 1}, right={}, constant=constant, lowest={"o": 0}, highest={})


def _sampled(mean: float, ceiling: float | None, count: int = 4000) -> Measurement:
    draws = mean * np.random.default_rng(7).exponential(size=count)
    capped = draws if ceiling is None else np.minimum(draws, ceiling)
    return Sampled(observables={"o": capped}, ceiling=None if ceiling is None else np.array(ceiling))


@pytest.mark.parametrize(
    ("constant", "verdict"),
    [
        (Fraction(1, 3), Verdict.HOLDS),
        (Fraction(1, 3) + Fraction(1, 10**30), Verdict.HOLDS),
        (Fraction(1, 3) - Fraction(1, 10**30), Verdict.VIOLATED),
    ],
)
def test_exact_values_are_compared_exactly(constant: Fraction, verdict: Verdict) -> None:
    exact = Exact(observables={"o": Fraction(1, 3)}, method="planted")
    judged = judge(_bound(constant), lambda *_: exact, 1, LEVEL)
    assert judged.verdict is verdict


def test_exact_value_against_irrational_bound_equal_within_rounding_is_inconclusive() -> None:
    exact = Exact(observables={"o": Fraction(2**0.5)}, method="planted")
    assert judge(_bound(2**0.5), lambda *_: exact, 1, LEVEL).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("turned", [False, True])
def test_irrational_coefficients_that_cancel_are_inconclusive_either_way_round(turned: bool) -> None:
    """sqrt(2) sqrt(3) against sqrt(6), apart in float64: without a constant the two sides tell the size."""
    sides = ({"o": 2**0.5 * 3**0.5}, {"p": 6**0.5})
    left, right = sides[::-1] if turned else sides
    lowest, highest = {"o": 0, "p": 0}, {"o": 1, "p": 1}
    bound = LinearBound(left=left, right=right, constant=0.0, lowest=lowest, highest=highest)
    exact = Exact(observables={"o": Fraction(1), "p": Fraction(1)}, method="planted")
    assert judge(bound, lambda *_: exact, 1, LEVEL).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("constant", [0.8, 1.3])
def test_ends_that_contradict_each_other_decide_nothing(constant: float) -> None:
    """A planted defect: a certified second moment far below the true one."""
    draws = 1.0 + np.random.default_rng(7).exponential(size=4000) / 10
    wrong = Sampled(observables={"o": draws}, second_moment=1e-4)
    judged = judge(_bound(constant), lambda *_: wrong, 4000, LEVEL)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "what was certified is wrong" in judged.sentence
    right = replace(wrong, second_moment=1.3)
    assert judge(_bound(constant), lambda *_: right, 4000, LEVEL).verdict is not Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("constant", "ceiling", "verdict"),
    [
        (10.0, float(np.nextafter(5.0, 0.0)), Verdict.HOLDS),
        (10.0, 5.0, Verdict.HOLDS),
        (4.0, float(np.nextafter(5.0, 0.0)), Verdict.VIOLATED),
    ],
)
def test_ends_that_cross_by_rounding_do_not_contradict_each_other(
    constant: float, ceiling: float, verdict: Verdict
) -> None:
    """A cell in which nothing varies: the exact ceiling, computed on another way, is the last bit below."""
    same = Sampled(observables={"o": np.full(64, 5.0)}, ceiling=np.array(ceiling), floor=5.0)
    judged = judge(_bound(constant), lambda *_: same, 64, LEVEL)
    assert judged.verdict is verdict
    lower, upper = judged.measured.lower, judged.measured.upper
    assert lower is not None
    assert upper is not None
    assert lower <= upper


@pytest.mark.parametrize(
    ("constant", "ceiling", "verdict", "certified"),
    [
        (0.8, 20.0, Verdict.VIOLATED, True),
        (1.3, 20.0, Verdict.HOLDS, True),
        (1.3, None, Verdict.HOLDS, False),  # the normal approximation alone, and it says so
        (1.0, 20.0, Verdict.INCONCLUSIVE, True),
    ],
)
def test_sampled_verdicts(constant: float, ceiling: float | None, verdict: Verdict, certified: bool) -> None:
    judged = judge(_bound(constant), lambda *_: _sampled(1.0, ceiling), 4000, LEVEL)
    assert (judged.verdict, judged.certified) == (verdict, certified)


def test_second_moment_certifies_holds() -> None:
    samples = np.random.default_rng(3).exponential(size=4000)
    measured = Sampled(observables={"o": samples}, second_moment=2.0)
    judged = judge(_bound(1.3), lambda *_: measured, 4000, LEVEL)
    assert judged.verdict is Verdict.HOLDS
    assert judged.certified


def test_diverged_replicate_never_holds() -> None:
    samples = np.full(4000, 0.1)
    samples[17] = np.inf
    judged = judge(_bound(1.0), lambda *_: Sampled(observables={"o": samples}), 4000, LEVEL)
    assert judged.verdict is Verdict.VIOLATED


def test_minimum_of_means_is_not_the_mean_of_the_minimum() -> None:
    """Every round has mean 1, though the smallest entry of a replicate has mean far below."""
    rows = np.random.default_rng(5).exponential(size=(12, 4000))
    assert rows.min(axis=0).mean() < 0.1

    def run(purpose: str, count: int) -> Measurement:
        fresh = np.random.default_rng(len(purpose)).exponential(size=(12, count))
        return Sampled(observables={"o": np.minimum(fresh, 30)}, ceiling=np.full(12, 30.0))

    assert judge(_bound(0.8), run, 4000, LEVEL).verdict is Verdict.VIOLATED
    assert judge(_bound(1.25), run, 4000, LEVEL).verdict is Verdict.HOLDS


def test_the_round_is_chosen_on_replicates_of_its_own() -> None:
    """Round 0 is the lowest where it is measured, round 1 on the pilot: on its own replicates it was luck."""
    asked = []

    def run(purpose: str, count: int) -> Measurement:
        asked.append((purpose, count))
        means = [[0.25], [0.5]] if purpose == "main" else [[0.75], [0.5]]
        return Sampled(observables={"o": np.repeat(means, count, axis=1)}, ceiling=np.full(2, 1.0))

    judged = judge(_bound(0.75), run, 4000, LEVEL)
    assert (judged.measured.estimate, judged.verdict) == (0.5, Verdict.HOLDS)
    assert "round 1 chosen on a pilot" in judged.method
    assert len(asked) == len({purpose for purpose, _ in asked}) == 2


@pytest.mark.parametrize(("above", "verdict"), [(1e-9, Verdict.VIOLATED), (-1e-9, Verdict.HOLDS)])
def test_an_exact_value_a_billionth_from_an_irrational_bound_is_decided(
    above: float, verdict: Verdict
) -> None:
    """Rounding of a bound explains one part in 10^11, and no more."""
    exact = Exact(observables={"o": Fraction(2**0.5 * (1 + above))}, method="planted")
    assert judge(_bound(2**0.5), lambda *_: exact, 1, LEVEL).verdict is verdict


@pytest.mark.parametrize("rounds", [None, 3])
@pytest.mark.parametrize(
    ("above", "verdict"), [(1e-9, Verdict.VIOLATED), (1e-13, Verdict.INCONCLUSIVE), (-1e-9, Verdict.HOLDS)]
)
def test_samples_in_which_nothing_varies_are_judged_to_their_rounding(
    rounds: int | None, above: float, verdict: Verdict
) -> None:
    """All equal to their certified ends, a billionth or a few last bits from the bound 5."""
    value = 5 * (1 + above)

    def run(_: str, count: int) -> Measurement:
        same = np.full((count,) if rounds is None else (rounds, count), value)
        return Sampled(observables={"o": same}, ceiling=np.full(same.shape[:-1], value), floor=value)

    assert judge(_bound(5.0), run, 64, LEVEL).verdict is verdict


@pytest.mark.parametrize(("below", "verdict"), [(1e-13, Verdict.HOLDS), (1e-9, Verdict.INCONCLUSIVE)])
def test_ends_that_cross_by_a_billionth_contradict_each_other(below: float, verdict: Verdict) -> None:
    """A mean above 5 and below 5 (1 - 10^-9): what was certified is wrong, and 10 decides nothing."""
    judged = _verdict(np.full(64, 5.0), 5.0, 5 * (1 - below), 10.0, LEVEL, violated=False, method="planted")
    assert judged.verdict is verdict


@pytest.mark.parametrize(
    ("left", "right", "measured", "floor", "ceiling"),
    [({"o": 1, "x": -1}, {}, 0.0, -30, 5), ({"o": 1}, {"x": -1}, 30.0, 0, 35)],
    ids=["left", "right"],
)
def test_a_negative_coefficient_has_the_other_end(
    left: dict[str, int], right: dict[str, int], measured: float, floor: int, ceiling: int
) -> None:
    """O - X and O + X with O in [0, 5] and X in [0, 30]; without an end of X O - X has no floor to bet on."""
    lowest, highest = {"o": 0, "x": 0}, {"o": 5, "x": 30}
    bound = LinearBound(left=left, right=right, constant=0.5, lowest=lowest, highest=highest)
    assert (bound.floor(), bound.ceiling()) == (floor, ceiling)
    draws = Sampled(observables={"o": np.ones(4000), "x": np.full(4000, measured)})
    assert judge(bound, lambda *_: draws, 4000, LEVEL).verdict is Verdict.VIOLATED
    unknown = judge(replace(bound, highest={}), lambda *_: draws, 4000, LEVEL)
    assert unknown.verdict is (Verdict.INCONCLUSIVE if "x" in left else Verdict.VIOLATED)


@pytest.mark.parametrize(
    ("constant", "second_moment", "highest", "verdict", "certified"),
    [
        (1.0, None, None, Verdict.HOLDS, False),
        (0.8, None, None, Verdict.VIOLATED, True),
        (1.3, None, None, Verdict.INCONCLUSIVE, True),  # no sample excludes rare large ones
        (1.3, 2.0, None, Verdict.VIOLATED, True),
        (1.3, None, 20.0, Verdict.VIOLATED, True),
        (1.0, 2.0, None, Verdict.HOLDS, False),
    ],
)
def test_an_equality_is_judged_on_both_sides(
    constant: float, second_moment: float | None, highest: float | None, verdict: Verdict, certified: bool
) -> None:
    bound = replace(_bound(constant), equality=True, second_moment=second_moment)
    bound = bound if highest is None else replace(bound, highest={"o": highest})
    judged = judge(bound, lambda *_: _sampled(1.0, highest), 4000, LEVEL)
    assert (judged.verdict, judged.certified) == (verdict, certified)
    assert ("nothing shows" in judged.sentence) == (verdict is Verdict.INCONCLUSIVE)


def test_a_declared_end_that_decides_nothing_is_not_said_to_be_missing() -> None:
    """No sample is above 0, and the bound is 1e-9: 4000 replicates cannot tell them apart."""
    bound = replace(_bound(1e-9), equality=True, highest={"o": 1.0})
    never = Sampled(observables={"o": np.zeros(4000)})
    judged = judge(bound, lambda *_: never, 4000, LEVEL)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "this many replicates do not show" in judged.sentence
    unknown = judge(replace(bound, highest={}), lambda *_: never, 4000, LEVEL)
    assert "nothing shows" in unknown.sentence
    assert (judged.below, unknown.below) == (True, False)  # a bet on a range goes on


@pytest.mark.parametrize("equality", [True, False])
def test_what_would_show_a_larger_mean_is_said_where_nothing_is_known_from_below(equality: bool) -> None:
    bound = replace(_bound(0.5), equality=equality, lowest={"o": -float("inf")})
    judged = judge(bound, lambda *_: _sampled(1.0, None), 4000, LEVEL)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "nothing shows that it is larger" in judged.sentence


def test_an_equality_of_zero_that_never_varies_holds() -> None:
    """Its width was divided by the 0 that it claims, and the cell ended as a defect of fedbounds."""
    bound = replace(_bound(0.0), equality=True)
    never = Sampled(observables={"o": np.zeros(64)})
    judged = judge(bound, lambda *_: never, 64, LEVEL)
    assert judged.verdict is Verdict.HOLDS
    assert judged.sentence.endswith("equal to 0")


@pytest.mark.parametrize(("constant", "broken"), [(1.0, False), (0.5, True), (2.0, True)])
def test_an_equality_of_a_run_without_randomness_fails_on_either_side(constant: float, broken: bool) -> None:
    values = {"o": np.array(1.0)}
    measured = Computed(observables=values, rounding=lambda: {"o": 1e-16})
    exact = Exact(observables={"o": Fraction(1)}, method="planted")
    for found in (measured, exact):
        bound = replace(_bound(Fraction(constant)), equality=True)
        judged = judge(bound, lambda *_, m=found: m, 1, LEVEL)
        assert judged.verdict is (Verdict.VIOLATED if broken else Verdict.HOLDS)


@pytest.mark.parametrize(("rounding", "verdict"), [(0.0, Verdict.HOLDS), (1e-300, Verdict.INCONCLUSIVE)])
def test_two_zeros_without_any_rounding_are_equal(rounding: float, verdict: Verdict) -> None:
    measured = Computed(observables={"o": np.array(0.0)}, rounding=lambda: {"o": rounding})
    assert judge(_bound(Fraction(0)), lambda *_: measured, 1, LEVEL).verdict is verdict
    above = Computed(observables={"o": np.array(1e-200)}, rounding=lambda: {"o": rounding})
    assert judge(_bound(Fraction(0)), lambda *_: above, 1, LEVEL).verdict is Verdict.VIOLATED


def test_a_value_beyond_what_is_declared_decides_nothing() -> None:
    bound = replace(_bound(1.3), highest={"o": 2.0})
    judged = judge(bound, lambda *_: _sampled(1.0, None), 4000, LEVEL)
    assert judged.verdict is Verdict.REFUSED
    assert "declared" in judged.sentence
    assert judged.sentence.endswith("in a run, and `highest=` is 2")


@pytest.mark.parametrize(("of_observable", "of_run"), [(0, -1e6), (-1e6, 0.0)])
@pytest.mark.parametrize("rounds", [None, 3])
def test_the_higher_of_two_certified_floors_is_bet_on(
    of_observable: float, of_run: float, rounds: int | None
) -> None:
    """Mean 1 against 0.8: a refutation from the floor 0, and from -10^6 nothing that 4,000 replicates see."""
    draws = np.random.default_rng(7).exponential(size=4000 if rounds is None else (rounds, 4000))

    def verdict(lowest: float, floor: float) -> Verdict:
        bound = replace(_bound(0.8), lowest={"o": lowest})
        return judge(bound, lambda *_: Sampled(observables={"o": draws}, floor=floor), 4000, LEVEL).verdict

    assert verdict(of_observable, of_run) is Verdict.VIOLATED
    assert verdict(-1e6, -1e6) is not Verdict.VIOLATED


@pytest.mark.slow("judges a bound that is exactly true many times")
def test_false_verdicts_at_the_true_bound_stay_within_the_level() -> None:
    """200 cells with the bound exactly at the true mean, level 0.05 each: an exact binomial limit at 1e-6."""
    wrong = 0
    for seed in range(200):
        draws: NDArray[np.float64] = np.random.default_rng([11, seed]).exponential(size=300)
        measured = Sampled(observables={"o": draws}, second_moment=2.0)
        wrong += judge(_bound(1.0), lambda *_, m=measured: m, 300, 0.05).verdict is Verdict.VIOLATED
    tail = [sum(comb(200, j) * 0.05**j * 0.95 ** (200 - j) for j in range(k, 201)) for k in range(60)]
    limit = next(k for k, p in enumerate(tail) if p < 1e-6)
    assert wrong < limit


def _draw_heavy(count: int = 2048) -> Measurement:
    """Squares of Cauchy numbers, which have no mean."""
    return Sampled(observables={"o": np.random.default_rng(5).standard_cauchy(count) ** 2})


@pytest.mark.parametrize("equality", [False, True])
def test_samples_of_which_one_makes_the_variance_are_not_taken_for_normal(*, equality: bool) -> None:
    measured = _draw_heavy()
    above = 10 * float(np.mean(np.asarray(measured.observables["o"])))
    judged = judge(replace(_bound(above), equality=equality), lambda *_: measured, 2048, LEVEL)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "% of the variance, so no normal approximation is taken" in judged.sentence
    assert judged.sentence.count("of the variance") == 1


@pytest.mark.parametrize("seen", [[0.30, 0.31], [0.3], [0.3, 0.3, 0.31]])
def test_a_few_replicates_are_not_taken_for_normal(seen: list[float]) -> None:
    """A few that lie close together, far below the bound, show nothing of the others."""
    few = Sampled(observables={"o": np.array(seen)})
    assert judge(_bound(0.5), lambda *_: few, len(seen), LEVEL).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("count", [64, 512, 4000])
def test_exponential_replicates_are_taken_for_normal(count: int) -> None:
    judged = judge(_bound(3.0), lambda *_: _sampled(1.0, None, count), count, LEVEL)
    assert (judged.verdict, judged.certified) == (Verdict.HOLDS, False)


def test_the_lower_end_of_a_minimum_over_rounds_is_below_its_lowest_mean() -> None:
    draws = np.random.default_rng(3).uniform(size=(2, 4000))
    rounds = Sampled(observables={"o": draws + np.array([[0.5], [4.5]])}, ceiling=np.array([1.5, 5.5]))
    judged = judge(_bound(0.9), lambda *_: rounds, 4000, LEVEL)
    assert judged.verdict is Verdict.VIOLATED
    assert judged.measured.lower is not None
    assert 0.9 < judged.measured.lower < 1


@pytest.mark.parametrize(("ends", "ranged"), [((1.0, None), True), ((np.inf, 1.0), False)])
def test_an_equality_that_is_below_by_a_range_says_so(
    ends: tuple[float, float | None], *, ranged: bool
) -> None:
    """A second moment puts it below too, but a longer run would truncate elsewhere: that is another test."""
    ceiling, square = ends
    draws = np.random.default_rng(5).uniform(0, 0.2, size=4000)
    seen = Sampled(observables={"o": draws}, ceiling=np.array(ceiling), second_moment=square)
    judged = judge(replace(_bound(0.9), equality=True), lambda *_: seen, 4000, LEVEL)
    assert (judged.verdict, judged.below) == (Verdict.VIOLATED, ranged)


def test_the_upper_end_of_a_minimum_over_rounds_is_that_of_the_chosen_round() -> None:
    """The ceiling of the other round would make it 1.17."""
    draws = np.random.default_rng(3).uniform(size=(2, 4000))
    rounds = Sampled(observables={"o": draws + np.array([[4.5], [0.5]])}, ceiling=np.array([50.0, 1.5]))
    judged = judge(_bound(1.1), lambda *_: rounds, 4000, LEVEL)
    assert (judged.verdict, judged.certified) == (Verdict.HOLDS, True)


def test_an_equality_that_is_missed_by_a_rounding_is_not_refuted() -> None:
    seen = Sampled(observables={"o": np.ones(64)}, ceiling=np.array(1.0))
    judged = judge(replace(_bound(1 + 5e-12), equality=True), lambda *_: seen, 64, LEVEL)
    assert judged.verdict is not Verdict.VIOLATED
    farther = judge(replace(_bound(1 + 5e-11), equality=True), lambda *_: seen, 64, LEVEL)
    assert farther.verdict is Verdict.VIOLATED
