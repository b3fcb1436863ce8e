"""Sums over clients that are no weighted mean of what each of them sends, by name.

The unit is what the code does with one client alone, as in `verify.conformance.average`.
"""

from collections.abc import Sequence

import numpy as np

from synthetic.engine.randomness import Floats
from synthetic.errors import NotFinite
from verify.conformance.instance import instance
from verify.conformance.lab import Lab, is_near
from verify.conformance.listing import Part, Point
from verify.conformance.verdict import Observation, differs

MANY = 1e6  # a threshold that clips nothing
RUNS = 4  # whose order of the clients may be another each time
# no two clients have slopes of one direction, and no slope is zero
ROWS = np.array(
    [[0.7, 0.2, -0.1, 0.4, 0.1, 0.3], [-0.2, 0.9, 0.3, 0.1, 0.2, -0.1], [0.1, -0.3, 0.8, -0.2, 0.3, 0.2]]
)


def find_uneven_average(lab: Lab) -> Observation | None:
    """Clients that have other weights in some coordinates than in others, as where a layer is apart.

    One client of three has a slope; how its movement is shared among the coordinates is its weight in each.
    """
    try:
        return _find_uneven(lab)
    except NotFinite:  # zero has no direction
        return None


def _find_uneven(lab: Lab) -> Observation | None:
    n = len(ROWS)
    at = lab.listing.point(n=n, r=n, d=ROWS.shape[1], C=MANY)
    sizes = instance(ROWS).sizes
    still = lab.movement(instance(0 * ROWS), at)
    if not is_near(still, 0 * still, 1.0):  # weights of whole models that do not add up to 1
        return None
    for i, (slope, size) in enumerate(zip(ROWS, sizes, strict=True)):
        alone = lab.alone(slope, at, size)
        if not alone.all():
            return None
        shown = instance(np.where(np.arange(n)[:, None] == i, ROWS, 0.0))
        weights = np.array([lab.movement(shown, at) for _ in range(RUNS)]) / alone
        apart = weights[int(np.ptp(weights, axis=1).argmax())]
        if not is_near(apart, apart[0], 1.0):
            measured = f"{apart.min():.4g} to {apart.max():.4g} of one client"
            because = (
                f"{n} clients that all take part, one of them with a slope: its weight in each coordinate"
            )
            return differs(Part.AVERAGE, measured, "one weight", because, "uneven_average")
    return None


def find_added_up(lab: Lab, at: Point, slopes: Floats) -> Observation | None:
    """Updates that grow from client to client, as where a buffer is not emptied between them."""
    shown = instance(slopes)
    moved = lab.movement(shown, at)
    orders: Sequence[slice] = (slice(None), slice(None, None, -1))
    for order in orders:
        sums = np.cumsum(slopes[order], axis=0)
        sent = [lab.alone(one, at, size) for one, size in zip(sums, shown.sizes, strict=True)]
        if is_near(moved, np.mean(sent, axis=0)):
            part = Part.UPDATE if lab.listing.line(Part.UPDATE) else Part.AVERAGE
            because = (
                f"{at.n} clients that all take part: each adds the updates of those before it to its own"
            )
            return differs(part, "a sum of updates", "the client's own", because, "updates_add_up")
    return None
