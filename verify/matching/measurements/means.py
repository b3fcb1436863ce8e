"""Means of an author's run without sampling error: over all its outcomes, or over its Gaussian noise.

Finitely many outcomes are each run once. A function of independent standard normals z that is quadratic has
the mean f(0) + sum over i of (f(h e_i) + f(-h e_i) - 2 f(0)) / (2 h^2), of two runs for each normal. On
quadratic clients the squared measures of many an algorithm are such functions. Whether they are is tried, not
proved: along lines from the middle out to ten deviations, where every third difference of a quadratic is 0.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from synthetic.engine.disturbance import disturbed, is_disturbed
from synthetic.errors import AuthorMistake
from synthetic.outside.followed import Course, Unlisted, follow
from synthetic.outside.normals import Noise
from synthetic.outside.outcomes import MOST, Path
from synthetic.problem import Problem
from synthetic.run import runnable
from verify.matching.measurements.measurement import Computed
from verify.matching.measurements.measures import Seen

Floats = NDArray[np.float64]
Traced = Callable[[int], Seen]
Reduced = Mapping[str, Callable[[Seen], Floats]]

OF_PROBABILITIES: Final = 1e-12  # the rounding of products of them, and of their sum
AWAY: Final = 4.0  # h: a few deviations, so that little cancels
# How far from zero each line starts. What jumps where normals are large, as a rare event does, jumps on lines
# through zero; what is quadratic on all of those, but not between them, shows on the others.
BASES: Final = (0.0, 0.0, 0.0, 1.0, 1.0, 3.0, 3.0)
ALONG: Final = np.array([-10.0, -3.0, -1.0, 0.0, 1.0, 3.0, 10.0])  # on each: no normal is ten deviations away
FOUR: Final = 4  # successive points that have a third difference
QUADRATIC: Final = 1e-6  # relative to how far a value varies, and
OF_SUMS: Final = 1e-12  # relative to the value: what roundings leave of the third difference of a quadratic
_SEED: Final = 20240601


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """The mean of each observable, over so many outcomes or so many normals.

    departure: how far the mean may be off if the run was taken for quadratic and is not.
    """

    values: Mapping[str, Floats]
    outcomes: int = 1
    normals: int = 0
    departure: Mapping[str, float] = field(default_factory=dict)


def mean_without_samples(
    algorithm: str,
    problem: Problem,
    reduced: Reduced,
    traced: Traced,
    of_points: Callable[[Mapping[str, Floats]], dict[str, float]],
    replicates: int,
) -> Computed | None:
    """The means of an author's run that draws; None where they cannot be computed."""
    rows = runnable(algorithm).rows_followed
    if not rows:
        return None
    find = partial(_mean_of_outcomes, reduced, traced)
    found = find() if rows == 1 else None
    if found is None and problem.facts().quadratic:
        find = partial(_mean_over_noise, reduced, traced, rows, 2 * replicates)
        found = find()
    if found is None:
        return None
    values = found.values
    of_sums = of_points(values)

    def roundings() -> dict[str, float]:
        if is_disturbed():
            return dict.fromkeys(values, 0.0)
        with disturbed():
            moved = find()
        if moved is None:
            return dict.fromkeys(values, np.inf)
        changed = measure_changes(values, moved.values, of_sums)
        return {n: amount + found.departure.get(n, 0.0) for n, amount in changed.items()}

    return Computed(
        observables=values,
        rounding=roundings,
        of_points=of_sums,
        outcomes=found.outcomes,
        normals=found.normals,
    )


def measure_changes(
    values: Mapping[str, Floats], moved: Mapping[str, Floats], of_sums: Mapping[str, float]
) -> dict[str, float]:
    """How much a disturbed run changes each observable, plus what roundings of the iterates may change."""
    return {name: _difference(values[name], moved[name], len(values)) + of_sums[name] for name in values}


def _difference(one: Floats, other: Floats, observables: int) -> float:
    """Compare the smallest of several rounds, where it alone is judged; else the one that differs most.

    Two runs that both overflow agree. Where one alone does, or has no value, anything may have changed.
    """
    if observables == 1:
        one, other = one.min(), other.min()
    with np.errstate(invalid="ignore"):  # infinity less infinity
        apart = np.where(one == other, 0.0, np.abs(one - other))
    return float(np.max(np.where(np.isnan(apart), np.inf, apart)))


def _draws_nothing(traced: Traced) -> bool:
    """Whether an ordinary replicate draws nothing; it is also checked for other sources of randomness."""
    return traced(1).trace.drew is False


def _mean_of_outcomes(reduced: Reduced, traced: Traced) -> Mean | None:
    """Every path once, with its probability: each one shows where others part from it."""
    values: dict[str, list[Floats]] = {name: [] for name in reduced}
    probabilities: list[float] = []
    paths = [Path(())]
    while paths:
        if len(probabilities) + len(paths) > MOST:
            return None
        seen = _follow(paths, traced, len(paths))
        if seen is None:
            return None
        for name, reduce in reduced.items():
            values[name].append(reduce(seen))
        probabilities += [path.probability for path in paths]
        paths = [Path(places) for path in paths for places in path.list_others()]
    if abs(sum(probabilities) - 1) > OF_PROBABILITIES:  # the law of its draws depends on earlier runs
        return None
    each = {name: np.concatenate(found, axis=-1) @ np.array(probabilities) for name, found in values.items()}
    return Mean(values={n: np.asarray(v) for n, v in each.items()}, outcomes=len(probabilities))


def _follow(courses: Sequence[Course], traced: Traced, count: int) -> Seen | None:
    """The run along these courses; None where it leaves one of them, or is broken by what it is told.

    A round may divide by its noise, which may be 0 here. A round that fails on drawn numbers is reported when
    it draws them.
    """
    try:
        with follow(courses):
            seen = traced(count)
    except (Unlisted, AuthorMistake):
        return None
    return None if any(course.left for course in courses) else seen


def _mean_over_noise(reduced: Reduced, traced: Traced, rows: int, most: int) -> Mean | None:
    """The mean over runs that are quadratic in their standard normals, by at most so many of them."""
    first = _noises(np.zeros((1, 0)), rows)
    if _follow(first, traced, 1) is None:
        return None
    normals = first[0].drawn
    lines = _lines(normals)
    points = np.concatenate([lines, np.zeros((1, normals)), AWAY * np.eye(normals), -AWAY * np.eye(normals)])
    if not normals or len(points) > most or (rows > 1 and _draws_nothing(traced)):
        return None
    noises = _noises(points, rows)
    seen = _follow(noises, traced, len(points))
    if seen is None or any(noise.drawn != normals for noise in noises):
        return None
    found = {name: reduce(seen) for name, reduce in reduced.items()}
    if not all(np.isfinite(values).all() for values in found.values()):  # a run that diverges is no quadratic
        return None
    # a disturbed run repeats one whose lines were tried
    if not (is_disturbed() or all(_is_quadratic(values[..., : len(lines)]) for values in found.values())):
        return None
    return Mean(
        values={n: _mean(v[..., len(lines) :]) for n, v in found.items()},
        normals=normals,
        departure={n: _departure(v[..., : len(lines)], normals) for n, v in found.items()},
    )


def _noises(points: Floats, rows: int) -> list[Noise]:
    """One noise for each replicate, or for each block of them; rows beyond the last point are its copies."""
    if rows == 1:
        return [Noise(point) for point in points]
    blocks = [points[at : at + rows] for at in range(0, len(points), rows)]
    return [Noise(np.concatenate([b, np.repeat(b[-1:], rows - len(b), axis=0)])) for b in blocks]


def _lines(normals: int) -> Floats:
    """Points of random lines, the same places on each."""
    random = np.random.default_rng(_SEED)
    found = []
    for away in BASES:
        base, along = random.standard_normal((2, normals))
        found.append(away * base + ALONG[:, None] * along)
    return np.concatenate(found)


def _third_differences() -> Floats:
    """Weights of each four successive places, 0 on every quadratic, whose sizes add up to 8."""
    fours = sliding_window_view(ALONG, FOUR)
    apart = fours[:, :, None] - fours[:, None, :] + np.eye(FOUR)
    weights = 1 / apart.prod(axis=-1)
    return np.asarray(8 * weights / np.abs(weights).sum(axis=-1, keepdims=True))


THIRD: Final = _third_differences()


def _departure(values: Floats, normals: int) -> float:
    """The largest third difference is in the mean once, and in each second difference over 2 h^2."""
    return float(np.abs((_on_lines(values) * THIRD).sum(axis=-1)).max()) * (1 + normals / AWAY**2)


def _on_lines(values: Floats) -> Floats:
    """The values at each four successive places of each line, in a last axis."""
    each = values.reshape(*values.shape[:-1], len(BASES), len(ALONG))
    return sliding_window_view(each, FOUR, axis=-1)


def _is_quadratic(values: Floats) -> bool:
    """Whether the third difference along every line is one of roundings; values: (..., lines x points)."""
    each = _on_lines(values)
    size, varies = np.abs(each).max(axis=-1), np.ptp(each, axis=-1)
    limit = QUADRATIC * varies + OF_SUMS * size
    return bool((np.abs((each * THIRD).sum(axis=-1)) <= limit).all())


def _mean(values: Floats) -> Floats:
    """The mean from the value at zero and those at h and at -h of each normal."""
    middle, away = values[..., :1], values[..., 1:]
    count = away.shape[-1] // 2
    second = away[..., :count] + away[..., count:] - 2 * middle
    return np.asarray(middle[..., 0] + second.sum(axis=-1) / (2 * AWAY**2))
