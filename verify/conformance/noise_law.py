"""The law of noise that was measured: its size, its shape, and independence over rounds and coordinates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import final

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.laws import LEVEL, TESTS, Mean, first_rejected, successive
from verify.conformance.listing import Part
from verify.conformance.own_constants import Own
from verify.conformance.slips import Formula, Slip
from verify.conformance.verdict import Observation

STANDARD_ERRORS = 5.0
# rounds and coordinates in which every coordinate is tested: many rounds of few, since code that factors a
# covariance in each round, as `multivariate_normal` does, takes time of the cube of the coordinates. The sum
# of 12 uniform numbers was noticed in 10 of 10 trials with 216,000 numbers, and in 9 of 10 with 144,000
FINE_ROUNDS, FINE = 1600, 144
DISTINCT = 0.9  # the share of different values below which noise counts as rounded
FAR = (2.2, 3.7)  # deviations: with 10^5 values, a cut at 3.6 is noticed
CUT = 4.0  # deviations: the fourth Hermite polynomial needs a limit on either side to be bet on
CHANGED = 1.5
LONG_TAIL = 9.0  # deviations
CONSTANT = {"none", "twice", "doubled", "half"}  # slips that make any pair fit by chance


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Noise:
    """Movements (rounds, d) at settings, and the deviation per coordinate that they should have."""

    values: Mapping[str, float]
    moves: Floats
    expected: float

    @property
    def measured(self) -> float:
        largest = float(np.abs(self.moves).max(initial=0.0))  # of any size: squares may overflow, or vanish
        return largest * float(np.sqrt(((self.moves / largest) ** 2).mean())) if largest else 0.0


def by_itself(noise: Noise) -> Noise:
    """The same movements with their own deviation: only the shape of their law is left to test."""
    return Noise(values=noise.values, moves=noise.moves, expected=noise.measured)


def uniform(noise: Noise) -> Floats:
    """Between -1 and 1: uniform if the noise is Gaussian with the expected deviation."""
    from scipy.special import ndtr

    shares: Floats = 2 * ndtr(noise.moves / max(noise.expected, 1e-300)) - 1
    return shares


def wrong_size(seen: Sequence[Noise]) -> Mean | None:
    """The rejected claim that the noise has its expected deviation.

    A claim on the shape is one on the size too. If it holds with the deviation that was measured, it is the
    size that is wrong.
    """
    claims = []
    for noise in seen:
        sizes = np.abs(uniform(noise)).ravel()
        claims.append(Mean(name="the size", samples=sizes, mean=0.5, low=0, high=1, slip="noise_law"))
    wrong = first_rejected(claims)
    if wrong is not None:
        return wrong
    wrong = next((found for noise in seen if (found := _wrong_shape(noise))), None)
    return wrong if wrong and wrong_law([by_itself(noise) for noise in seen]) is None else None


def find_uneven(noise: Noise) -> Slip | None:
    """The first coordinates whose noise has another size than the rest, as if some had none.

    The mean over all coordinates hides a few. Halves, quarters, ... down to one coordinate are tested, each
    at the share of its level: at most two claims for every coordinate.
    """
    sizes = np.abs(uniform(noise))
    for first, last in _blocks(sizes.shape[1]):
        claim = Mean(
            name="the size",
            samples=sizes[:, first:last].ravel(),
            mean=0.5,
            low=0,
            high=1,
            slip="noise_uneven",
        )
        if claim.is_rejected(among=2 * sizes.shape[1]):
            return _name_uneven(noise, first, last)
    return None


def _name_uneven(noise: Noise, first: int, last: int) -> Slip:
    inside, outside = noise.moves[:, first:last], np.delete(noise.moves, range(first, last), axis=1)
    ratio = float(np.sqrt((inside**2).mean() / (outside**2).mean()))
    which = f"coordinate {last}" if last - first == 1 else f"coordinates {first + 1} to {last}"
    of = f"{which} of {noise.moves.shape[1]}"
    cause = f"the noise is not of one size: its deviation in {of} is {ratio:.2g} times that of the others"
    return Slip(name="noise_uneven", part=Part.NOISE, cause=cause, factor=lambda v: 0.0)


def _blocks(count: int) -> Iterator[tuple[int, int]]:
    """Intervals of coordinates, the large ones first, each half of one before it."""
    blocks = [(0, count)]
    for first, last in blocks:
        middle = (first + last) // 2
        if last - first > 1:
            blocks += [(first, middle), (middle, last)]
    yield from blocks[1:]


def wrong_sign(seen: Sequence[Noise]) -> Mean | None:
    """The rejected claim that the noise is as often positive as negative."""
    return first_rejected([product("the sign", np.sign(noise.moves), "noise_mean") for noise in seen])


def wrong_law(seen: Sequence[Noise]) -> Mean | None:
    """The rejected claim on independence over rounds and coordinates, or on the shape."""
    return next((found for noise in seen if (found := _wrong_law(noise))), None)


def _wrong_law(noise: Noise) -> Mean | None:
    u = uniform(noise)
    products = first_rejected(_list_products(u))
    return products or _wrong_shape(noise) or first_rejected([_product_of_sizes(u)])


def _list_products(u: Floats) -> Iterator[Mean]:
    first, second = successive(u)
    yield product("the product of successive rounds", first * second, "noise_repeated")
    yield product("the product of neighboring coordinates", u[:, 0::2] * u[:, 1::2], "noise_shared")
    half = u.shape[1] // 2
    yield product("the product of distant coordinates", u[:, :half] * u[:, half:], "noise_shared")


def _product_of_sizes(u: Floats) -> Mean:
    same, other = successive(np.abs(u) - 0.5)
    return Mean(
        name="the product of sizes",
        samples=(same * other).ravel(),
        mean=0.0,
        low=-0.25,
        high=0.25,
        slip="noise_repeated",
    )


@lru_cache(maxsize=4)  # the test of the size asks, and then that of the law
def _wrong_shape(noise: Noise) -> Mean | None:
    return first_rejected(_list_means_of_shape(noise))


def _list_means_of_shape(noise: Noise) -> Iterator[Mean]:
    """Claims on single values, which hold only if their deviation is the expected one too."""
    square = uniform(noise).ravel() ** 2
    fourth = square * square  # a power of negative numbers takes ten times as long
    yield Mean(name="the square", samples=square, mean=1 / 3, low=0, high=1, slip="noise_law")
    yield Mean(name="the eighth power", samples=fourth * fourth, mean=1 / 9, low=0, high=1, slip="noise_law")
    for deviations in FAR:
        yield _tail(noise, deviations)
    yield _fourth(noise)


def _tail(noise: Noise, deviations: float) -> Mean:
    """The share of values that are far from zero: cut off, they leave the mean size almost as it is."""
    from scipy.special import ndtr

    far = (np.abs(noise.moves) > deviations * noise.expected).ravel()
    return Mean(
        name=f"the share beyond {deviations:g} deviations",
        samples=far.astype(np.float64),
        mean=float(2 * ndtr(-deviations)),
        low=0,
        high=1,
        slip="noise_law" if far.any() else "noise_cut",
    )


def is_cut(*seen: Noise) -> bool:
    """Whether the largest value of all is smaller than that of as many Gaussian ones, at the level of a test.

    Of 460,000 values none is beyond 4.08 deviations with probability 2e-9, which is that level.
    """
    from scipy.special import ndtr

    largest = max(float(np.abs(noise.moves).max() / noise.expected) for noise in seen)
    count = sum(noise.moves.size for noise in seen)
    return bool(count * np.log1p(-2 * ndtr(-largest)) < np.log(LEVEL / (2 * TESTS)))


def _fourth(noise: Noise) -> Mean:
    """The fourth Hermite polynomial He4(x) = x^4 - 6 x^2 + 3 of the noise, cut at `CUT` deviations.

    The best bet against a law near the Gaussian one of the same variance: by Edgeworth's expansion its
    density is the Gaussian one times 1 + kurtosis/24 He4, and the sum of 12 uniform numbers has kurtosis
    -0.1. The mean is exact: -He3 phi has the derivative He4 phi.
    """
    from scipy.special import ndtr

    def polynomial(x: Floats) -> Floats:
        square = x * x
        return square * square - 6 * square + 3

    highest = float(polynomial(np.array([CUT]))[0])
    density = float(np.exp(-(CUT**2) / 2) / np.sqrt(2 * np.pi))
    return Mean(
        name="the fourth Hermite polynomial",
        samples=polynomial(np.clip(noise.moves / noise.expected, -CUT, CUT)).ravel(),
        mean=2 * (highest * float(ndtr(-CUT)) - (CUT**3 - 3 * CUT) * density),
        low=-6.0,
        high=highest,
        slip="noise_law",
    )


def product(name: str, samples: Floats, slip: str) -> Mean:
    return Mean(name=name, samples=samples.ravel(), mean=0.0, low=-1, high=1, slip=slip)


def slip_of(seen: Sequence[Noise], catalogue: Sequence[Slip]) -> Slip | None:
    """The slip, or the pair of slips, whose factor is the measured one at every setting."""
    formulas = [slip for slip in catalogue if slip.name not in CONSTANT]
    pairs = (_both(one, other) for one, other in combinations(formulas, 2))
    return next((slip for slip in (*catalogue, *pairs) if fits(seen, slip.factor)), None)


def _both(one: Slip, other: Slip) -> Slip:
    return Slip(
        name=f"{one.name}+{other.name}",
        part=Part.NOISE,
        cause=f"{one.cause}, and {other.cause}",
        factor=lambda v: one.factor(v) * other.factor(v),
    )


def fits(seen: Sequence[Noise], factor: Formula) -> bool:
    return all(
        abs(noise.measured / noise.expected / max(factor(noise.values), 1e-300) - 1) <= tolerance(noise)
        for noise in seen
    )


def name_size(seen: Sequence[Noise], known: Slip | None) -> Slip | str | None:
    """The slip of noise whose size is rejected: the known one, or its law if its deviation is about right.

    Gaussian noise with a deviation that is slightly off has neither: its deviation alone is to be told. A
    number such as 2 may fit noise of another law by chance.
    """
    known = None if fits(seen, lambda v: 1.0) else known
    if known is not None and known.name not in CONSTANT:
        return known
    alone = [by_itself(noise) for noise in seen]
    wrong = wrong_size(alone) or wrong_law(alone)
    return known if wrong is None else name_law(seen, wrong.slip)


def name_law(seen: Sequence[Noise], slip: str) -> Slip | str:
    """The slip of a rejected law; noise that is Gaussian in each coordinate, or round, has several sizes."""
    if slip != "noise_law":
        return slip
    if any(_piles_up(noise) for noise in seen):  # a sum over clients has no such limit
        return "noise_cut"
    if wrong_law([_over_own(noise, axis=0) for noise in seen]) is None:
        return next((found for noise in seen if (found := find_uneven(by_itself(noise)))), slip)
    return "noise_changing" if wrong_law([_over_own(noise, axis=1) for noise in seen]) is None else slip


def _piles_up(noise: Noise) -> bool:
    """Whether many values are as large as the largest, as where noise is clipped, but not most of them."""
    sizes = np.abs(noise.moves)
    return bool(0.01 < np.isclose(sizes, sizes.max(), rtol=1e-6, atol=0).mean() < 0.5)


def _over_own(noise: Noise, axis: int) -> Noise:
    """The same movements, each coordinate, or each round, over its own deviation."""
    own = np.maximum(np.sqrt((noise.moves**2).mean(axis=axis, keepdims=True)), 1e-300)
    return Noise(values=noise.values, moves=noise.moves / own, expected=1.0)


def tolerance(noise: Noise) -> float:
    """The relative error of the measured deviation: some standard errors of a Gaussian's, or of its own law.

    Rounds are independent whatever the law; the coordinates of one round may not be.
    """
    squares = (noise.moves / max(np.abs(noise.moves).max(), 1e-300)) ** 2
    rounds = squares.mean(axis=1)
    own = rounds.std() / (2 * np.sqrt(len(rounds)) * max(rounds.mean(), 1e-300))
    return float(STANDARD_ERRORS * max(own, 1 / np.sqrt(2 * noise.moves.size)))


def has_long_tails(noise: Noise) -> bool:
    """Whether a single value may decide the measured variance: noise without a fourth moment has such values.

    Of Student's law with 3 degrees of freedom, 9,600 values had one beyond 9 deviations in 598 of 600 trials;
    of Laplace's law in 21.
    """
    return bool(np.abs(noise.moves).max() > LONG_TAIL * noise.measured)


def is_off_center(noise: Noise) -> bool:
    """Whether the mean over the coordinates is some standard errors from 0, whatever the law."""
    means = noise.moves.mean(axis=1)
    return bool(abs(means.mean()) > STANDARD_ERRORS * means.std() / np.sqrt(len(means)))


def repetition(seen: Sequence[Noise]) -> str | None:
    """The slip of noise that is repeated, shared by coordinates, absent in some, changing, or rounded."""
    if all(np.allclose(noise.moves[1:], noise.moves[:-1], rtol=1e-2, atol=0) for noise in seen):
        return "noise_repeated"
    if all(_has_period(noise) for noise in seen):
        return "noise_recurs"
    if all(np.allclose(noise.moves, noise.moves[:, :1], rtol=1e-2, atol=0) for noise in seen):
        return "noise_shared"
    if any(0 < is_silent(noise).sum() < noise.moves.shape[1] for noise in seen):
        return "noise_uneven"
    if all(_is_changing(noise) for noise in seen):
        return "noise_changing"
    # noise of single precision, which is no slip here, has few values that occur twice
    if any(len(np.unique(_rounded(noise))) < DISTINCT * noise.moves.size for noise in seen):
        return "noise_rounded"
    return None


def is_silent(noise: Noise) -> Floats:
    """Which coordinates have no noise, up to the rounding of noise that cancels."""
    silent: Floats = np.abs(noise.moves).max(axis=0) <= 1e-9 * noise.expected
    return silent


def _has_period(noise: Noise) -> bool:
    """Whether every round has the noise of the round so many rounds before, as of a table read in turn."""
    moves, rounds = noise.moves, len(noise.moves)
    return any(
        np.allclose(moves[lag], moves[0], rtol=1e-2, atol=0)
        and np.allclose(moves[lag:], moves[:-lag], rtol=1e-2, atol=0)
        for lag in range(1, rounds // 2 + 1)
    )


def _is_changing(noise: Noise) -> bool:
    """Whether the first half of the rounds has noise of another size than the second: half as much again."""
    early, late = (float(np.sqrt((half**2).mean())) for half in np.array_split(noise.moves, 2))
    return max(early, late) > CHANGED * min(early, late)


def _rounded(noise: Noise) -> Floats:
    """Relative to its own deviation, since states add up and their rounding is not that of the noise."""
    rounded: Floats = (noise.moves / max(noise.measured, 1e-300)).round(6)
    return rounded


NOTICED = (
    7.6  # of 1/sqrt(numbers): a deviation by this share was noticed in 10 of 10 trials, for 10^4 to 3*10^5
)


def smallest_noticed(noise: Noise) -> float:
    """The relative deviation of the noise that the test of its size notices, from either side."""
    return float(NOTICED / np.sqrt(noise.moves.size))


def other_size(seen: Sequence[Noise], symbol: str) -> Own | None:
    """The conversion of noise that has one and the same ratio to the listing's at every setting."""
    ratio = seen[0].measured / seen[0].expected
    if not ratio or not fits(seen, lambda v: ratio):
        return None
    return Own(changes={symbol: {ratio: 1, symbol: 1}}, words=f" (measured, to {tolerance(seen[0]):.1%})")


def name_ratio(wrong: Observation) -> Observation:
    """The difference with its ratio as the cause, if no slip is known and one holds at every setting."""
    if wrong.cause is not None or wrong.conversion is None or wrong.ratio is None:
        return wrong
    return replace(wrong, cause=f"the deviation of the noise is {wrong.ratio:.3g} times the listing's")
