"""The average over clients that all take part, and where each of them starts.

The unit is what the code does with one client alone, so nothing here depends on the other lines.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from synthetic.engine.randomness import Floats
from synthetic.errors import NotFinite
from verify.conformance.instance import instance
from verify.conformance.lab import ROUNDING, Lab, is_near
from verify.conformance.listing import Part, Point, length
from verify.conformance.other_averages import find_added_up, find_uneven_average
from verify.conformance.slips import WEIGHTS, Slip
from verify.conformance.verdict import Observation, agrees, differs

LENGTHS = (0.6, 3.0, 10.0, 1.4)  # of the updates, over the threshold
OWN_SLOPES = np.array([[0.7, -0.2, 0.4], [-0.3, 0.9, 0.2]])
OWN_CURVATURES = np.array([[0.9, 0.3, 1.4], [0.2, 1.1, 0.5]])
STEEP, BEND = 3.0, 0.4  # slopes of two clients, and a curvature times the local step
TURNS = 6  # runs: a random order hides who goes on from whom in all of them with probability below 1e-3
ORDERS = 12  # runs: two orders are the same in all of them with probability below 1e-3
MANY = 1e6  # a threshold that clips nothing
SIZE = 3  # data points of a client that stands for several
SLOPES = np.array(
    [
        [0.7, 0.2, -0.1, 0.4, 0.1, 0.3],
        [-0.2, 0.9, 0.3, 0.1, 0.2, -0.1],
        [0.1, -0.3, 0.8, -0.2, 0.3, 0.2],
        [0.2, 0.1, -0.2, 0.1, 0.9, 0.4],
    ]
)


def read_local_start(lab: Lab) -> Observation:
    """Two clients; curvature of one along the other's slope changes nothing if both start at w_k."""
    at = lab.listing.point(E=2, n=2, r=2, C=50.0)
    slopes = np.eye(2, 5) * STEEP
    straight = lab.movement(instance(slopes), at)
    three = lab.listing.point(E=2, n=3, r=3, C=50.0)  # weights by halves are equal for two
    for point, rows in ((at, slopes), (three, np.eye(3, 5) * STEEP)):
        if (ordered := _find_order(lab, point, rows)) is not None:
            return ordered
    because = "two clients, one with curvature along the other's gradient"
    for bent in (0, 1):
        curvatures = np.zeros((2, 5))
        curvatures[bent, 1 - bent] = BEND / at.eta
        moves = (lab.movement(instance(slopes, curvatures), at) for _ in range(TURNS))
        moved = next((move for move in moves if not is_near(move, straight)), None)
        if moved is not None:
            # if everyone takes part, the mean gradient and an average after every step are one thing
            if lab.listing.law != "full" and _uses_mean_gradient(lab, at):
                right = "the gradient of the client"
                return differs(Part.LOCAL_STEP, "the mean gradient", right, because, "mean_gradient")
            measured = length(moved - straight)
            slip = "averaged_steps" if _is_averaged(lab, at, bent, moved - straight) else "chained"
            slip = "one_model" if slip == "chained" and _is_one_model(lab, at, slopes, straight) else slip
            return differs(Part.LOCAL_START, measured, 0.0, because, slip)
    return _find_own_models(lab, at) or agrees(Part.LOCAL_START, 0.0, 0.0, because)


def _is_one_model(lab: Lab, at: Point, slopes: Floats, straight: Floats) -> bool:
    """Whether all clients send where the last one has ended: the sum of what each would move alone."""
    pairs = zip(slopes, instance(slopes).sizes, strict=True)
    return is_near(straight, np.sum([lab.alone(slope, at, size) for slope, size in pairs], axis=0))


def _find_order(lab: Lab, at: Point, slopes: Floats) -> Observation | None:
    """Weights with one sum that change from run to run, with the order that clients are drawn in.

    Clients that go on from one another give a sum above 1.
    """
    moves = np.array([lab.movement(instance(slopes), at) for _ in range(ORDERS)])
    alone = [lab.alone(slope, at, size) for slope, size in zip(slopes, instance(slopes).sizes, strict=True)]
    weights = moves[:, : at.n] / np.diag(np.array(alone)[:, : at.n])
    sums = weights.sum(axis=1)
    if is_near(weights, weights[0]) or not is_near(sums, sums[0]) or sums[0] > 1 + ROUNDING:
        return None
    because = f"{ORDERS} runs of {at.n} clients that all take part"
    measured = f"{weights.min():.4g} to {weights.max():.4g}"
    return differs(Part.AVERAGE, measured, 1 / at.n, because, "ordered")


def _is_averaged(lab: Lab, at: Point, bent: int, apart: Floats) -> bool:
    """Whether the second gradient of two is taken where the average of the first steps has led."""
    along = BEND * STEEP / 2 / at.r  # the curvature times half of the other's step, and a client's share
    expected = lab.listing.update(at) * lab.found.server(at) * lab.listing.server(at) * along
    return is_near(abs(apart[1 - bent]), abs(expected))


def _uses_mean_gradient(lab: Lab, at: Point) -> bool:
    """Whether a round of one client, of two, moves along the gradients of both."""
    moves = np.diff(lab.states(instance(np.eye(2, 5) * STEEP), replace(at, E=1, r=1), rounds=16), axis=0)
    moves = moves[moves.any(axis=1)]
    return bool(len(moves)) and is_near(moves[:, 0], moves[:, 1])


def _find_own_models(lab: Lab, at: Point) -> Observation | None:
    """Three rounds of two clients, then each round as a run of its own.

    A difference shows that clients keep something from round to round.
    """
    shown = instance(OWN_SLOPES, OWN_CURVATURES)
    states = lab.states(shown, at, rounds=3)
    again = np.array([lab.states(shown, at, start=state)[1] for state in states[:-1]])
    if is_near(states[1:], again, np.abs(states[-1] - states[0]).max()):
        return None
    one = replace(at, n=1, r=1)
    alone = [
        lab.states(instance(*pair), one, rounds=3) for pair in zip(OWN_SLOPES, OWN_CURVATURES, strict=True)
    ]
    slip = "own_model" if is_near(states, np.mean(alone, axis=0)) else None
    slip = "some_stale" if slip is None and _is_stale_for_some(lab, one, states) else slip
    because = "three rounds of two clients with curved functions, and each of them as a run of its own"
    measured, expected = length(states[2] - states[1]), length(again[1] - states[1])
    return differs(Part.LOCAL_START, measured, expected, because, slip)


def _is_stale_for_some(lab: Lab, one: Point, states: Floats) -> bool:
    """Whether one of the two clients moves, or ends, as from the state of the round before."""
    pairs = list(zip(OWN_SLOPES, OWN_CURVATURES, strict=True))
    before = np.vstack([states[:1], states[:-2]])
    for stale in (0, 1):
        starts = [before if i == stale else states[:-1] for i in (0, 1)]
        ends = np.array(
            [
                [lab.states(instance(*pair), one, start=begin)[1] for begin in rows]
                for pair, rows in zip(pairs, starts, strict=True)
            ]
        )
        moves = ends - np.array(starts)
        if is_near(states[1:], ends.mean(axis=0)) or is_near(states[1:], states[:-1] + moves.mean(axis=0)):
            return True
    return False


def read_average(lab: Lab) -> Observation:
    """The weights of all clients in the average; 1/r each, whatever their data sizes."""
    points = [lab.listing.point(n=n, r=n, E=2, d=6) for n in (3, 4)]
    because = "three, then four clients of different data sizes that all take part"
    found = [_weights(lab, at, _slopes(at)) for at in points]
    uniform = all(weights is not None and is_near(weights, weights[0]) for weights in found)
    if not uniform and all(_is_bounded_average(lab, at) for at in points):
        right = "average of bounded updates"
        return differs(Part.BOUNDING, "bounded average", right, because, "averaged_first")
    if not uniform and all(_is_divided_first(lab, at) for at in points):
        return differs(Part.AVERAGE, "sum of bounded shares", "(1/r) times the sum", because, "divided_first")
    if (
        not uniform
        and lab.listing.bounding != "none"
        and all(_is_bounded_in_common(lab, at) for at in points)
    ):
        right = "bounded by its own length"
        return differs(Part.BOUNDING, "bounded in common", right, because, "bound_in_common")
    if not uniform and (added_up := find_added_up(lab, points[-1], _slopes(points[-1]))) is not None:
        return added_up
    if any(weights is None for weights in found):
        unnamed = differs(Part.AVERAGE, "no weighted sum", "(1/r) times the sum", because)
        return find_uneven_average(lab) or _find_scale(lab, points[0]) or unnamed
    weights = [w for w in found if w is not None]
    lab.found.weights = weights[-1]
    at, last = points[-1], weights[-1]
    if all(is_near(w * len(w), 1.0) for w in weights):
        return agrees(Part.AVERAGE, float(last[0]), 1 / at.r, because)
    measured = [float(weight) for weight in last]
    shown = measured[0] if is_near(last, last[0]) else measured
    expected = 1 / at.r if isinstance(shown, float) else [1 / at.r] * at.r
    return differs(Part.AVERAGE, shown, expected, because, _name_weights(weights, points))


def _name_weights(weights: Sequence[Floats], points: Sequence[Point]) -> Slip | str | None:
    """The slip that gives these weights at every point."""
    for slip in WEIGHTS:
        if all(is_near(w * len(w), _factors(slip, at)) for w, at in zip(weights, points, strict=True)):
            return slip
    if all(is_near(w, _halves(len(w))) for w in weights):
        return "pairwise"
    if all(np.count_nonzero(np.abs(w) > ROUNDING * np.abs(w).max()) == 1 for w in weights):
        return "one_client"
    if is_near(np.concatenate(weights), weights[0][0]):
        return _divide_by_constant(float(1 / weights[0][0]))
    if all(_are_rounded(w) for w in weights):
        return "weights_rounded"
    by_size = [w / np.array(instance(_slopes(at)).sizes) for w, at in zip(weights, points, strict=True)]
    return "data_sizes_apart" if all(is_near(w, w[0]) for w in by_size) else None


def _divide_by_constant(divisor: float) -> Slip:
    cause = f"the sum is divided by {divisor:.6g}, however many clients there are"
    return Slip(
        name="constant_divisor", part=Part.AVERAGE, cause=cause, factor=lambda v: float(v["r"] / divisor)
    )


def _find_scale(lab: Lab, at: Point) -> Observation | None:
    """Models of three clients whose weights do not add up to 1, although those of two may."""
    try:
        before, after = lab.states(instance(np.zeros((at.n, at.d))), at)
    except NotFinite:  # zero has no direction
        return None
    if is_near(after, before) or not is_near(after / before, after[0] / before[0]):
        return None
    because = f"{at.n} clients with functions that are zero, all of which take part"
    return differs(Part.AVERAGE, float(after[0] / before[0]), 1.0, because, "scaled_model")


def _are_rounded(weights: Floats) -> bool:
    """Whether all weights are 1/r in fewer digits."""
    right = np.array(1 / len(weights))
    return any(is_near(weights, float(right.astype(kind))) for kind in (np.float32, np.float16))


def is_average(lab: Lab, directions: Sequence[Floats]) -> bool:
    """Whether clients with these slopes move the state by the mean of what each of them moves it alone."""
    at = lab.listing.point(n=len(directions), r=len(directions))
    shown = instance(np.array(directions) * at.C)
    alone = [lab.alone(slope, at, size) for slope, size in zip(shown.slopes, shown.sizes, strict=True)]
    return is_near(lab.movement(shown, at), np.mean(alone, axis=0))


def _halves(clients: int) -> Floats:
    """The weights after (mean + next)/2, ..., from the first to the last client."""
    weights: Floats = 0.5 ** np.arange(clients, 0.0, -1)
    weights[0] *= 2
    return weights


def _slopes(at: Point) -> Floats:
    lengths = np.array(LENGTHS[: at.n]) * at.C / at.E
    table = SLOPES[: at.n]
    slopes: Floats = table / np.linalg.norm(table, axis=1)[:, None] * lengths[:, None]
    return slopes


def _is_bounded_in_common(lab: Lab, at: Point) -> bool:
    """Whether the average is right where no threshold binds, or of updates that are all of one length.

    Updates that are normalized in common are shorter there, all by one factor.
    """
    slopes, unbounded = _slopes(at), replace(at, C=MANY)
    equal = _weights(lab, unbounded, slopes / np.linalg.norm(slopes, axis=1)[:, None])
    if lab.listing.bounding == "normalize":
        return equal is not None and is_near(equal, equal[0])
    found = (_weights(lab, unbounded, slopes), equal)
    return any(weights is not None and is_near(weights * len(weights), 1.0) for weights in found)


def _weights(lab: Lab, at: Point, slopes: Floats) -> Floats | None:
    shown = instance(slopes)
    units = np.array([lab.alone(slope, at, size) for slope, size in zip(slopes, shown.sizes, strict=True)])
    moved = lab.movement(shown, at)
    weights: Floats = np.linalg.lstsq(units.T, moved, rcond=None)[0]
    return weights if is_near(weights @ units, moved) else None


def _is_bounded_average(lab: Lab, at: Point) -> bool:
    slopes = _slopes(at)
    moved = lab.movement(instance(slopes), at)
    averaged = lab.alone(slopes.mean(axis=0), at, SIZE)
    summed = lab.alone(slopes.sum(axis=0), at, SIZE) / at.r
    return is_near(moved, averaged) or is_near(moved, summed)


def _is_divided_first(lab: Lab, at: Point) -> bool:
    slopes = _slopes(at)
    pairs = zip(slopes, instance(slopes).sizes, strict=True)
    shares = [lab.alone(slope / at.r, at, size) for slope, size in pairs]
    return is_near(lab.movement(instance(slopes), at), np.sum(shares, axis=0))


def _factors(slip: Slip, at: Point) -> Floats:
    sizes = instance(_slopes(at)).sizes
    each = [slip.factor({**at.values, "N": size, "N_total": sum(sizes)}) for size in sizes]
    return np.array(each)
