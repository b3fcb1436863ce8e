"""Movements of one client with linear functions, and what the code's own local steps make of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.bounding import Bounding
from verify.conformance.instance import instance
from verify.conformance.lab import Lab, is_near
from verify.conformance.listing import Listing, Point, length
from verify.conformance.slips import COUNTS, LOCAL_STEPS, Slip

DIRECTION = np.array([0.61, -0.35, 0.48, 0.13, 0.5])
OTHER = np.array([0.2, -0.1, 0.3, 0.7, -0.55])  # whose first coordinates are not the large ones
LENGTHS = (0.2, 0.9, 1.2, 4.0, 60.0)  # of the update, over the threshold
Fits = Sequence[tuple[int, float]]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A movement, and the update that the code's own local steps make."""

    at: Point
    update: Floats
    steps: int
    moved: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    update: Slip | None
    bounding: str
    bound: Bounding
    server: Slip | None
    reuses_gradient: bool  # whether every local step used the gradient at the start

    def slips(self, listing: Listing) -> float:
        factors = (self.update is not None) + (self.server is not None)
        # a kept gradient explains the count beside; of two explanations the one by factors is the plainer
        return factors + 1.1 * (self.bounding != listing.bounding) + 0.5 * self.reuses_gradient

    def predicts(self, listing: Listing, seen: Seen) -> Floats:
        at, u = seen.at, seen.update * listing.update(seen.at)
        steps = at.E if self.reuses_gradient else seen.steps
        u = u * (at.E if self.reuses_gradient else 1.0)
        if self.update is not None:
            u = u * self.update.factor(at.values)
        bounded = self.bound.value(u, at, u / steps) if u.any() else u
        beta = listing.server(at) * (1.0 if self.server is None else self.server.factor(at.values))
        return bounded * beta


def measure_updates(lab: Lab, fits: Fits | None) -> list[Seen]:
    points = [
        lab.listing.point(),
        lab.listing.point(E=2, eta=0.3, beta=1.7, C=0.45),
        lab.listing.point(E=5, eta=0.05, beta=0.35, C=7.0),
    ]
    directions = (DIRECTION, OTHER, DIRECTION)
    pairs = zip(points, directions, strict=True)
    return [see_update(lab, fits, at, ratio, along) for at, along in pairs for ratio in LENGTHS]


def see_update(lab: Lab, fits: Fits | None, at: Point, ratio: float, along: Floats = DIRECTION) -> Seen:
    """The movement of one client whose update, over the threshold, has this length."""
    steps, factor = _local(lab.listing, fits, at)
    slope = along / length(along) * ratio * at.C / at.E
    moved = lab.movement(instance(slope), at)
    return Seen(at=at, update=slope * steps * factor, steps=steps, moved=moved)


def _local(listing: Listing, fits: Fits | None, at: Point) -> tuple[int, float]:
    """The code's own number of steps at this point, and its local step over eta, as its fits have them."""
    if fits is None or not listing.several_steps:
        return at.E, 1.0
    count_slip = _count_at(fits, at)
    factors = _factor_at(fits, at)
    return count_slip, factors


def _count_at(fits: Fits, at: Point) -> int:
    asked, counts, size = (3, 5, 1), tuple(count for count, _ in fits), instance(DIRECTION).sizes[0]
    if counts == asked:
        return at.E
    for _, _, formula in COUNTS:
        points = [replace(at, E=E) for E in asked]
        if tuple(int(formula(point, size)) for point in points) == counts:
            return int(formula(at, size))
    return at.E


def _factor_at(fits: Fits, at: Point) -> float:
    known = ({"eta": 0.13, "E": 3, "beta": 0.8}, {"eta": 0.07, "E": 5, "beta": 1.3})
    pairs = [(v, step) for v, (count, step) in zip(known, fits, strict=False) if count > 1]
    if not pairs or all(is_near(step / v["eta"], 1.0) for v, step in pairs):
        return 1.0
    for slip in LOCAL_STEPS:
        if all(is_near(step / v["eta"], slip.factor(v)) for v, step in pairs):
            return slip.factor(at.values)
    return pairs[0][1] / pairs[0][0]["eta"]
