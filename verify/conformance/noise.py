"""The noise, from functions that are zero: the state then moves by the noise alone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from synthetic.engine.randomness import Floats
from synthetic.errors import NotFinite
from verify.conformance.dependence import describe_noticed, find_dependence, list_wrong, name_sign
from verify.conformance.instance import instance
from verify.conformance.lab import ROUNDING, Lab, is_near
from verify.conformance.laws import Mean
from verify.conformance.listing import Listing, Part, Point
from verify.conformance.noise_law import (
    FINE,
    FINE_ROUNDS,
    Noise,
    by_itself,
    fits,
    has_long_tails,
    is_cut,
    is_off_center,
    is_silent,
    name_law,
    name_ratio,
    name_size,
    other_size,
    repetition,
    slip_of,
    tolerance,
    wrong_law,
    wrong_size,
)
from verify.conformance.noise_slips import NOISES, STEP_NOISES
from verify.conformance.slips import Slip
from verify.conformance.verdict import Observation, agrees, differs, not_observable

ROUNDS, DIMENSION = 240, 40
CLIENTS, WANTED = 6, 2
SLOPES = (10.0, 100.0)  # of gradients with which noise may come
# what noise of mean 0 and a given total variance may be
OF_THE_LAW = {
    "noise_missing",
    "noise_law",
    "noise_cut",
    "noise_shared",
    "noise_uneven",
    "noise_rounded",
    "noise_mean",
    "noise_skewed",
}
BECAUSE = f"{ROUNDS} rounds of zero functions in dimension {DIMENSION}, two settings"


def read_noise(lab: Lab) -> list[Observation]:
    """The observation of the noise line; nothing for a listing without noise."""
    if lab.listing.deviation is None:
        return []
    points = (
        lab.listing.point(n=4, r=4, d=DIMENSION, sigma=0.6, C=3.0),
        lab.listing.point(n=1, r=1, d=DIMENSION, sigma=1.7, C=0.5, eta=0.3, beta=1.4, E=2),
    )
    seen = [_measured(lab, at) for at in points]
    found = _compare_with_gaussian(lab, points, seen)
    if lab.listing.gaussian or not any(one.slip in OF_THE_LAW for one in found):
        return found
    return [_compare_moments(lab, seen, one) for one in found]


def _compare_moments(lab: Lab, seen: list[Noise], found: Observation) -> Observation:
    """The noise of a listing that names its mean and total variance alone, where it is not Gaussian.

    No test at a stated level compares these for a law that is unknown, so the line is not said to agree.
    """
    alone = f"{found.cause}; the listing names its mean and variance alone"
    if any(has_long_tails(noise) for noise in seen):
        return not_observable(Part.NOISE, f"{alone}, which long tails keep from being compared")
    if any(is_off_center(noise) for noise in seen):
        return _other(seen, "noise_mean")
    if not fits(seen, lambda v: 1.0):
        return _differs(seen, slip_of(seen, _known(lab)))
    least = f"{max(map(tolerance, seen)):.1%} of the deviation"
    return not_observable(Part.NOISE, f"{alone}, and these are as listed up to {least}")


def _compare_with_gaussian(lab: Lab, points: tuple[Point, ...], seen: list[Noise]) -> list[Observation]:
    """The first thing about the noise that Gaussian noise of the listing's deviation does not have."""
    silent = [noise for noise in seen if is_silent(noise).all()]
    if len(silent) == len(seen):
        return [_observe_silence(lab, points[0], seen)]
    if silent:
        slip = "noise_cancels" if silent[0].moves.any() else None
        return [differs(Part.NOISE, 0.0, silent[0].expected, f"{BECAUSE}; one of them has no noise", slip)]
    if any(not noise.moves.any(axis=1).all() for noise in seen):
        return [_other(seen, "noise_missing")]
    if np.array_equal(_measured(lab, points[0]).moves, seen[0].moves):
        return [_other(seen, "noise_seeded")]
    placement = read_placement(lab)
    if (repeated := repetition(seen)) is not None:
        # copies of coordinates make few values too
        copied = find_dependence(seen) if repeated == "noise_rounded" else None
        return [_other(seen, copied or repeated)]
    if (one_sided := name_sign(seen)) is not None:
        return [_other(seen, one_sided)]
    if (sampled := _measure_sampled_noise(lab)) is not None:
        if _is_of_wanted(lab, seen, sampled):
            return [_other(seen, "noise_of_wanted")]
        if _is_of_number(lab, seen, sampled):
            return [_other(seen, "noise_of_number")]
        seen.append(sampled.by_number(lab.found.placement))
    if (bounded := _is_bounded(lab.listing, seen)) is not None:
        return [bounded]
    if (dependent := find_dependence(seen)) is not None:  # before the size, which may have a cause besides
        return [_other(seen, dependent)]
    if wrong_size(seen) is not None:
        if not _is_scaled_by_weights(lab, seen):
            return [_observe_deviation(lab, seen)]
        seen = [by_itself(noise) for noise in seen]
    broken = wrong_law(seen)
    if broken is not None:
        return [_observe_law(seen, broken)]
    return [_observe_coordinates(lab, seen[0], placement)]


def _observe_silence(lab: Lab, at: Point, seen: list[Noise]) -> Observation:
    """Where nothing moves without gradients there is no noise, or it depends on them."""
    short, long = (_spread_with_slope(lab, at, slope) for slope in SLOPES)
    if long:
        several = long > SLOPES[1] / SLOPES[0] / 2 * short
        return _other(seen, "noise_of_gradient" if several else "noise_sometimes")
    if _spread_with_slope(lab, at, SLOPES[0], curvature=1.0):
        return _other(seen, "noise_in_point")
    return _differs(seen, next(slip for slip in _known(lab) if slip.name == "none"))


def _known(lab: Lab) -> tuple[Slip, ...]:
    return STEP_NOISES if lab.listing.noise_in_steps else NOISES


def _observe_law(seen: list[Noise], broken: Mean) -> Observation:
    because = f"{BECAUSE}: {broken.name} {broken.measured():.4g}, not {broken.mean:.4g}"
    slip = name_law(seen, broken.slip)
    return differs(Part.NOISE, seen[0].measured, seen[0].expected, because, slip)


def _observe_coordinates(lab: Lab, first: Noise, placement: str) -> Observation:
    """Observe every coordinate by itself, in many dimensions, once the law of each noise is right."""
    at = lab.listing.point(n=1, r=1, d=FINE, sigma=0.6, C=3.0)
    fine = _measured(lab, at, FINE_ROUNDS)
    for slip in list_wrong(fine):
        return _differs([fine], slip)
    if is_cut(fine, _measured(lab, at, FINE_ROUNDS)):
        return _other([fine], "noise_cut")
    # one client's noise may be the other's in another order, which one client alone does not show
    two = _measured(lab, lab.listing.point(n=2, r=2, d=DIMENSION, sigma=0.6, C=3.0), FINE_ROUNDS)
    if (dependent := find_dependence([two])) is not None:
        return _other([fine], dependent)
    along = _measured(lab, lab.listing.point(n=1, r=1, d=DIMENSION, sigma=0.6, C=3.0), slope=SLOPES[0])
    if wrong_size([along]) is not None:
        return _other([along], "noise_by_gradient")
    because = f"{BECAUSE}; {describe_noticed(fine)}; {placement}"
    return agrees(Part.NOISE, first.measured, first.expected, because)


def _measured(lab: Lab, at: Point, rounds: int = ROUNDS, slope: float = 0.0) -> Noise:
    """slope: of a coordinate beside those whose noise is measured."""
    assert lab.listing.deviation is not None
    moves = _move_beside(lab, at, rounds, slope) if slope else _move_without_gradients(lab, at, rounds)
    expected = lab.listing.deviation(at) * lab.listing.server(at)
    expected *= abs(lab.found.server(at))
    return Noise(values=at.values, moves=moves, expected=expected)


def _move_without_gradients(lab: Lab, at: Point, rounds: int) -> Floats:
    """Movements of functions that are zero; for code that has no value there, of coordinates without slope.

    An update that is divided by its length is 0/0 at zero, where the listing does not define it either.
    """
    try:
        states = lab.states(instance(np.zeros((at.n, at.d))), at, rounds=rounds)
    except NotFinite:
        return _move_beside(lab, at, rounds, 1.0)
    moved: Floats = states[:-1] - states[1:]
    return moved


def _move_beside(lab: Lab, at: Point, rounds: int, slope: float) -> Floats:
    """Movements of the coordinates beside one that has this slope."""
    place = at.d // 2  # not the last coordinate, which code may treat otherwise by mistake
    slopes = np.zeros((at.n, at.d + 1))
    slopes[:, place] = slope
    states = lab.states(instance(slopes), replace(at, d=at.d + 1), rounds=rounds)
    moved: Floats = -np.diff(np.delete(states, place, axis=1), axis=0)
    return moved


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sampled:
    """Noise of rounds in which some of the clients take part, and how many have come."""

    values: Mapping[str, float]
    moves: Floats
    expected: float
    came: Floats

    def of_rounds(self, chosen: Any) -> Noise:
        return Noise(values=self.values, moves=self.moves[chosen], expected=self.expected)

    def split_by_number(self) -> list[Noise]:
        """As `by_number`, apart: together, rounds of few and of many clients make up for each other."""
        numbers = range(1, int(self.came.max(initial=0)) + 1)
        chosen = [self.came == number for number in numbers]
        rounds = [
            replace(self, moves=self.moves[rows], came=self.came[rows]) for rows in chosen if rows.any()
        ]
        return [one.by_number("clients") for one in rounds]

    def by_number(self, placement: str | None) -> Noise:
        """Divided by its deviation given the number of clients, if they add it."""
        if placement != "clients":
            return self.of_rounds(self.came >= 0)
        some = self.of_rounds(self.came > 0)
        scale = np.sqrt(self.came[self.came > 0] / self.values["r"])
        return Noise(values=some.values, moves=some.moves / scale[:, None], expected=some.expected)


def _measure_sampled_noise(lab: Lab) -> Sampled | None:
    """Noise when some of the clients take part.

    Large orthogonal gradients show who takes part; the noise is that of the other coordinates.
    """
    if lab.found.placement is None or not lab.found.divisor_agrees:
        return None
    at = lab.listing.point(n=CLIENTS, r=WANTED, d=CLIENTS + DIMENSION, sigma=0.01, C=3.0, E=2)
    slopes = np.eye(CLIENTS, at.d) * 2.0
    unit = abs(lab.alone(slopes[0], at, 1)[0]) / at.r
    states = lab.states(instance(slopes), at, rounds=ROUNDS)
    moves = states[:-1] - states[1:]
    came = (np.abs(moves[:, :CLIENTS]) > unit / 4).sum(axis=1)
    assert lab.listing.deviation is not None
    expected = lab.listing.deviation(at) * lab.listing.server(at) * abs(lab.found.server(at))
    return Sampled(values=at.values, moves=moves[:, CLIENTS:], expected=expected, came=came)


def _is_of_wanted(lab: Lab, seen: list[Noise], sampled: Sampled) -> bool:
    """Whether noise of the clients has the same size in every round in which someone has come."""
    if lab.found.placement != "clients" or wrong_size(seen) is not None:
        return False
    some = sampled.of_rounds(sampled.came > 0)
    return wrong_size(sampled.split_by_number()) is not None and not _is_wrong(some)


def _is_of_number(lab: Lab, seen: list[Noise], sampled: Sampled) -> bool:
    """Whether noise is right if all clients come, and Gaussian of wrong sizes if some of them do."""
    if lab.found.placement != "clients" or any(_is_wrong(noise) for noise in seen):
        return False
    apart = [by_itself(noise) for noise in sampled.split_by_number()]
    together = by_itself(sampled.by_number("clients"))
    return wrong_law([together]) is not None and wrong_law(apart) is None


def _spread_with_slope(lab: Lab, at: Point, slope: float, curvature: float = 0.0) -> float:
    """How far runs are apart by noise that only functions with a slope have; 0 without such noise."""
    shown = instance(np.full((at.n, at.d), slope), curvature)
    ends = np.array([lab.movement(shown, at) for _ in range(3)])
    return 0.0 if is_near(ends, ends[0]) else float(np.ptp(ends, axis=0).mean())


def _is_wrong(noise: Noise) -> bool:
    return wrong_size([noise]) is not None or wrong_law([noise]) is not None


def _is_bounded(listing: Listing, seen: list[Noise]) -> Observation | None:
    """Noise that is added before the update is bounded moves the state by no more than the threshold."""
    if listing.bounding == "none":
        return None
    small = seen[1]
    assert listing.deviation is not None
    at = Point(**small.values)  # type: ignore[arg-type]  # its own values
    most = small.expected / listing.deviation(at) * at.C
    lengths = np.linalg.norm(small.moves, axis=1)
    if lengths.max() <= most * (1 + ROUNDING) and small.expected * np.sqrt(DIMENSION) > 3 * most:
        because = f"{BECAUSE}: no movement exceeds the threshold"
        return differs(Part.NOISE, small.measured, small.expected, because, "noise_bounded")
    return None


def _observe_deviation(lab: Lab, seen: list[Noise]) -> Observation:
    """The observation of noise whose size has another law than it should."""
    shape = wrong_law([by_itself(noise) for noise in seen[:2]])
    if shape is not None and shape.slip == "noise_law":
        return _other(seen, name_law(seen[:2], shape.slip))
    slip = name_size(seen, slip_of(seen, _known(lab)))
    if isinstance(slip, Slip) and slip.name == "n_for_r" and lab.found.placement == "server":
        return _other(seen, "noise_of_absent")
    if fits(seen[:2], lambda v: float(np.sqrt(v["r"]))) and _is_common(lab):
        return _other(seen, "noise_common")
    return _differs(seen, slip)


def _other(seen: list[Noise], slip: Slip | str) -> Observation:
    return differs(Part.NOISE, seen[0].measured, seen[0].expected, BECAUSE, slip)


def _is_common(lab: Lab) -> bool:
    """Whether clients add one common vector: its sum over m clients has m^2 times the variance, not m.

    With 3 clients of which 1 is wanted the deviation is then sqrt(5/3) times the listing's, and once if the
    factor of r is wrong. The halfway point is 5 standard errors from either.
    """
    noise = _measured(lab, lab.listing.point(n=3, r=1, d=DIMENSION, sigma=0.6, C=3.0))
    if lab.found.law != "independent":
        return _is_common_to_all(noise)
    ratio = noise.measured / noise.expected
    return bool(abs(ratio - np.sqrt(5 / 3)) < abs(ratio - 1))


def _is_common_to_all(noise: Noise) -> bool:
    """In the rounds in which all three come, or none: 3 times the deviation of one, and not sqrt(3) times."""
    moves = noise.moves[noise.moves.any(axis=1)]
    ratio = float(np.sqrt((moves**2).mean())) / noise.expected if len(moves) else 0.0
    return bool(ratio > (3 + np.sqrt(3)) / 2)


def _is_scaled_by_weights(lab: Lab, seen: list[Noise]) -> bool:
    """Whether a wrong average, which has its own verdict, explains the noise: it scales both alike."""
    weights = lab.found.weights
    if weights is None:
        return False
    factor = float(np.sqrt((weights**2).sum() * len(weights)))
    if is_near(factor, 1.0):
        return False
    return fits(seen[:1], lambda v: factor) and fits(seen[1:2], lambda v: 1.0)


def _differs(seen: list[Noise], slip: Slip | str | None) -> Observation:
    """Noise of another size: every theorem on the listing holds with the size that the code has."""
    if isinstance(slip, str) or (slip is not None and not slip.factor(seen[0].values)):
        return _other(seen, slip)
    wrong = differs(Part.NOISE, seen[0].measured, seen[0].expected, BECAUSE, slip, other_size(seen, "sigma"))
    return name_ratio(wrong)


def read_placement(lab: Lab) -> str:
    """Where noise is added: at the clients, a round without clients has none."""
    if lab.found.law != "independent":
        return "where it is added cannot be seen: every round has as many clients"
    at = lab.listing.point(n=3, r=1, d=3, sigma=0.6, C=3.0)
    moves = np.abs(_move_without_gradients(lab, at, 120))  # iterates that are made from means are rounded
    still = (moves <= ROUNDING).all(axis=1).any()
    lab.found.placement = "clients" if still else "server"
    return f"added at the {lab.found.placement}"
