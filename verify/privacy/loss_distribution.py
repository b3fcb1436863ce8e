"""Upper bounds on epsilon by privacy loss distributions: dp-accounting discretises and composes them.

With everybody in every round the rounds are one Gaussian: nothing is composed, and tails are cut at less than
delta. Sampled rounds are composed by Fourier transforms. Their roundings are certain mistakes of delta, which
grow with the rounds: they are subtracted from it, and where that leaves too little nothing is proven.
"""

from math import exp, expm1, inf, log, log2, pi, sqrt
from typing import Any, Final

import numpy as np
from scipy.special import erf

from verify.privacy import exact
from verify.privacy.dp_accounting_on_use import dp_accounting, relation_of
from verify.privacy.errors import TooLittleNoise, Unaccountable
from verify.privacy.mechanism import Independent
from verify.privacy.release import Release

GRID: Final = 1e-4  # of the privacy loss
COARSE: Final = 1e-2  # a hundred times faster, and only to know where to look
# Beyond this nothing is protected any more, and the discretised losses no longer fit into memory.
LARGEST_COUNTED: Final = 200.0
POINTS_PER_RATIO: Final = (
    100.0  # of the grid, where sensitivity over noise is smaller than a hundred of its steps
)
LEAST_RATIO: Final = 1e-9  # below it dp-accounting takes differences of equal numbers
CUT: Final = -50.0  # log of the tail of one round that dp-accounting counts as infinite loss
CUT_TOGETHER: Final = 1e-15  # the same of all rounds together, where they are composed
UNIT: Final = 2.0**-53
# dp-accounting raises the number of grid points, as a Python integer, to the number of rounds.
AT_ONCE: Final = 1000
LOOSER: Final = 1.02  # than Renyi divergences, which are no closer than this themselves


def epsilon(release: Release, delta: float, rough: float, grid: float = GRID) -> float:
    """`rough` is another upper bound, by Renyi divergences."""
    if isinstance(release.sampling, Independent):
        return _sampled(release, release.sampling.probability, delta, rough, grid)
    return _everybody(release, delta, grid)


def _everybody(release: Release, delta: float, grid: float) -> float:
    ratio = sqrt(release.rounds) / release.per_sensitivity
    if erf(ratio / sqrt(8)) * (1 + 1e-12) <= delta:  # the distance in total variation
        return 0.0
    if ratio < LEAST_RATIO:
        raise Unaccountable(
            f"the noise of all rounds is {1 / ratio:.3g} times what a unit moves, and pld counts up to "
            f"{1 / LEAST_RATIO:g} times; exact has no such limit"
        )
    _check_countable(exact.epsilon(release, delta))
    distribution = dp_accounting().pld.privacy_loss_distribution.from_gaussian_mechanism(
        release.multiplier / sqrt(release.rounds),
        value_discretization_interval=min(grid, ratio / POINTS_PER_RATIO),
        log_mass_truncation_bound=min(CUT, log(delta) - 5),
        neighboring_relation=relation_of(release.relation),
    )
    return float(distribution.get_epsilon_for_delta(delta))


def _check_countable(rough: float) -> None:
    if rough > LARGEST_COUNTED:
        raise TooLittleNoise(
            f"epsilon is beyond {LARGEST_COUNTED:g} ({rough:.3g} by a rough count): too large for pld"
        )


def _sampled(release: Release, rate: float, delta: float, rough: float, grid: float) -> float:
    """The coarse grid first where losses may be large: a fine one would not fit into memory."""
    _check_delta(release.rounds, delta)
    _check_grid(release, rate, rough)
    if rough > LARGEST_COUNTED:
        _check_countable(
            _on_grid(release, rate, delta, COARSE) if rough < LARGEST_COUNTED * COARSE / GRID else rough
        )
    found = _on_grid(release, rate, delta, grid)
    if grid <= GRID and found > rough * LOOSER + GRID:
        _refuse_the_grid(found, rough)
    return found


def _check_delta(rounds: int, delta: float) -> None:
    """Before anything is composed: what is counted as infinite loss, and the least that roundings come to."""
    least = CUT_TOGETHER + rounds * (exp(CUT) + 2 * UNIT)
    if delta <= 2 * least:
        raise Unaccountable(
            f"pld composes {rounds:.4g} sampled rounds with a mistake of delta of {least:.2g} or more, "
            f"so that it proves nothing at delta {delta:g}; rdp has no such limit"
        )


def _check_grid(release: Release, rate: float, rough: float) -> None:
    """Losses far below the grid are moved to its points, and together they spread over a multiple then.

    The mean distance of one loss from 0 is at most its deviation; on the points -g, 0, g its variance is
    that distance times g.
    """
    deviation = rate * sqrt(expm1(min(700.0, release.per_sensitivity**-2)))
    if deviation < GRID and (spread := release.rounds * deviation * GRID / 8) > 2 * LARGEST_COUNTED:
        _refuse_the_grid(spread, rough)


def _refuse_the_grid(found: float, rough: float) -> None:
    proven = f"rdp proves {rough:.4g}: use it" if rough < inf else "rdp may prove less"
    raise Unaccountable(
        f"a round loses so little that the grid of {GRID:g} is too coarse for it: pld proves about "
        f"{found:.4g}, where {proven}"
    )


def _on_grid(release: Release, rate: float, delta: float, grid: float) -> float:
    one = dp_accounting().pld.privacy_loss_distribution.from_gaussian_mechanism(
        release.multiplier,
        value_discretization_interval=grid,
        sampling_prob=rate,
        neighboring_relation=relation_of(release.relation),
    )
    every = composed(one, release.rounds, CUT_TOGETHER)
    certain = delta - mistake(every, release.rounds)
    if certain < delta / 2:
        raise Unaccountable(
            f"pld composes {release.rounds:.4g} rounds with roundings of delta up to {delta - certain:.2g}, "
            f"so that it proves too little at delta {delta:g}; rdp has no such limit"
        )
    return float(every.get_epsilon_for_delta(certain))


def composed(one: Any, rounds: int, cut: float) -> Any:
    """Compose in groups of thousands, then the groups."""
    if rounds <= AT_ONCE:
        return one.self_compose(rounds, cut)
    many, rest = divmod(rounds, AT_ONCE)
    thousand = one.self_compose(AT_ONCE, cut / (4 * many))
    every = composed(thousand, many, cut / 4)
    return every.compose(one.self_compose(rest, cut / 4), cut / 4) if rest else every


def mistake(every: Any, rounds: int) -> float:
    """An upper bound on the error of delta from rounded Fourier transforms, ten times the measured one.

    A transform of n numbers whose sum is 1 is wrong by u sqrt(log2(n)) at a frequency (in mean square), and
    a power is taken by its logarithm, with a phase below pi: so the power y^ is wrong by `rounds` times the
    sum of both, times |y^|. By Parseval's equation what comes back is wrong by that share of |y|, and a sum
    of it by sqrt(n) times as much.
    """
    out = 0.0
    for half in (every._pmf_remove, every._pmf_add):  # which one is worse, only the answer tells
        y = np.asarray(half.to_dense_pmf()._probs)
        n = 2 * len(y)
        out = max(out, sqrt(n) * float(np.linalg.norm(y)) * UNIT * (pi + sqrt(log2(n))) * (rounds + 8))
    return out
