"""Betting tests and bounds for a mean: calibration, coverage, power, invariances, planted defects."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from example_count import count_examples
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import integrate, stats

from verify.statistics import betting
from verify.statistics.betting import (
    FRACTIONS,
    LOG_WEIGHTS,
    OutsideSupport,
    evidence_above,
    lower_confidence,
    rejects,
    rejects_above,
    rejects_below,
    truncation_for,
    upper_confidence,
    upper_confidence_by_truncation,
)

LEVEL = 0.05
CELLS = count_examples(2000)
SAMPLES = 500
TEST_LEVEL = 1e-6

Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


def most_false_rejections(cells: int, level: float = LEVEL) -> int:
    """A valid test exceeds this count with probability below TEST_LEVEL, whatever the law."""
    return int(stats.binom.isf(TEST_LEVEL, cells, level))


# name: (draw, mean, certified floor)
LAWS: dict[str, tuple[Draw, float, float]] = {
    "exponential": (lambda rng, size: rng.exponential(size=size), 1.0, 0.0),
    "rare Bernoulli": (lambda rng, size: (rng.random(size) < 0.01).astype(float), 0.01, 0.0),
    "lognormal": (lambda rng, size: rng.lognormal(sigma=1.0, size=size), math.exp(0.5), 0.0),
    "Pareto, no variance": (lambda rng, size: 1 + rng.pareto(1.5, size=size), 3.0, 1.0),
    "two points": (lambda rng, size: rng.choice([-1.0, 1.0], size=size), 0.0, -1.0),
    "constant": (lambda rng, size: np.full(size, 0.1), 0.1, 0.0),
}

# name: (draw, mean, certified ceiling)
LAWS_BELOW: dict[str, tuple[Draw, float, float]] = {
    "uniform": (lambda rng, size: rng.random(size), 0.5, 1.0),
    "mostly at the ceiling": (lambda rng, size: (rng.random(size) > 0.01).astype(float), 0.99, 1.0),
}


def false_rejections(name: str, floor: float | None = None) -> int:
    draw, mean, certified = LAWS[name]
    rows = draw(np.random.default_rng(20240117), (CELLS, SAMPLES))
    return sum(
        rejects(evidence_above(row, mean, certified if floor is None else floor), LEVEL) for row in rows
    )


# Calibration: the mean exactly at the bound, looked at after every sample.


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", LAWS)
def test_false_rejections_are_within_the_level(name: str) -> None:
    assert false_rejections(name) <= most_false_rejections(CELLS)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", LAWS_BELOW)
def test_false_rejections_below_are_within_the_level(name: str) -> None:
    draw, mean, ceiling = LAWS_BELOW[name]
    rows = draw(np.random.default_rng(7), (CELLS, SAMPLES))
    rejected = sum(rejects_below(row, mean, ceiling, LEVEL) for row in rows)
    assert rejected <= most_false_rejections(CELLS)


def peeks_at_the_sample(excess: np.ndarray, limit: float, least: float) -> np.ndarray:
    ratio = excess / limit
    return np.cumsum(np.log1p(np.where(ratio > 1, 0.1, 0.05) * (ratio - 1)))


def best_fraction_afterwards(excess: np.ndarray, limit: float, least: float) -> np.ndarray:
    wealths: np.ndarray = np.cumsum(np.log1p(FRACTIONS[:, None] * (excess / limit - 1)), axis=1)
    return np.asarray(np.max(wealths, axis=0))


def forgets_a_twentieth_of_the_bound(excess: np.ndarray, limit: float, least: float) -> np.ndarray:
    return HONEST_LOG_WEALTH(excess, 0.95 * limit, least)


HONEST_LOG_WEALTH = betting._log_wealth


@pytest.mark.parametrize(
    "defect", [peeks_at_the_sample, best_fraction_afterwards, forgets_a_twentieth_of_the_bound]
)
def test_calibration_catches_a_planted_bet(
    monkeypatch: pytest.MonkeyPatch, defect: Callable[..., np.ndarray]
) -> None:
    monkeypatch.setattr(betting, "_log_wealth", defect)
    assert false_rejections("exponential") > most_false_rejections(CELLS)


def test_calibration_catches_capital_that_exceeds_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(betting, "LOG_WEIGHTS", LOG_WEIGHTS + math.log(5))
    assert false_rejections("exponential") > most_false_rejections(CELLS)


def test_a_wrong_floor_is_refused_and_calibration_catches_it_unrefused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw, _, _ = LAWS["two points"]
    with pytest.raises(OutsideSupport, match="beyond the certified floor"):
        evidence_above(draw(np.random.default_rng(0), (1, 50))[0], 0.0, -0.5)
    monkeypatch.setattr(betting, "_above_floor", lambda values, floor, *_: np.maximum(values - floor, 0.0))
    assert false_rejections("two points", floor=-0.5) > most_false_rejections(CELLS)


# Coverage.


def test_lower_confidence_covers() -> None:
    rng = np.random.default_rng(11)
    for name in ("exponential", "Pareto, no variance"):
        draw, mean, floor = LAWS[name]
        misses = sum(lower_confidence(row, LEVEL, floor) > mean for row in draw(rng, (150, 100)))
        assert misses <= most_false_rejections(150)


def test_upper_confidence_covers() -> None:
    rng = np.random.default_rng(12)
    for draw, mean, ceiling in LAWS_BELOW.values():
        misses = sum(upper_confidence(row, LEVEL, ceiling) < mean for row in draw(rng, (150, 100)))
        assert misses <= most_false_rejections(150)


def test_truncation_covers_and_with_half_its_tail_term_it_does_not() -> None:
    # 0 or 2 u: the law for which the tail term second_moment / (4 u) is attained, so a smaller one must fail.
    rows = 2.0 * (np.random.default_rng(13).random((100, 300)) < 0.5)
    bounds = np.array([upper_confidence_by_truncation(row, LEVEL, 2.0, 1.0, 0.0) for row in rows])
    assert (bounds < 1).sum() <= most_false_rejections(100) < (bounds - 0.25 < 1).sum()
    assert bounds.max() < math.sqrt(2)


def test_truncation_covers_a_heavy_tail_at_its_recommended_point() -> None:
    rng = np.random.default_rng(14)
    second_moment = math.exp(2)
    truncation = truncation_for(second_moment, 200, LEVEL)
    bounds = [
        upper_confidence_by_truncation(row, LEVEL, second_moment, truncation, 0.0)
        for row in rng.lognormal(size=(100, 200))
    ]
    assert sum(bound < math.exp(0.5) for bound in bounds) <= most_false_rejections(100)
    assert np.median(bounds) < math.sqrt(second_moment)


# Power.


def standard_law(kind: str, deviation: float) -> stats.rv_continuous:
    """Mean 1, the given relative deviation."""
    if kind == "gamma":
        return stats.gamma(deviation**-2, scale=deviation**2)
    spread = math.log1p(deviation**2)
    return stats.lognorm(math.sqrt(spread), scale=math.exp(-spread / 2))


def samples_to_catch(
    law: stats.rv_continuous, factor: float, level: float, rng: np.random.Generator, most: int
) -> int:
    reached = evidence_above(factor * law.rvs(size=most, random_state=rng), 1.0, 0.0) >= -math.log(level)
    return int(reached.argmax()) + 1 if reached.any() else 2**31


@pytest.mark.parametrize("kind", ["gamma", "lognormal"])
@pytest.mark.parametrize(("deviation", "target"), [(0.3, 2000), (0.8, 2000), (1.4, 6000)])
def test_a_tenth_above_the_bound_is_caught(kind: str, deviation: float, target: int) -> None:
    rng = np.random.default_rng(5)
    law = standard_law(kind, deviation)
    times = [samples_to_catch(law, 1.1, 1e-6, rng, 2 * target) for _ in range(60)]
    # "About": half of the runs by 1.1 times the target, most of them by twice the target.
    assert np.quantile(times, 0.5) <= 1.1 * target
    assert np.quantile(times, 0.8) <= 2 * target


@pytest.mark.parametrize("kind", ["gamma", "lognormal"])
@pytest.mark.parametrize("deviation", [0.2, 0.4, 0.8, 1.0, 1.4, 2.0])
def test_the_fixed_grid_costs_little_against_the_best_fraction(kind: str, deviation: float) -> None:
    law = standard_law(kind, deviation)
    # Midpoint rule over quantiles: the growth of wealth per sample at a fraction, in nats.
    excess = 1.1 * law.ppf((np.arange(5000) + 0.5) / 5000) - 1

    def growth(fraction: float) -> float:
        return float(np.log1p(fraction * excess).mean())

    best = max(growth(fraction) for fraction in np.geomspace(0.005, 1, 200, endpoint=False))
    needed = -math.log(1e-6)
    ours = min(
        (needed - cost) / growth(fraction)
        for fraction, cost in zip(FRACTIONS, LOG_WEIGHTS, strict=True)
        if growth(fraction) > 0
    )
    assert ours / (needed / best) <= (1.25 if deviation >= 0.8 else 1.45)


# The wealth, exactly.


def direct_wealth(ratios: np.ndarray) -> float:
    weights = np.exp(LOG_WEIGHTS)
    return float(weights @ np.prod(1 + FRACTIONS[:, None] * (ratios - 1), axis=1))


def test_the_grid_is_a_unit_of_capital_on_admissible_fractions() -> None:
    assert np.exp(LOG_WEIGHTS).sum() == pytest.approx(1, abs=1e-14)
    assert ((FRACTIONS > 0) & (FRACTIONS < 1)).all()


def test_the_expected_wealth_is_one_at_the_bound() -> None:
    value, _ = integrate.dblquad(
        lambda y, x: direct_wealth(np.array([x, y])) * math.exp(-x - y), 0, 40, 0, 40, epsabs=1e-9
    )
    assert value == pytest.approx(1, abs=1e-7)


excesses = hnp.arrays(np.float64, st.integers(1, 30), elements=st.floats(0, 100, allow_subnormal=False))
limits = st.floats(0.01, 100)


@given(excesses, limits)
@settings(deadline=None)
def test_wealth_is_the_mixture_of_products(excess: np.ndarray, limit: float) -> None:
    wealth = evidence_above(excess, limit, 0.0)
    for count in (1, excess.size):
        assert wealth[count - 1] == pytest.approx(math.log(direct_wealth(excess[:count] / limit)), abs=1e-9)


@given(excesses, limits, st.integers(0, 30))
@settings(deadline=None)
def test_no_entry_depends_on_later_samples(excess: np.ndarray, limit: float, count: int) -> None:
    assert np.array_equal(
        evidence_above(excess, limit, 0.0)[:count], evidence_above(excess[:count], limit, 0.0)
    )


@given(excesses, limits, st.floats(0.01, 100), st.floats(-100, 100))
@settings(deadline=None)
def test_scale_and_shift_do_not_matter(excess: np.ndarray, limit: float, scale: float, shift: float) -> None:
    moved = evidence_above(scale * excess + shift, scale * limit + shift, shift)
    # Cancellation in the shifted inputs themselves is all that may differ.
    assert moved == pytest.approx(evidence_above(excess, limit, 0.0), rel=1e-6, abs=1e-5)


@given(excesses, limits, st.integers(0, 2**32))
@settings(deadline=None)
def test_order_does_not_change_the_final_wealth(excess: np.ndarray, limit: float, seed: int) -> None:
    shuffled = np.random.default_rng(seed).permutation(excess)
    last = evidence_above(excess, limit, 0.0)[-1]
    assert evidence_above(shuffled, limit, 0.0)[-1] == pytest.approx(last, rel=1e-9, abs=1e-9)


@given(excesses, limits, st.floats(1e-6, 0.999))
@settings(deadline=None)
def test_below_is_the_mirror_of_above(excess: np.ndarray, limit: float, level: float) -> None:
    above = rejects_above(excess - 3, limit - 3, -3.0, level)
    assert rejects_below(3 - excess, 3 - limit, 3.0, level) == above


@given(excesses, limits, st.floats(1e-6, 0.999))
@settings(deadline=None)
def test_a_rejection_needs_no_other_entry(excess: np.ndarray, limit: float, level: float) -> None:
    above, below = evidence_above(excess, limit, 0.0), evidence_above(-excess, -limit, -100.0)
    for share in (level, *(math.exp(-most) for most in (above.max(), below.max()) if 0 < most < 600)):
        assert rejects_above(excess, limit, 0.0, share) == rejects(above, share)
        assert rejects_below(excess, limit, 100.0, share) == rejects(below, share)


@pytest.mark.parametrize(
    "excess",
    [np.full(2000, 1.01), np.tile([0.5, 1.6], 500), np.random.default_rng(8).exponential(1.2, 1000)],
    ids=["equal", "alternating", "drawn"],
)
def test_a_level_that_the_wealth_barely_reaches_is_reached(excess: np.ndarray) -> None:
    most = float(evidence_above(excess, 1.0, 0.0).max())
    assert rejects_above(excess, 1.0, 0.0, math.exp(-most) * (1 + 1e-9))
    assert not rejects_above(excess, 1.0, 0.0, math.exp(-most) * (1 - 1e-9))


@given(excesses, st.lists(st.floats(-1, 200), min_size=2, max_size=8))
@settings(deadline=None)
def test_wealth_does_not_increase_with_the_bound(excess: np.ndarray, bounds: list[float]) -> None:
    wealths = np.array([evidence_above(excess + 1, bound + 1, 1.0) for bound in sorted(bounds)])
    assert (wealths[:-1] >= wealths[1:] - 1e-9).all()


@given(excesses, st.floats(1e-6, 0.5))
@settings(deadline=None, max_examples=count_examples(40))
def test_the_confidence_bound_is_where_rejection_ends(excess: np.ndarray, level: float) -> None:
    lower = lower_confidence(excess, level, 0.0)
    assert not rejects(evidence_above(excess, lower * (1 + 1e-8) + 1e-300, 0.0), level)
    if lower > 1e-200:
        assert rejects(evidence_above(excess, lower * (1 - 1e-8), 0.0), level)
    mirrored = upper_confidence(-excess, level, 0.0)
    assert mirrored == -lower


@pytest.mark.parametrize("limit", [0.3, 0.9, 1.0, 1.5, 20.0])
@pytest.mark.parametrize("spread", [0.01, 1.0, 3.0])
def test_the_largest_wealth_is_that_of_all_sums(limit: float, spread: float) -> None:
    excess = np.random.default_rng(5).lognormal(0, spread, SAMPLES)
    assert betting._most_log_wealth(excess, limit) == betting._log_wealth(excess, limit).max()
