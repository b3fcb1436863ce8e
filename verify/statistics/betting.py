"""Tests and confidence bounds for a mean, by betting: finite samples, any stopping time, no tail assumption.

A gambler who may stake a fraction of the capital on "the next sample exceeds the bound" cannot expect to
gain while the mean respects the bound. Large capital is therefore evidence against the bound, whenever one
looks [B]. The only knowledge used is a certified bound on the support, on the side that a bet can lose.

[A] Waudby-Smith and Ramdas (2024), Estimating means of bounded random variables by betting, JRSS B 86(1).
[B] Ville (1939), Etude critique de la notion de collectif, Gauthier-Villars.
Proofs, and what the verdicts mean: docs/error_level.md.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "ROUNDING",
    "InvalidLevel",
    "InvalidSamples",
    "OutsideSupport",
    "evidence_above",
    "lower_confidence",
    "rejects",
    "rejects_above",
    "rejects_below",
    "truncation_for",
    "upper_confidence",
    "upper_confidence_by_truncation",
]

Floats = NDArray[np.float64]

# The fractions are fixed before any sample is seen; one chosen from the samples that it bets on is not fair.
# 1 is left out: one sample at the floor would ruin that gambler for good.
FRACTIONS: Final[Floats] = np.geomspace(0.003, 0.98, 14)
# Most capital goes where a 10% excess is hardest to see: the best fraction is 0.15 at relative deviation 0.8
# and 0.05 at 1.4. The tails of the weights are heavy, so that any other case costs a few nats more, not many.
_WEIGHTS: Final[Floats] = 1 / (1 + (np.log(FRACTIONS / 0.08) / 0.5) ** 2)
LOG_WEIGHTS: Final[Floats] = np.log(_WEIGHTS / _WEIGHTS.sum())

# Default error of one sample, relative to the larger of |floor| and |bound|: 2^9 units of roundoff (2^-53).
ROUNDING: Final = 2.0**-44

_LARGEST: Final = float(np.finfo(np.float64).max)
# Places of 0.043, 0.16, 0.011, 0.98 and 0.003: of tests that reject nothing they exclude nearly all, the last
# two those of rare events. Each takes a tenth of the time of all fractions.
_EXCLUDING: Final = (6, 9, 3, 13, 0)
_ANY: Final = 1e6  # nats: far beyond every level, and finite for the search of a root


class OutsideSupport(ValueError):
    """A sample lies outside the certified support by more than rounding: the certificate is wrong."""


class InvalidSamples(ValueError):
    """The samples, or the numbers that describe them, are not what the test needs."""


class InvalidLevel(ValueError):
    """An error level is not strictly between 0 and 1."""


def evidence_above(
    samples: ArrayLike, bound: float, floor: float, *, rounding: float | None = None
) -> Floats:
    """Running log-wealth against `E[X] <= bound`, knowing `X >= floor` surely.

    Entry t uses the samples up to t. Under the hypothesis the wealth ever reaches `1 / level` with
    probability at most `level`: see `rejects`. The log-wealth is +inf once the samples refute the hypothesis
    outright, and 0 throughout where no bet is safe (`floor` is -inf) or nothing is claimed (`bound` is +inf).

    `rounding` is the largest error of one sample (default `ROUNDING * max(|floor|, |bound|)`). The test is
    made at `bound + rounding`, so that lifting a sample to the floor within it costs no validity.
    """
    values = _checked(samples)
    _no_nan(bound=bound, floor=floor)
    return _evidence(values, bound, floor, _slack(rounding, bound, floor), "floor")


def rejects(log_wealth: Floats, level: float) -> bool:
    """Whether the wealth ever reached `1 / level`; looking after every sample is already paid for."""
    return bool(np.max(log_wealth, initial=-math.inf) >= _threshold(level))


def rejects_above(samples: ArrayLike, bound: float, floor: float, level: float) -> bool:
    """Whether `rejects` holds of `evidence_above`; what cannot reach `1 / level` is not summed."""
    values = _checked(samples)
    _no_nan(bound=bound, floor=floor)
    least = _threshold(level)
    return rejects(_evidence(values, bound, floor, _slack(None, bound, floor), "floor", least), level)


def rejects_below(samples: ArrayLike, bound: float, ceiling: float, level: float) -> bool:
    """Whether samples refute `E[X] >= bound`, knowing `X <= ceiling` surely: `rejects_above` of -X."""
    values = _checked(samples)
    _no_nan(bound=bound, ceiling=ceiling)
    slack, least = _slack(None, bound, ceiling), _threshold(level)
    return rejects(_evidence(-values, -bound, -ceiling, slack, "ceiling", least), level)


def lower_confidence(
    samples: ArrayLike, level: float, floor: float, *, rounding: float | None = None
) -> float:
    """A number below `E[X]` with probability at least `1 - level`, at every sample size at once.

    It is the end of the set of bounds that `evidence_above` does not reject; that set is a half-line because
    the wealth does not increase with the bound. Never below `floor`; +inf if a sample is +inf.
    """
    values = _checked(samples)
    _no_nan(floor=floor)
    _threshold(level)
    return _lower(values, level, floor, _slack(rounding, floor, floor), "floor")


def upper_confidence(samples: ArrayLike, level: float, ceiling: float) -> float:
    """A number above `E[X]` with probability at least `1 - level`, at every sample size at once.

    Never above `ceiling`; so +inf, if that is all that is certified.
    """
    values = _checked(samples)
    _no_nan(ceiling=ceiling)
    _threshold(level)
    return -_lower(-values, level, -ceiling, _slack(None, ceiling, ceiling), "ceiling")


def upper_confidence_by_truncation(
    samples: ArrayLike, level: float, second_moment: float, truncation: float, floor: float
) -> float:
    """A number above `E[X]` with probability at least `1 - level`, knowing `E[X^2] <= second_moment`.

    `E[X] = E[min(X, u)] + E[(X - u)_+]`; the first mean has the ceiling u, and the second is at most
    `second_moment / (4 u)`, because `x - u <= x^2 / (4 u)` is `(x - 2 u)^2 >= 0`. The truncation u must be
    fixed before the samples are seen, for example by `truncation_for`. The floor only checks the samples.
    Never above `sqrt(second_moment)` (Jensen); +inf when nothing can be said: no finite second moment, or an
    infinite sample, which contradicts one.
    """
    values = _checked(samples)
    _no_nan(second_moment=second_moment, truncation=truncation, floor=floor)
    _threshold(level)
    if not 0 < truncation < math.inf:
        raise InvalidSamples(f"the truncation must be positive and finite; it is {truncation!r}")
    if second_moment < max(floor, 0.0) ** 2:
        raise InvalidSamples(f"no X >= {floor!r} has a second moment as small as {second_moment!r}")
    if second_moment == math.inf or np.isinf(values).any():
        return math.inf
    _above_floor(values, floor, _slack(None, floor, floor), "floor")
    body = upper_confidence(np.minimum(values, truncation), level, truncation)
    return min(body + second_moment / (4 * truncation), math.sqrt(second_moment))


def truncation_for(second_moment: float, count: int, level: float) -> float:
    """A truncation for about `count` samples: `sqrt(count * second_moment / (2 log(1/level)))`.

    There the best fraction is just below 1, and the width is about
    `1.25 sqrt(2 second_moment log(1/level) / count)`.
    """
    _no_nan(second_moment=second_moment)
    if not (0 < second_moment < math.inf and count >= 1):
        raise InvalidSamples(
            f"needs a positive finite second moment and a count: {second_moment!r}, {count!r}"
        )
    return math.sqrt(count * second_moment / (2 * _threshold(level)))


def _evidence(
    values: Floats, bound: float, floor: float, slack: float, side: str, least: float = -math.inf
) -> Floats:
    if floor == math.inf:
        raise InvalidSamples(f"the {side} leaves no room for a sample")
    if floor == -math.inf or bound == math.inf:
        return np.zeros(values.size)
    excess = _above_floor(values, floor, slack, side)
    limit = bound - floor
    if limit < -slack:
        return np.full(values.size, math.inf)
    if limit <= 0:
        # A mean at its floor is attained only surely, so one sample beyond rounding refutes it.
        return np.where(np.logical_or.accumulate(excess > slack), math.inf, 0.0)
    return _log_wealth(excess, limit + slack, least)


def _log_wealth(excess: Floats, limit: float, least: float = -math.inf) -> Floats:
    """log of sum_j weight_j prod_{s<=t} (1 + fraction_j (excess_s / limit - 1)), for every t.

    A t that cannot reach `least` is left out: an entry is at most the largest logarithm of its sum, plus
    that of the number of fractions.
    """
    if limit == math.inf:
        return np.zeros(excess.size)
    needed = least - math.log(FRACTIONS.size + 1)
    if not _may_reach(needed, excess, limit):
        return np.zeros(0)
    capitals = _log_capitals(excess, limit)
    if needed > -math.inf:
        reaching = capitals.max(initial=-math.inf) >= needed
        capitals = capitals[:, capitals.max(axis=0) >= needed] if reaching else capitals[:, :0]
    total: Floats = np.logaddexp.reduce(capitals, axis=0)
    return total


def _may_reach(needed: float, excess: Floats, limit: float) -> bool:
    """Whether the capital of a fraction may reach a logarithm, from a few fractions in place of all.

    The logarithm is concave in the fraction f, and 0 at 0: at most f times its slope there, and beyond a
    fraction m at most f / m times that of m.
    """
    if needed == -math.inf:
        return True
    ratio = _ratio(excess, limit)
    with np.errstate(over="ignore"):
        most = FRACTIONS * np.cumsum(ratio - 1).max(initial=0.0) + LOG_WEIGHTS
        for place in _EXCLUDING:
            if most.max() < needed:
                return False
            fraction, beyond = FRACTIONS[place], FRACTIONS[place:] / FRACTIONS[place]
            largest = np.cumsum(np.log(1 - fraction + fraction * ratio)).max(initial=0.0)
            most[place:] = np.minimum(most[place:], beyond * largest + LOG_WEIGHTS[place:])
    return bool(most.max() >= needed)


def _most_log_wealth(excess: Floats, limit: float) -> float:
    """The largest entry of `_log_wealth`, from the few t that can have it: its sums cost most.

    The same sums by exponentials are faster and within 1e-9 of it, so they say which t to look at.
    """
    capitals = _log_capitals(excess, limit)
    largest = capitals.max(axis=0)
    most = float(np.max(largest, initial=-math.inf))
    if not math.isfinite(most):
        return most
    contending = capitals[:, largest >= most - math.log(FRACTIONS.size)]
    sums = np.exp(contending - most).sum(axis=0)
    return float(np.logaddexp.reduce(contending[:, sums >= sums.max() * (1 - 1e-9)], axis=0).max())


def _log_capitals(excess: Floats, limit: float) -> Floats:
    """One row for every fraction."""
    ratio = _ratio(excess, limit)
    gains: Floats = FRACTIONS[:, None] * ratio
    gains += 1 - FRACTIONS[:, None]  # at least 0.02: log loses nothing
    np.cumsum(np.log(gains, out=gains), axis=1, out=gains)
    gains += LOG_WEIGHTS[:, None]
    return gains


def _ratio(excess: Floats, limit: float) -> Floats:
    with np.errstate(over="ignore"):
        ratio: Floats = excess / limit
    if ratio.max(initial=0.0) == math.inf:
        # Only an infinite sample may give infinite wealth: that value means certainty, not overflow.
        ratio[(ratio == math.inf) & (excess != math.inf)] = _LARGEST
    return ratio


def _lower(values: Floats, level: float, floor: float, slack: float, side: str) -> float:
    if floor == -math.inf:
        return floor
    if floor == math.inf:
        raise InvalidSamples(f"the {side} leaves no room for a sample")
    limit = _largest_rejected(_above_floor(values, floor, slack, side), level)
    if limit == math.inf:
        return limit
    return max(floor, float(np.nextafter(floor + limit - slack, -math.inf)))


def _largest_rejected(excess: Floats, level: float) -> float:
    """The end of the rejected limits, from the rejected side; relative accuracy 1e-10."""
    threshold = _threshold(level)
    high = low = float(np.max(excess, initial=0.0))
    if high == math.inf:
        return high
    shrink = 0.5
    # At limit = max(excess) every factor is at most 1, so the search starts from a limit not rejected.
    while low > 0 and _most_log_wealth(excess, low) < threshold:
        high, low, shrink = low, low * shrink, shrink**2
    if low > 0 and high > low:
        low, high = _near_the_end(excess, threshold, low, high)
    while low > 0 and high > low * (1 + 1e-10):
        middle = math.sqrt(low) * math.sqrt(high)
        if not low < middle < high:
            break
        if _most_log_wealth(excess, middle) >= threshold:
            low = middle
        else:
            high = middle
    return low


def _near_the_end(excess: Floats, threshold: float, low: float, high: float) -> tuple[float, float]:
    """A narrower bracket, low still rejected and high not: the wealth is smooth almost everywhere.

    Half of the evaluations of halving alone; where it does not help, halving goes on from what it found.
    """
    from scipy.optimize import brentq

    inside = 4e-11

    @cache  # both ends are asked for again by the search
    def missing(logarithm: float) -> float:
        return threshold - min(max(_most_log_wealth(excess, math.exp(logarithm)), -_ANY), _ANY)

    start, end = math.log(low), math.log(high)
    if not missing(start) <= 0 < missing(end):  # the logarithm rounds
        return low, high
    found = brentq(missing, start, end, xtol=inside / 2, rtol=8.9e-16)
    below, above = math.exp(found - inside), math.exp(found + inside)
    if low < below and _most_log_wealth(excess, below) >= threshold:
        low = below
    if low < above < high and _most_log_wealth(excess, above) < threshold:
        high = above
    return low, high


def _above_floor(values: Floats, floor: float, slack: float, side: str) -> Floats:
    worst = float(np.min(values, initial=math.inf))
    if worst < floor - slack:
        raise OutsideSupport(
            f"a sample lies {floor - worst:.3g} beyond the certified {side}, "
            f"and rounding explains only {slack:.3g}"
        )
    with np.errstate(over="ignore"):
        distance: Floats = values - floor
    np.maximum(distance, 0.0, out=distance)
    if distance.max(initial=0.0) == math.inf:
        distance[(distance == math.inf) & (values != math.inf)] = _LARGEST
    return distance


def _checked(samples: ArrayLike) -> Floats:
    values = np.asarray(samples, dtype=np.float64)
    if values.ndim != 1:
        raise InvalidSamples(f"samples are one row in the order drawn; their shape is {values.shape}")
    if np.isnan(values).any():
        raise InvalidSamples("a sample is NaN; a diverged replicate is +inf")
    return values


def _no_nan(**numbers: float) -> None:
    for name, number in numbers.items():
        if math.isnan(number):
            raise InvalidSamples(f"{name} is NaN")


def _slack(rounding: float | None, bound: float, floor: float) -> float:
    if rounding is not None:
        if not 0 <= rounding < math.inf:
            raise InvalidSamples(f"rounding must be finite and not negative; it is {rounding!r}")
        return rounding
    return ROUNDING * max((abs(end) for end in (bound, floor) if math.isfinite(end)), default=0.0)


def _threshold(level: float) -> float:
    if not 0 < level < 1:
        raise InvalidLevel(f"an error level is strictly between 0 and 1; it is {level!r}")
    return -math.log(level)
