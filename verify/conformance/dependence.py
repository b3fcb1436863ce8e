"""Whether the coordinates and the rounds of Gaussian noise are independent: each pair, and each direction.

A mean over all pairs hides one of them, and one coordinate that repeats another is released without noise:
so is a sum that the noise leaves as it is. Every limit here is one that independent Gaussian numbers pass
with the probability of one test; none depends on the size of the noise in a coordinate. With rows of N
numbers, the square of a cosine of two rows has the law Beta(1/2, (N - 1)/2). The singular values of an
N x d matrix of standard Gaussian numbers are between sqrt(N) - sqrt(d) - t and sqrt(N) + sqrt(d) + t, each
with probability at least 1 - exp(-t^2/2) (Davidson and Szarek 2001).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, log, sqrt
from typing import final

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.laws import LEVEL, TESTS
from verify.conformance.listing import Part
from verify.conformance.noise_law import (
    Noise,
    by_itself,
    find_uneven,
    is_off_center,
    name_law,
    name_size,
    smallest_noticed,
    wrong_law,
    wrong_sign,
    wrong_size,
)
from verify.conformance.slips import Slip

SHARE = LEVEL / TESTS  # of the level, for one test
SAME = 1e-6  # 1 minus the cosine of what counts as the same
NOTHING = 1e-9  # of the variance of a coordinate


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """The rows of a table that are not zero, at length 1, and which ones they are.

    of: what a row is, such as a coordinate. slip: the name of what dependent rows are.
    """

    of: str
    slip: str
    unit: Floats
    lengths: Floats
    which: Sequence[int]

    @cached_property
    def cosines(self) -> Floats:
        return np.asarray(np.clip(self.unit @ self.unit.T, -1, 1))


def find_dependence(seen: Sequence[Noise]) -> Slip | None:
    """The slip of noise whose coordinates or rounds are not independent, with the pair or the direction.

    The limits are those of Gaussian noise: of noise with another law, that law is what there is to say.
    """
    law = wrong_law([by_itself(noise) for noise in seen])
    if law is not None and law.slip not in ("noise_shared", "noise_repeated"):
        return None
    for noise in seen:
        coordinates = _rows(noise.moves.T, "coordinates", "noise_shared")
        rounds = _rows(noise.moves, "rounds", "noise_repeated")
        looks: tuple[tuple[Callable[[Rows], Slip | None], Rows], ...] = (
            (_find_same, coordinates),
            (_find_direction, coordinates),
            (_find_pair, coordinates),
            (_find_same, rounds),
            (_find_pair, rounds),
            (_find_lag, rounds),
        )
        found = next((slip for look, rows in looks if (slip := look(rows)) is not None), None)
        if found is not None:
            return found
    return None


def name_sign(seen: Sequence[Noise]) -> Slip | str | None:
    """The slip of noise that is more often on one side of zero: its mean, its dependence, or its asymmetry.

    The signs of coordinates that depend on one another lean to one side in a round, and so do those of a sum.
    """
    if wrong_sign(seen) is None:
        return None
    if any(is_off_center(noise) for noise in seen):
        return "noise_mean"
    return find_dependence(seen) or "noise_skewed"


def list_wrong(fine: Noise, known: Slip | None = None) -> list[Slip | str | None]:
    """The slip of noise of many rounds that is wrong, None for one of no name; empty if it is right.

    known: the slip of its size.
    """
    if wrong_size([fine]) is not None:
        return [name_size([fine], known)]
    if (broken := wrong_law([fine])) is not None:
        return [name_law([fine], broken.slip)]
    found = find_dependence([fine]) or find_uneven(fine)
    return [] if found is None else [found]


def describe_noticed(noise: Noise) -> str:
    """What the tests of this noise notice, in words; correlations by 3 standard errors above their limits."""
    rounds, d = noise.moves.shape
    coordinates = largest_cosine(rounds, d * (d - 1) / 2) + 3 / sqrt(rounds)
    apart = min(1.0, largest_cosine(d, rounds * (rounds - 1) / 2) + 3 / sqrt(d))
    return (
        f"{smallest_noticed(noise):.1%} more or less is noticed, a direction without noise, and correlation"
        f" {coordinates:.2g} of two of {d} coordinates, or of {apart:.2g} of two of {rounds} rounds"
    )


def _rows(table: Floats, of: str, slip: str) -> Rows:
    lengths = np.linalg.norm(table, axis=1)
    which = np.flatnonzero(lengths)
    some = lengths[which]
    return Rows(of=of, slip=slip, unit=table[which] / some[:, None], lengths=some, which=which.tolist())


def _slip(rows: Rows, cause: str) -> Slip:
    # no size of the noise explains it, so that a factor of 0 keeps it without a conversion
    return Slip(name=rows.slip, part=Part.NOISE, cause=cause, factor=lambda v: 0.0)


def largest_cosine(numbers: int, pairs: float) -> float:
    """The cosine that some of so many pairs of independent rows exceed with the probability of one test."""
    from scipy.special import betaincinv

    return sqrt(1 - float(betaincinv((numbers - 1) / 2, 0.5, SHARE / pairs))) if numbers > 1 else 1.0


def _find_same(rows: Rows) -> Slip | None:
    """The first pair of rows of which one repeats the other."""
    same = np.argwhere(np.abs(np.triu(rows.cosines, 1)) >= 1 - SAME)
    if not len(same) or largest_cosine(rows.unit.shape[1], _pairs(rows)) >= 1 - SAME:
        return None
    first = same[0]
    up_to = ", up to its sign" if rows.cosines[tuple(first)] < 0 else ""
    return _slip(rows, f"the noise is the same in {_name(rows, first)}{up_to}")


def _find_pair(rows: Rows) -> Slip | None:
    """The pair of rows with the largest cosine, if it is too large."""
    if len(rows.unit) < 2:
        return None
    cosines = np.triu(rows.cosines, 1)
    place = divmod(int(np.abs(cosines).argmax()), len(cosines))
    if abs(cosines[place]) <= largest_cosine(rows.unit.shape[1], _pairs(rows)):
        return None
    found = f"their correlation is {cosines[place]:.2g}"
    return _slip(rows, f"the noise is not independent in {_name(rows, place)}: {found}")


def _pairs(rows: Rows) -> int:
    return len(rows.unit) * (len(rows.unit) - 1) // 2


def _name(rows: Rows, pair: Sequence[int]) -> str:
    one, other = (rows.which[i] + 1 for i in pair)
    return f"{rows.of} {one} and {other}"


def eigenvalues_between(numbers: int, count: int) -> tuple[float, float]:
    """The limits of the eigenvalues of the correlations of so many independent rows.

    They are those of the second moments over the largest, or the smallest, second moment of a row. The four
    limits, of the singular values and of the rows, share the probability of one test.
    """
    apart = sqrt(2 * log(4 / SHARE) / numbers)
    own = sqrt(2 * log(4 * count / SHARE) / numbers) + 1 / sqrt(numbers)
    wide = sqrt(count / numbers) + apart
    return (max(0.0, 1 - wide) / (1 + own)) ** 2, ((1 + wide) / (1 - own)) ** 2 if own < 1 else inf


def _find_direction(rows: Rows) -> Slip | None:
    """A direction, a sum of coordinates with weights, in which there is no noise, too little, or too much."""
    count, numbers = rows.unit.shape
    if count < 2 or numbers <= count:
        return None
    values, axes = np.linalg.eigh(rows.cosines)
    least, most = eigenvalues_between(numbers, count)
    if least <= values[0] and values[-1] <= most:
        return None
    if values[0] > NOTHING:
        value, size = (values[0], "small") if values[0] < least else (values[-1], "large")
        share = f"its variance there is {value:.2g} of that of a coordinate"
        return _slip(rows, f"the noise is too {size} in a direction: {share}")
    weights = axes[:, 0] / rows.lengths
    if np.ptp(weights) <= SAME * np.abs(weights).max():
        return _slip(rows, "the noise has a direction without noise: the sum of all coordinates")
    return _slip(rows, "the noise has a direction without noise: a sum of coordinates with fixed weights")


def _find_lag(rows: Rows) -> Slip | None:
    """A number of rounds after which the noise is correlated with what it was, over the whole run.

    Blocks of so many rounds are paired with the next ones; no round is in two pairs.
    """
    count, numbers = rows.unit.shape
    products = rows.cosines * np.outer(rows.lengths, rows.lengths)
    squares = rows.lengths**2
    lags = range(1, count // 2 + 1)
    for lag in lags:
        first = np.flatnonzero(np.arange(count - lag) // lag % 2 == 0)
        both = sqrt(float(squares[first].sum()) * float(squares[first + lag].sum()))
        cosine = float(products[first, first + lag].sum()) / both
        if abs(cosine) > largest_cosine(numbers * len(first), len(lags)):
            after = "the round before" if lag == 1 else f"the round {lag} rounds before"
            return _slip(rows, f"the noise of a round has correlation {cosine:.2g} with that of {after}")
    return None
