"""The noise, from functions that are zero: the state then moves by the noise alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import final

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.instance import instance
from verify.conformance.lab import ROUNDING, Lab, is_near
from verify.conformance.laws import Mean, first_rejected, successive
from verify.conformance.listing import Listing, Part, Point
from verify.conformance.slips import NOISES, Formula, Slip
from verify.conformance.verdict import Observation, agrees, differs

ROUNDS, DIMENSION = 240, 40
STANDARD_ERRORS = 5.0
DISTINCT = 0.9  # the share of different values below which noise counts as rounded
CONSTANT = {"none", "twice", "doubled", "half"}  # slips that make any pair fit by chance
CLIENTS, WANTED = 6, 2
BECAUSE = f"{ROUNDS} rounds of zero functions in dimension {DIMENSION}, two settings"


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Noise:
    """Movements (rounds, d) at a point, and the deviation per coordinate that they should have."""

    at: Point
    moves: Floats
    expected: float

    @property
    def measured(self) -> float:
        return float(np.sqrt((self.moves**2).mean()))


def read_noise(lab: Lab) -> list[Observation]:
    """The observation of the noise line; nothing for a listing without noise."""
    if lab.listing.deviation is None:
        return []
    points = (
        lab.listing.point(n=4, r=4, d=DIMENSION, sigma=0.6, C=3.0),
        lab.listing.point(n=1, r=1, d=DIMENSION, sigma=1.7, C=0.5, eta=0.3, beta=1.4, E=2),
    )
    seen = [_measured(lab, at) for at in points]
    if all(not noise.moves.any() for noise in seen):
        return [_differs(seen, next(slip for slip in NOISES if slip.name == "none"))]
    placement = read_placement(lab)
    if (kept := _repeats(seen)) is not None:
        return [kept]
    signs = [np.sign(noise.moves).ravel() for noise in seen]
    if first_rejected([_product("the sign", sign, "noise_mean") for sign in signs]) is not None:
        return [_other(seen, "noise_mean")]
    if (sampled := _of_sampled(lab)) is not None:
        seen.append(sampled)
    if (bounded := _is_bounded(lab.listing, seen)) is not None:
        return [bounded]
    if _of_variance(seen) is not None:
        if not _is_scaled_by_weights(lab, seen):
            return [_of_deviation(lab, seen)]
        seen = [_by_itself(noise) for noise in seen]
    broken = first_rejected([claim for noise in seen for claim in _of_law(noise)])
    if broken is not None:
        because = f"{BECAUSE}: {broken.name} {broken.measured():.4g}, not {broken.mean:.4g}"
        return [differs(Part.NOISE, seen[0].measured, seen[0].expected, because, broken.slip)]
    because = f"{BECAUSE}; {placement}"
    return [agrees(Part.NOISE, seen[0].measured, seen[0].expected, because)]


def _measured(lab: Lab, at: Point) -> Noise:
    assert lab.listing.deviation is not None
    zero = instance(np.zeros((at.n, at.d)))
    states = lab.states(zero, at, rounds=ROUNDS)
    expected = lab.listing.deviation(at) * lab.listing.server(at)
    expected *= abs(lab.found.server(at))
    return Noise(at=at, moves=states[:-1] - states[1:], expected=expected)


def _of_sampled(lab: Lab) -> Noise | None:
    """Noise when some of the clients take part, divided by its deviation given their number.

    Large orthogonal gradients show who takes part; the noise is that of the other coordinates.
    """
    if lab.found.placement is None or not lab.found.divisor_agrees:
        return None
    at = lab.listing.point(n=CLIENTS, r=WANTED, d=CLIENTS + DIMENSION, sigma=0.01, C=3.0, E=1)
    slopes = np.eye(CLIENTS, at.d) * 2.0
    unit = abs(lab.alone(slopes[0], at, 1)[0]) / at.r
    states = lab.states(instance(slopes), at, rounds=ROUNDS)
    moves = states[:-1] - states[1:]
    came = (np.abs(moves[:, :CLIENTS]) > unit / 4).sum(axis=1)
    noise, scale = moves[:, CLIENTS:], np.ones(len(moves))
    if lab.found.placement == "clients":
        noise, scale = noise[came > 0], np.sqrt(came[came > 0] / at.r)
    assert lab.listing.deviation is not None
    expected = lab.listing.deviation(at) * lab.listing.server(at) * abs(lab.found.server(at))
    return Noise(at=at, moves=noise / scale[:, None], expected=expected)


def _by_itself(noise: Noise) -> Noise:
    """The same movements with their own deviation: only the shape of their law is left to test."""
    return Noise(at=noise.at, moves=noise.moves, expected=noise.measured)


def _is_bounded(listing: Listing, seen: list[Noise]) -> Observation | None:
    """Noise that is added before the update is bounded moves the state by no more than the threshold."""
    if listing.bounding == "none":
        return None
    small = seen[1]
    assert listing.deviation is not None
    most = small.expected / listing.deviation(small.at) * small.at.C
    lengths = np.linalg.norm(small.moves, axis=1)
    if lengths.max() <= most * (1 + ROUNDING) and small.expected * np.sqrt(DIMENSION) > 3 * most:
        because = f"{BECAUSE}: no movement exceeds the threshold"
        return differs(Part.NOISE, small.measured, small.expected, because, "noise_bounded")
    return None


def _uniform(noise: Noise) -> Floats:
    """Between -1 and 1: uniform if the noise is Gaussian with the expected deviation."""
    from scipy.special import ndtr

    made: Floats = 2 * ndtr(noise.moves / noise.expected) - 1
    return made


def _of_variance(seen: list[Noise]) -> Mean | None:
    claims = []
    for noise in seen:
        sizes = np.abs(_uniform(noise)).ravel()
        claims.append(Mean(name="the size", samples=sizes, mean=0.5, low=0, high=1, slip="noise_law"))
    return first_rejected(claims)


def _of_law(noise: Noise) -> Iterator[Mean]:
    """Independence over rounds and coordinates, and the shape: each by a bounded mean."""
    u = _uniform(noise)
    first, second = successive(u)
    yield _product("the product of successive rounds", first * second, "noise_repeated")
    yield _product("the product of neighboring coordinates", u[:, 0::2] * u[:, 1::2], "noise_shared")
    half = DIMENSION // 2
    yield _product("the product of distant coordinates", u[:, :half] * u[:, half:], "noise_shared")
    yield Mean(name="the square", samples=u.ravel() ** 2, mean=1 / 3, low=0, high=1, slip="noise_law")
    yield Mean(name="the eighth power", samples=u.ravel() ** 8, mean=1 / 9, low=0, high=1, slip="noise_law")
    sizes = np.abs(u) - 0.5
    same, other = successive(sizes)
    yield Mean(
        name="the product of sizes",
        samples=(same * other).ravel(),
        mean=0.0,
        low=-0.25,
        high=0.25,
        slip="noise_repeated",
    )


def _product(name: str, samples: Floats, slip: str) -> Mean:
    return Mean(name=name, samples=samples.ravel(), mean=0.0, low=-1, high=1, slip=slip)


def _slip_of(seen: list[Noise]) -> Slip | None:
    """The slip, or the pair of slips, whose factor is the measured one at both points."""
    pairs = (_both(one, other) for one, other in combinations(_FORMULAS, 2))
    return next((slip for slip in (*NOISES, *pairs) if _fits(seen, slip.factor)), None)


_FORMULAS = [slip for slip in NOISES if slip.name not in CONSTANT]


def _both(one: Slip, other: Slip) -> Slip:
    return Slip(
        name=f"{one.name}+{other.name}",
        part=Part.NOISE,
        cause=f"{one.cause}, and {other.cause}",
        factor=lambda v: one.factor(v) * other.factor(v),
    )


def _fits(seen: list[Noise], factor: Formula) -> bool:
    return all(
        abs(noise.measured / noise.expected / max(factor(noise.at.values), 1e-300) - 1) <= _tolerance(noise)
        for noise in seen
    )


def _tolerance(noise: Noise) -> float:
    """Of the measured deviation, relative: the standard error of a Gaussian's."""
    return float(STANDARD_ERRORS / np.sqrt(2 * noise.moves.size))


def _of_deviation(lab: Lab, seen: list[Noise]) -> Observation:
    """The observation of noise whose size has another law than it should."""
    if _fits(seen, lambda v: 1.0):
        return _other(seen, "noise_law")
    slip = _slip_of(seen)
    if _fits(seen[:2], lambda v: float(np.sqrt(v["r"]))) and _is_common(lab):
        return _other(seen, "noise_common")
    return _differs(seen, slip)


def _other(seen: list[Noise], slip: str) -> Observation:
    return differs(Part.NOISE, seen[0].measured, seen[0].expected, BECAUSE, slip)


def _repeats(seen: list[Noise]) -> Observation | None:
    """Noise that is the same number in successive rounds, or in all coordinates."""
    if all(np.allclose(noise.moves[1:], noise.moves[:-1], rtol=1e-6) for noise in seen):
        return _other(seen, "noise_repeated")
    if all(np.allclose(noise.moves, noise.moves[:, :1], rtol=1e-6) for noise in seen):
        return _other(seen, "noise_shared")
    # noise of single precision, which is no slip here, has few values that occur twice
    if any(len(np.unique(noise.moves.round(9))) < DISTINCT * noise.moves.size for noise in seen):
        return _other(seen, "noise_rounded")
    return None


def _is_common(lab: Lab) -> bool:
    """Whether clients add one common vector: its sum over m clients has m^2 times the variance, not m."""
    if lab.found.law != "independent":
        return False
    noise = _measured(lab, lab.listing.point(n=3, r=1, d=DIMENSION, sigma=0.6, C=3.0))
    return bool(abs(noise.measured / noise.expected / np.sqrt(5 / 3) - 1) <= 3 * _tolerance(noise))


def _is_scaled_by_weights(lab: Lab, seen: list[Noise]) -> bool:
    """Whether a wrong average, which has its own verdict, explains the noise: it scales both alike."""
    weights = lab.found.weights
    if weights is None:
        return False
    factor = float(np.sqrt((weights**2).sum() * len(weights)))
    if is_near(factor, 1.0):
        return False
    return _fits(seen[:1], lambda v: factor) and _fits(seen[1:2], lambda v: 1.0)


def _differs(seen: list[Noise], slip: Slip | None) -> Observation:
    return differs(Part.NOISE, seen[0].measured, seen[0].expected, BECAUSE, slip)


def read_placement(lab: Lab) -> str:
    """Where noise is added: at the clients, a round without clients has none."""
    if lab.found.law != "independent":
        return "where it is added cannot be seen: every round has as many clients"
    at = lab.listing.point(n=3, r=1, d=3, sigma=0.6, C=3.0)
    states = lab.states(instance(np.zeros((3, 3))), at, rounds=120)
    still = (states[1:] == states[:-1]).all(axis=1).any()
    lab.found.placement = "clients" if still else "server"
    return f"added at the {lab.found.placement}"
