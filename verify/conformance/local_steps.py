"""Number and size of local steps, from one round of one client with several curvatures.

With curvature h the client moves by slope (1 - (1 - eta h)^E)/h. Over the movement where h = 0 this is
(1 - (1 - eta h)^E)/(E eta h), whatever is multiplied, normalized or clipped afterwards: E and eta follow.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.instance import instance
from verify.conformance.lab import Lab, is_near
from verify.conformance.listing import Part, Point, length, scaled
from verify.conformance.local_rules import Shown, explained_by
from verify.conformance.other_movements import is_turned, read_other_movement
from verify.conformance.regimes import find_bound
from verify.conformance.slips import COUNTS, LOCAL_STEPS, OTHERS
from verify.conformance.verdict import Observation, Verdict, agrees, differs

CURVATURES = np.array([0.0, 0.15, 0.3, 0.5, 0.8])
MANY = 1e6  # a threshold that clips nothing
SHORT = 0.01  # of a gradient, which no bound on gradients of usual length changes
BELOW = 0.7  # a threshold below the length of one gradient
MORE = 8  # data points of a client, which has 3 elsewhere
OF_DATA = ("epochs", "data")
Fit = tuple[int, float]


def read_local_steps(lab: Lab) -> tuple[list[Observation], Sequence[Fit] | None]:
    """The observations of count and step, and both as fitted at every point."""
    threshold = MANY if lab.listing.bounding == "clip" else 2.9
    points = [
        lab.listing.point(C=threshold),
        lab.listing.point(E=5, eta=0.07, beta=1.3, C=threshold),
        lab.listing.point(E=1, eta=0.21, beta=0.55, C=threshold),
    ]
    shares = [_shares(lab, at) for at in points]
    fits = [fit_of(one, at) for one, at in zip(shares, points, strict=True)]
    size = instance(CURVATURES).sizes[0]
    known = [fit for fit in fits if fit is not None]
    if len(known) < len(fits):
        found = read_other_movement(lab, points[0])
        if found:
            return found, None
        other = _observe_rule(lab, points, shares)
        if other.slip is None and lab.listing.bounding == "normalize" and is_turned(lab, points[0]):
            return [], None  # the experiment of the update tells how it is normalized
        return [other], None
    counts = [count for count, _ in known]
    asked = [at.E for at in points]
    count = _observe_count(points, counts, asked, size)
    if (
        count.verdict is Verdict.DIFFERS
        and count.slip not in OF_DATA
        and _follows_data(lab, points[0], known[0])
    ):
        count = replace(count, cause=OTHERS["batches"], slip="batches")
    step = _observe_step(points, known)
    if step.verdict is Verdict.DIFFERS and step.slip is None and _follows_data(lab, points[0], known[0]):
        step = replace(step, cause=OTHERS["step_of_data"], slip="step_of_data")
    return [count, step], known


def _follows_data(lab: Lab, at: Point, before: Fit) -> bool:
    """Whether a client with more data points makes other local steps, in number or in size."""
    fit = fit_of(_shares(lab, at, sizes=(MORE,)), at)
    return fit is not None and not is_near(fit, before)


def _observe_rule(lab: Lab, points: Sequence[Point], shares: Sequence[Floats]) -> Observation:
    """Local steps that are no gradient steps, with the rule that they follow if it is known."""
    seen = []
    for at, share in zip(points, shares, strict=True):
        h = CURVATURES / (at.eta * at.E)
        seen.append(Shown(at=at, curvatures=h, center=instance(h).center, shares=share))
    because = "no number of gradient steps gives the movement on functions with curvature"
    rule = explained_by(seen)
    if rule is None:
        bound = find_bound(lab)
        slip = None if bound == "update_bounded" else bound
        return differs(Part.LOCAL_STEP, "another movement", "E gradient steps", because, slip)
    name, constant = rule
    if name == "gradient_normalized" and fit_of(_shares(lab, points[0], SHORT), points[0]) is not None:
        name = "gradient_bounded"  # the same where every gradient is longer than the bound
    measured = f"constant {constant:.6g}" if constant else "another movement"
    return differs(Part.LOCAL_STEP, measured, "E gradient steps", because, name)


def changes_path(lab: Lab) -> bool:
    """Whether a threshold below one gradient's length changes the direction of the movement."""
    at = lab.listing.point(C=MANY)
    return not is_near(_shares(lab, at), _shares(lab, replace(at, C=BELOW)))


def is_projected(lab: Lab) -> bool:
    """Whether the path under a small threshold is that of models kept within C of the start in every step."""
    at = lab.listing.point(C=BELOW)
    h = CURVATURES / (at.eta * at.E)
    y = np.zeros_like(h)
    for _ in range(at.E):
        y = scaled(y - at.eta * (1 + h * y), at.C * at.eta / length(y - at.eta * (1 + h * y)))
    return is_near(_shares(lab, at), y / y[0])


def _shares(lab: Lab, at: Point, size: float = 1.0, sizes: tuple[int, ...] | None = None) -> Floats:
    h = CURVATURES / (at.eta * at.E)
    moved = lab.movement(instance(np.full_like(h, size), h, sizes), at)
    with np.errstate(all="ignore"):
        shares: Floats = moved / moved[0] if moved.any() else moved
    return shares


def fit_of(shares: Floats, at: Point) -> Fit | None:
    """The count and the step; a single step has no visible curvature, and counts as of the right size."""
    if not shares.any():
        return 0, at.eta
    if is_near(shares, np.ones_like(shares)):
        return 1, at.eta
    h = CURVATURES / (at.eta * at.E)
    for count in range(2, 4 * at.E + 4):
        step = _step_of(shares[1], float(h[1]), count)
        if step is not None and is_near(_predicted(step * h[1:], count), shares[1:], 10.0):
            return count, step
    return None


def _predicted(z: Floats, count: int) -> Floats:
    share: Floats = (1 - (1 - z) ** count) / (count * z)
    return share


def _step_of(share: float, h: float, count: int) -> float | None:
    """The step for which the movement along curvature h has this share, by halving: it falls from 1."""
    low, high = 0.0, 1.0
    if not _predicted(np.array([1.0]), count)[0] < share < 1:
        return None
    for _ in range(200):
        middle = (low + high) / 2
        if _predicted(np.array([middle]), count)[0] > share:
            low = middle
        else:
            high = middle
    return low / h


def _observe_count(
    points: Sequence[Point], counts: Sequence[int], asked: Sequence[int], size: int
) -> Observation:
    because = f"local_steps {', '.join(map(str, asked))} on functions with curvature"
    if list(counts) == list(asked):
        return agrees(Part.LOCAL_COUNT, list(counts), list(asked), because)
    difference = differs(Part.LOCAL_COUNT, list(counts), list(asked), because)
    for name, cause, formula in COUNTS:
        wanted = [int(formula(at, size)) for at in points]
        if wanted == list(counts):
            return replace(difference, cause=cause, slip=name)
    return difference


def _observe_step(points: Sequence[Point], fits: Sequence[Fit]) -> Observation:
    visible = [(at, step) for at, (count, step) in zip(points, fits, strict=True) if count > 1]
    if not visible:
        because = (
            "a single step along the gradient shows no curvature; see the lines of update and server step"
        )
        return agrees(Part.LOCAL_STEP, None, None, because)
    at, step = visible[0]
    because = "fitted on functions with curvature"
    if all(is_near(step / at.eta, 1.0) for at, step in visible):
        return agrees(Part.LOCAL_STEP, step, at.eta, because)
    for slip in LOCAL_STEPS:
        if all(is_near(step / at.eta, slip.factor(at.values)) for at, step in visible):
            return differs(Part.LOCAL_STEP, step, at.eta, because, slip)
    return differs(Part.LOCAL_STEP, step, at.eta, because)
