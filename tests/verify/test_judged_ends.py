"""What keeps a verdict from resting on roundings, or on ends that nothing certifies."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import bounds
from bounds.language.finding import Verdict
from synthetic.problems import build
from verify.matching.constants import certified
from verify.matching.constants.at_start import MEASURES, MEASURES_FROM_BELOW
from verify.matching.constants.certified import rational_root
from verify.matching.joined import get_runs
from verify.matching.linear_bound import LinearBound
from verify.matching.measurements.measurement import Computed, Sampled
from verify.runs.check import standard_cells
from verify.runs.judge import judge

COUNT, LEVEL = 4000, 1e-4
BOUND = LinearBound(left={"o": 1.0}, right={}, constant=1.0, lowest={"o": 0.0}, highest={})


@pytest.mark.parametrize(
    ("iterates", "blur", "verdict"),
    [(0.0, 0.0, Verdict.VIOLATED), (1.0, 0.0, Verdict.INCONCLUSIVE), (0.0, 1.0, Verdict.INCONCLUSIVE)],
)
def test_samples_above_a_bound_by_less_than_their_roundings_do_not_refute(
    iterates: float, blur: float, verdict: Verdict
) -> None:
    seen = Sampled(observables={"o": np.full(COUNT, 1.5)}, rounding={"o": iterates})
    judged = judge(replace(BOUND, blur=blur), lambda *_: seen, COUNT, LEVEL)
    assert judged.verdict is verdict, judged.sentence


@pytest.mark.parametrize("value", [1.1, 0.9])
def test_an_equality_within_large_roundings_is_not_one(value: float) -> None:
    bound = replace(BOUND, equality=True)
    for rounding, verdict in ((0.01, Verdict.VIOLATED), (0.5, Verdict.INCONCLUSIVE)):
        seen = Computed(observables={"o": np.array(value)}, rounding=lambda by=rounding: {"o": by})
        judged = judge(bound, lambda *_, m=seen: m, 1, LEVEL)
        assert judged.verdict is verdict, judged.sentence


@pytest.mark.parametrize("constant", [np.inf, -np.inf])
def test_a_bound_that_overflows_decides_nothing(constant: float) -> None:
    """Near the end of a range a factor 1/(1 - 2 eta L) to the power of the rounds leaves float64."""
    bound = replace(BOUND, constant=constant)
    computed = Computed(observables={"o": np.ones(())}, rounding=lambda: {"o": 0.0})
    for seen in (Sampled(observables={"o": np.linspace(0, 1, COUNT)}), computed):
        judged = judge(bound, lambda *_, m=seen: m, COUNT, LEVEL)
        assert judged.verdict is Verdict.INCONCLUSIVE
        assert "float64" in judged.sentence


def test_an_infinite_sample_without_a_lower_end_decides_nothing() -> None:
    """No normal approximation of it, which would be NaN."""
    bound = LinearBound(left={"o": 1.0}, right={}, constant=1.0, lowest={}, highest={})
    samples = np.full(COUNT, 0.25)
    samples[3] = np.inf
    for equality in (False, True):
        asked = LinearBound(left=bound.left, right={}, constant=1.0, lowest={}, highest={}, equality=equality)
        judged = judge(asked, lambda *_: Sampled(observables={"o": samples}), COUNT, LEVEL)
        assert judged.verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(("rounding", "verdict"), [(0.0, Verdict.VIOLATED), (2.0, Verdict.INCONCLUSIVE)])
def test_roundings_of_iterates_count_against_a_declared_mean_square_too(
    rounding: float, verdict: Verdict
) -> None:
    """A mean of -5 is said to be below -6: the distance is 1, and the interval about 0.5 wide."""
    draws = 5 + np.random.default_rng(7).uniform(-1, 1, COUNT)
    bound = LinearBound(
        left={"o": -1.0}, right={}, constant=-6.0, lowest={"o": 0.0}, highest={}, second_moment=25.5
    )
    seen = Sampled(observables={"o": draws}, rounding={"o": rounding})
    judged = judge(bound, lambda *_: seen, COUNT, LEVEL)
    assert judged.verdict is verdict, judged.sentence


def test_a_gap_at_the_start_is_known_up_to_its_roundings() -> None:
    problem = build("quadratic.small")
    start = np.full(problem.dimension, 3.0)
    gap = float(problem.value(start[None])[0]) - float(problem.minimum())
    for measures, least in ((MEASURES, "lower"), (MEASURES_FROM_BELOW, "upper")):
        measured, rounding = measures["gap"](problem, start)
        end = gap + float(problem.minimum()) - getattr(certified, least)(problem, "minimum")
        assert measured == pytest.approx(end, rel=1e-12)
        assert rounding > 0


@pytest.mark.parametrize("role", ["huber, clients apart", "homogeneous"])
def test_what_another_processor_measures_at_the_start_fits(
    role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gap of 1e-6 of a value near 1 moves by 1e-10 of itself with the last bit of the value."""
    statement = bounds.get("als_dpfl.best_aggregation")
    cell = next(c for c in standard_cells([statement]) if c.role == role)
    kind = type(cell.build_problem())
    value, eps = kind.value, np.finfo(float).eps

    def reason(factor: float) -> str | None:
        monkeypatch.setattr(kind, "value", lambda problem, w: value(problem, w) * factor)
        return certified.unfit(get_runs(statement).requirements(statement, cell))

    assert [reason(1 + bits * eps) for bits in (-3, 0, 3)] == [None, None, None]
    assert "f0_gap" in str(reason(1 + 1e-11))


def test_roots_are_on_the_side_that_is_asked_for() -> None:
    for square in (Fraction(2), Fraction(1, 3), Fraction(10**9, 7)):
        below, above = (rational_root(square, below=side) for side in (True, False))
        assert below**2 < square < above**2
    for side in (True, False):
        assert rational_root(Fraction(9, 4), below=side) == Fraction(3, 2)
