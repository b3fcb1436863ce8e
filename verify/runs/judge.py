"""The verdict of a cell, from a measurement and the statement's linear bound.

The judged quantity is the excess, left-hand side minus right-hand side, with all observables on the same
replicates, at a level that is fixed before the run. See docs/error_level.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isclose, isfinite, sqrt
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from bounds.language.finding import Verdict
from verify.matching.linear_bound import LinearBound
from verify.matching.measurements.measurement import Computed, Exact, Measurement, Sampled
from verify.runs.declared_ends import say_what_is_beyond
from verify.runs.divergence import say_what_is_not_known
from verify.runs.sentences import (
    BOUND,
    CONSTANT_PART,
    say_compared,
    say_computed,
    say_equal,
    say_exact,
    say_measured,
)
from verify.statistics import betting
from verify.statistics.error_level import evidence_above_in_every_round, round_with_lowest_mean

Floats = NDArray[np.float64]
Run = Callable[[str, int], Measurement]

PILOT_SHARE = 8
ROUNDING = 1e-11  # far above that of a sum of a few hundred products, far below any effect
CLOSE = 1e-6  # of both sides: what is called equal within rounding
EQUAL = 0.25  # of the value that an equality claims: samples that leave more open say nothing of it
DOMINANT = 0.25  # of the variance, by one replicate: samples without a variance, or next to none of them


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate with its confidence bounds; None on a side about which nothing can be said."""

    estimate: float
    lower: float | None
    upper: float | None
    exact: str | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    measured: Interval
    excess: Interval
    verdict: Verdict
    method: str
    sentence: str
    doubt: str = ""  # what the sentence ends with: why no normal approximation is taken
    certified: bool = True  # False where `holds` rests on the normal approximation
    continues: bool = True  # False where more replicates are another test than the same bet, going on
    below: bool = False  # an equality is below, or leans so, by a bet on a range, which goes on


def judge(bound: LinearBound, run: Run, replicates: int, level: float) -> Judged:
    """`run(purpose, replicates)` makes a measurement on randomness of its own for each purpose."""
    measurement = run("main", replicates)
    if (unknown := say_what_is_not_known(bound, measurement.observables)) is not None:
        return _inconclusive(unknown)
    if isinstance(measurement, Computed):
        return _judge_computed(bound, measurement)
    if isinstance(measurement, Exact):
        return _judge_exact(bound, measurement)
    combined = np.asarray(bound.combine(measurement.observables), dtype=np.float64)
    level = level / 2 if bound.equality else level
    chosen = None
    if combined.ndim == 2:
        pilot = run("pilot", max(2, replicates // PILOT_SHARE))
        assert isinstance(pilot, Sampled)
        if (unknown := say_what_is_not_known(bound, pilot.observables)) is not None:
            return _inconclusive(unknown)
        chosen = round_with_lowest_mean(bound.combine(pilot.observables))
    try:
        judged = _judge_sampled(bound, measurement, combined, level, chosen)
    except betting.OutsideSupport as error:
        beyond = f"refused: a measured value is beyond what is certified or declared of it: {error}"
        return replace(_inconclusive(beyond), verdict=Verdict.REFUSED)
    if bound.equality:
        samples = combined if chosen is None else combined[chosen]
        judged = _equal(judged, samples, bound, level, measurement)
    return judged if chosen is not None else _judge_both_sides(bound, measurement, judged)


def _judge_both_sides(bound: LinearBound, measurement: Sampled, judged: Judged) -> Judged:
    """Where the right side is random too, the sentence tells the two sides as they are printed."""
    if not bound.right:
        return judged
    means = {name: float(np.mean(values)) for name, values in measurement.observables.items()}
    left = sum(float(a) * means[name] for name, a in bound.left.items())
    right = float(bound.constant) + sum(float(b) * means[name] for name, b in bound.right.items())
    sides = f"{left:.6g} on the left, {right:.6g} on the right"
    return replace(judged, sentence=f"{sides}; left less random part of the right: {judged.sentence}")


def _judge_exact(bound: LinearBound, measurement: Exact) -> Judged:
    value = bound.combine(measurement.observables)
    excess = value - bound.constant
    slack = ROUNDING * bound.size(measurement.observables) + bound.blur
    if not isinstance(excess, Fraction) and abs(excess) <= slack:
        return _inconclusive("the bound is irrational and equals the exact value within rounding")
    verdict = Verdict.VIOLATED if _breaks(bound, excess) else Verdict.HOLDS
    return Judged(
        measured=_point(value),
        excess=_point(excess),
        verdict=verdict,
        method=measurement.method,
        sentence=say_exact(verdict.value, float(value), float(excess), float(bound.constant)),
    )


def _judge_computed(bound: LinearBound, measurement: Computed) -> Judged:
    """A value without sampling error counts up to its roundings; of several rounds the smallest counts."""
    seen = measurement.observables
    rows = np.atleast_1d(np.asarray(bound.combine(seen), dtype=np.float64))
    value, constant = float(rows.min()), float(bound.constant)
    size = bound.size({name: float(np.max(np.abs(values))) for name, values in seen.items()})
    weights = (*bound.left.items(), *bound.right.items())
    roundings = measurement.rounding()
    moved = sum(abs(float(weight)) * roundings[name] for name, weight in weights)
    rounding, excess = moved + ROUNDING * (size if isfinite(size) else 0.0) + bound.blur, value - constant
    if abs(excess) <= rounding:
        if abs(excess) > CLOSE * size:
            return _inconclusive(
                f"computed {value:.6g}; roundings change this run by {rounding:.2g}, so nothing separates it "
                f"from {BOUND} {constant:.6g}"
            )
        if not bound.equality and rounding > 0:  # two zeros are equal without any rounding
            return _inconclusive(f"{value:.6g} equals the bound {constant:.6g} within rounding")
    verdict = Verdict.VIOLATED if abs(excess) > rounding and _breaks(bound, excess) else Verdict.HOLDS
    equal = "within rounding of" if rounding > 0 else "equal to"
    relation = "above" if excess > rounding else "below" if excess < -rounding else equal
    return Judged(
        measured=_within(value, moved),
        excess=_within(excess, rounding),
        verdict=verdict,
        method=_say_how(measurement),
        sentence=say_computed(value, _say_outcomes(measurement), relation, constant),
    )


def _say_how(measurement: Computed) -> str:
    if measurement.outcomes > 1:
        return f"the mean over all {measurement.outcomes} outcomes of a run; its roundings are measured"
    if measurement.normals:
        return (
            f"the mean over {measurement.normals} Gaussian numbers, in which the run is quadratic wherever "
            "that was tried; its roundings are measured"
        )
    return "one run that draws no random number; its roundings are measured"


def _say_outcomes(measurement: Computed) -> str:
    if measurement.normals:
        return f" over {measurement.normals} Gaussian numbers"
    return f" over all {measurement.outcomes} outcomes" if measurement.outcomes > 1 else ""


def _breaks(bound: LinearBound, excess: Any) -> bool:
    return bool(excess != 0 if bound.equality else excess > 0)


def _within(value: float, rounding: float) -> Interval:
    return Interval(estimate=value, lower=value - rounding, upper=value + rounding)


def _point(value: Any) -> Interval:
    shown = float(value)
    exact = str(value) if isinstance(value, Fraction) else None
    return Interval(estimate=shown, lower=shown, upper=shown, exact=exact)


def _judge_sampled(
    bound: LinearBound, measurement: Sampled, combined: Floats, level: float, chosen: int | None
) -> Judged:
    """A minimum over rounds is violated when every round rejects, and holds when the chosen one is below."""
    constant, floor = float(bound.constant), _floor(bound, measurement)
    slack = _slack(constant, floor) + _count_iterates(bound, measurement) + bound.blur
    if (beyond := say_what_is_beyond(bound, measurement.observables, slack)) is not None:
        raise betting.OutsideSupport(beyond)
    rows = np.atleast_2d(combined)
    samples = rows[chosen or 0]
    against = evidence_above_in_every_round(rows, constant, np.full(len(rows), floor), rounding=slack)
    lower = min(betting.lower_confidence(row, level, floor, rounding=slack) for row in rows)
    upper, method = _upper(bound, measurement, samples, level, floor, chosen)
    violated = betting.rejects(against, level)
    if chosen is not None:
        method = f"{method}; round {chosen} chosen on a pilot"
    elif floor == -inf and bound.second_moment is not None and bound.second_moment < inf:
        # a mean of -A, of which A has a mean square: what is below A's mean is above its negative
        lower = -_truncate(-samples, level, bound.second_moment, -float(bound.ceiling()))
        violated = lower - slack > constant
        method = f"{method}; truncation with second moment as declared"
    elif floor == -inf:
        method = f"{method}; no certified lower end, so nothing could refute it"
    limit = CONSTANT_PART if bound.right and chosen is None else BOUND
    judged = _verdict(samples, lower, upper, constant, level, violated=violated, method=method, limit=limit)
    judged = replace(judged, continues=floor > -inf)  # a truncation depends on the number of samples
    if judged.verdict is Verdict.INCONCLUSIVE and lower == floor == -inf:
        needed = _say_what_to_declare(bound, samples, subtracted=True)
        return replace(judged, sentence=f"{judged.sentence}; {needed}, nothing shows that it is larger")
    return judged


def _say_what_to_declare(bound: LinearBound, samples: Floats, *, subtracted: bool) -> str:
    """The end that samples alone do not give, of the observables of this sign."""
    names = [name for name, weight in bound.left.items() if (weight < 0) is subtracted]
    which = f"observable{'s' if len(names) > 1 else ''} {', '.join(names)}"
    square = float(np.mean(samples**2))
    return (
        f"without `highest=` of the {which} (no sample is larger), or `second_moment=` of a single one (the "
        f"mean square is at most this; {square:.3g} is measured)"
    )


def _floor(bound: LinearBound, measurement: Sampled) -> float:
    """The higher of the two certified lower ends."""
    floor = float(bound.floor())
    return floor if measurement.floor is None else max(floor, measurement.floor)


def _upper(
    bound: LinearBound, measurement: Sampled, samples: Floats, level: float, floor: float, chosen: int | None
) -> tuple[float, str]:
    """The certified upper confidence bound."""
    of_run = measurement.ceiling
    ceiling = inf if of_run is None else float(of_run if chosen is None else of_run[chosen])
    declared = float(bound.ceiling())
    if min(ceiling, declared) < inf:
        whose = "certified range" if ceiling <= declared else "range as the observable declares it"
        return betting.upper_confidence(samples, level, min(ceiling, declared)), f"betting, {whose}"
    square = measurement.second_moment if bound.second_moment is None else bound.second_moment
    if square is None or square == inf:
        return inf, "betting, no certified upper end"
    whose = "certified second moment" if bound.second_moment is None else "second moment as declared"
    return _truncate(samples, level, float(square), floor), f"betting, truncation with {whose}"


def _truncate(samples: Floats, level: float, square: float, floor: float) -> float:
    # A cell in which nothing moves has second moment 0: any positive truncation will do.
    moment = max(square, float(np.finfo(np.float64).tiny))
    truncation = betting.truncation_for(moment, samples.size, level)
    return betting.upper_confidence_by_truncation(samples, level, moment, truncation, floor)


def _verdict(
    samples: Floats,
    lower: float,
    upper: float,
    constant: float,
    level: float,
    *,
    violated: bool,
    method: str,
    limit: str = BOUND,
) -> Judged:
    if lower > upper and not isclose(lower, upper, rel_tol=ROUNDING):
        wrong = "what was certified is wrong"
        return _inconclusive(f"the mean is above {lower:.6g} and below {upper:.6g}: {wrong}")
    # Ends that cross by rounding alone: a cell in which nothing varies.
    upper, estimate, certified, doubt = max(lower, upper), float(samples.mean()), True, ""
    if violated:
        verdict, relation = Verdict.VIOLATED, "above"
    elif upper <= constant:
        verdict, relation = Verdict.HOLDS, "below"
    else:
        asymptotic = _asymptotic_upper(samples, level)
        if asymptotic <= constant:
            verdict, relation, certified = Verdict.HOLDS, "below", False
            upper, method = asymptotic, "asymptotic: the certified range is too wide for this many replicates"
        else:
            verdict, relation, doubt = Verdict.INCONCLUSIVE, "not separated from", _say_share(samples)
    return Judged(
        measured=Interval(estimate=estimate, lower=_finite(lower), upper=_finite(upper)),
        excess=Interval(
            estimate=estimate - constant, lower=_finite(lower - constant), upper=_finite(upper - constant)
        ),
        verdict=verdict,
        method=method,
        sentence=say_compared(say_measured(estimate, lower, upper), relation, limit, constant) + doubt,
        doubt=doubt,
        certified=certified,
    )


def _is_bounded(bound: LinearBound, measurement: Sampled) -> bool:
    """Whether anything is known or declared that a mean above all samples would contradict."""
    known = (measurement.ceiling, measurement.second_moment, bound.second_moment)
    return bound.ceiling() < inf or any(end is not None for end in known)


def _is_in_a_range(bound: LinearBound, measurement: Sampled) -> bool:
    """Whether no sample is above a known end: a bet on that may go on, unlike a truncation."""
    ends = measurement.ceiling
    return bound.ceiling() < inf or (ends is not None and bool(np.isfinite(ends).all()))


def _equal(judged: Judged, samples: Floats, bound: LinearBound, level: float, measurement: Sampled) -> Judged:
    """An equality, from the verdict on its left side as a lower one: that side may be too small as well."""
    if judged.verdict is Verdict.VIOLATED:
        return judged
    constant, end = float(bound.constant), judged.measured.upper
    slack = ROUNDING * abs(constant) + bound.blur
    if judged.certified and end is not None and end < constant - slack:
        return replace(judged, verdict=Verdict.VIOLATED, below=_is_in_a_range(bound, measurement))
    if doubt := _say_share(samples):
        said = judged.sentence if judged.doubt else judged.sentence + doubt
        going_on = float(samples.mean()) < constant and _is_in_a_range(bound, measurement)
        return replace(judged, verdict=Verdict.INCONCLUSIVE, certified=True, below=going_on, sentence=said)
    low, high = -_asymptotic_upper(-samples, level), _asymptotic_upper(samples, level)
    estimate, width = float(samples.mean()), (high - low) / 2
    seen = say_measured(estimate, low, high)
    around = low - slack <= constant <= high + slack
    if around and width <= EQUAL * abs(constant):
        return replace(
            judged,
            verdict=Verdict.HOLDS,
            certified=False,
            measured=Interval(estimate=estimate, lower=_finite(low), upper=_finite(high)),
            method="asymptotic: the normal approximation on both sides",
            sentence=say_equal(seen, constant) + _say_within(width, constant),
        )
    missing = ""
    if high < constant:
        missing = _say_what_a_smaller_side_lacks(bound, samples, measurement)
    elif low > constant and judged.measured.lower is None:
        needed = _say_what_to_declare(bound, samples, subtracted=True)
        missing = f"; {needed}, nothing shows that it is larger"
    return replace(
        judged,
        verdict=Verdict.INCONCLUSIVE,
        certified=True,
        below=high < constant and _is_in_a_range(bound, measurement),
        sentence=f"{seen} by the normal approximation, against {constant:.6g}{missing}",
    )


def _say_what_a_smaller_side_lacks(bound: LinearBound, samples: Floats, measurement: Sampled) -> str:
    if _is_bounded(bound, measurement):
        return "; this many replicates do not show that it is smaller"
    needed = _say_what_to_declare(bound, samples, subtracted=False)
    return f"; {needed}, nothing shows that it is smaller"


def _say_within(width: float, constant: float) -> str:
    return f" within {width / abs(constant):.2g} of it" if constant else ""


def _asymptotic_upper(samples: Floats, level: float) -> float:
    """The normal approximation: no finite-sample guarantee, so a cell that rests on it says so."""
    if not np.isfinite(samples).all() or _share_of_one(samples) > DOMINANT:
        return float("inf")
    deviation = float(samples.std(ddof=1)) if samples.size > 1 else float("inf")
    return float(samples.mean()) - float(ndtri(level)) * deviation / sqrt(samples.size)


def _share_of_one(samples: Floats) -> float:
    """The largest share of the variance that one replicate makes: a mean of few such is nothing normal."""
    away = np.abs(samples - samples.mean())
    most = float(away.max())
    return 1.0 / float(((away / most) ** 2).sum()) if most > 0 else 0.0


def _say_share(samples: Floats) -> str:
    if not np.isfinite(samples).all() or (share := _share_of_one(samples)) <= DOMINANT:
        return ""
    return f"; one replicate makes {share:.0%} of the variance, so no normal approximation is taken"


def _inconclusive(reason: str) -> Judged:
    unknown = Interval(estimate=float("nan"), lower=None, upper=None)
    return Judged(
        measured=unknown, excess=unknown, verdict=Verdict.INCONCLUSIVE, method="none", sentence=reason
    )


def _count_iterates(bound: LinearBound, measurement: Sampled) -> float:
    weights = (*bound.left.items(), *bound.right.items())
    return sum(abs(float(weight)) * measurement.rounding.get(name, 0.0) for name, weight in weights)


def _slack(constant: float, floor: float) -> float:
    return ROUNDING * max(abs(constant), abs(floor) if isfinite(floor) else 0.0)


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None
