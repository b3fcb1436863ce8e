"""Movements that are no gradient steps because of another line than that of the local step.

Each is told by linear functions, on which gradient steps go straight, or by functions that are zero.
"""

from dataclasses import replace

import numpy as np

from synthetic.engine.randomness import Floats
from synthetic.errors import NotFinite
from verify.conformance.instance import Instance, instance
from verify.conformance.lab import Lab, is_near
from verify.conformance.listing import Part, Point, length
from verify.conformance.verdict import Observation, differs

SLOPE = np.array([0.61, -0.35, 0.48, 0.13, 0.5])
OTHER = np.array([0.2, -0.1, 0.3, 0.7, -0.55])
EQUAL = 1e-5  # of the largest: sizes of coordinates that a small constant in a divisor leaves apart
SAMPLED, ROUNDS = 6, 8
FAR = 1e6  # times the start, or the slope, of the other experiments
ALIKE = 1e-3  # of a decay's shares: their rounding is a part of their size if the decay is small
MANY = 1e6  # a threshold that clips nothing
SHORT = 1e-3  # a threshold that clips everything
BENDS = np.array([0.1, 0.5, 0.2, 0.7, 0.35])  # curvatures, times the steps


def server_part(lab: Lab) -> Part:
    """The line of the server: its step, or the average where the listing has no step."""
    return Part.SERVER_STEP if lab.listing.line(Part.SERVER_STEP) else Part.AVERAGE


def read_still(lab: Lab) -> list[Observation]:
    """One client that does not move the state: its steps may come a round late, or it may be left out."""
    at = lab.listing.point(C=2.0)
    first, *later = np.diff(lab.states(instance(SLOPE), at, rounds=3), axis=0)
    because = "three rounds of one client with a linear function"
    if first.any():
        last = not later[-1].any() and not lab.movement(instance(SLOPE), at).any()
        return [differs(server_part(lab), 0.0, length(first), because, "last_round")] if last else []
    if any(move.any() for move in later):
        return [differs(server_part(lab), 0.0, 1.0, because, "late")]
    taken = np.diff(lab.states(instance(np.diag(SLOPE)), replace(at, n=5, r=5), rounds=ROUNDS), axis=0) != 0
    if not taken.any():
        return _read_nobody(lab, at)
    because = "one client alone does not move the state, and some of five do"
    if (taken == taken[0]).all():
        return [differs(Part.AVERAGE, f"{int(taken[0].sum())} of 5", "all", because, "left_out")]
    if lab.listing.line(Part.SAMPLING) is None:
        return []
    return [differs(Part.SAMPLING, "not every client", "every client if r = n", because, "some_clients")]


def _read_nobody(lab: Lab, at: Point) -> list[Observation]:
    """Clients that come if some of them are wanted, and never if all are."""
    if lab.listing.law == "full":
        return []
    some = lab.states(instance(np.diag(SLOPE)), replace(at, n=5, r=2), rounds=ROUNDS)
    if not np.diff(some, axis=0).any():
        return []
    because = f"{ROUNDS} rounds of 5 clients, clients_per_round 5 and then 2"
    return [differs(Part.SAMPLING, "no client", "every client if r = n", because, "nobody")]


def read_other_movement(lab: Lab, at: Point) -> list[Observation]:
    """An optimizer that rescales coordinates, or models whose weights do not add up to 1; else nothing."""
    moved = lab.movement(instance(SLOPE), at)
    if is_adaptive(lab, at):
        other = lab.movement(instance(SLOPE), replace(at, E=at.E + 2, C=at.C / 2))
        at_server = bool(np.allclose(moved, other, rtol=EQUAL))
        part, slip = (server_part(lab), "adaptive") if at_server else (Part.LOCAL_STEP, "adaptive_local")
        because = "a linear function: every coordinate moves by as much, whatever its slope"
        return [differs(part, "equal sizes", "the slopes", because, slip)]
    if is_permuted(lab, at):
        because = "one client with a function that is zero: the coordinates of the start, in another order"
        return [differs(server_part(lab), "another order", "the order of the start", because, "permuted")]
    if added := _read_added(lab, at):
        return added
    scales = [_scale(lab, one) for one in (at, replace(at, E=at.E + 2, eta=at.eta / 2))]
    # local decay depends on the local steps, and on the start where updates are normalized
    scales.append(_scale(lab, at, 2.0))
    if scales[0] != 1 and is_near(scales, scales[0]):
        because = "one client with a function that is zero"
        if lab.listing.line(Part.SERVER_STEP) and is_near(
            1 - _scale(lab, replace(at, beta=2 * at.beta)), 2 * (1 - scales[0])
        ):
            return [differs(Part.SERVER_STEP, scales[0], 1.0, f"{because}, two server steps", "decays")]
        slip = "scaled_model" if scales[0] else "no_model"
        return [differs(Part.AVERAGE, scales[0], 1.0, because, slip)]
    return _read_bounded_state(lab, at) or _read_left_out(lab, moved) or _read_mixed(lab, at)


def _read_added(lab: Lab, at: Point) -> list[Observation]:
    """A vector that moves the state where every gradient is zero, from opposite starts and at other steps."""
    shown = instance(np.zeros(len(SLOPE)))
    other = replace(at, E=at.E + 2, eta=at.eta / 2)
    scenes = ((at, shown.center), (at, -shown.center), (other, shown.center))
    try:
        moves = [lab.states(shown, one, start=begin)[1] - begin for one, begin in scenes]
    except NotFinite:
        return []
    if not moves[0].any() or not is_near(moves, moves[0]):
        return []
    because = "one client with a function that is zero, two starts and two settings"
    return [differs(Part.AVERAGE, length(moves[0]), 0.0, because, "added")]


def _read_bounded_state(lab: Lab, at: Point) -> list[Observation]:
    """A start far away that a function which is zero does not leave where it is, while it leaves others."""
    shown = instance(np.zeros(len(SLOPE)))
    try:
        ends = [lab.states(shown, at, start=begin)[1] - begin for begin in (shown.center, FAR * shown.center)]
    except NotFinite:
        return []
    if ends[0].any() or not ends[1].any():
        return []
    because = f"one client with a function that is zero, and starts {length(FAR * shown.center):.2g} from 0"
    return [differs(server_part(lab), length(ends[1]), 0.0, because, "state_bounded")]


def _read_left_out(lab: Lab, moved: Floats) -> list[Observation]:
    """Some coordinates of the update, the short ones as a rule, that never reach the server."""
    left, shares = moved == 0, moved / SLOPE
    if not left.any() or left.all() or not is_near(shares[~left], shares[~left][0]):
        return []
    because = "one client with a linear function"
    measured = f"{int((~left).sum())} coordinates that move"
    long = lab.movement(instance(SLOPE * np.where(left, FAR, 1.0)), lab.listing.point(C=FAR * MANY))
    slip = "frozen" if ((long == 0) == left).all() else "short_left_out"
    at_client = lab.listing.line(Part.UPDATE) and not (slip == "frozen" and _is_without_noise(lab, left))
    part = Part.UPDATE if at_client else server_part(lab)
    return [differs(part, measured, f"{len(left)} that move", because, slip)]


def _is_without_noise(lab: Lab, left: Floats) -> bool:
    """Whether noise, which is added to what the clients send, leaves these coordinates where they are."""
    if lab.listing.line(Part.BOUNDING) is None or lab.listing.deviation is None:
        return False
    still = lab.movement(instance(SLOPE), lab.listing.point(C=MANY, sigma=1.0)) == 0
    return bool((still == left).all())


def _read_mixed(lab: Lab, at: Point) -> list[Observation]:
    """A matrix that movements are multiplied by, and that is no number, from slopes of one length."""
    slopes = np.array([np.roll(SLOPE, i) for i in range(len(SLOPE))])
    moves = np.array([lab.movement(instance(slope), at) for slope in slopes])
    matrix = np.linalg.solve(slopes / length(SLOPE), moves)
    own = np.diag(matrix)
    apart = is_near(matrix, np.diag(own), np.abs(matrix).max())
    if apart and is_near(own, own[0]):
        return []
    if not _is_along(lab.movement(instance(OTHER), at), OTHER @ matrix):
        return []
    because = f"one client with {len(SLOPE)} linear functions, and another of which the movement is their sum"
    part = _place_matrix(lab, at, matrix)
    if apart:
        measured = f"{np.abs(own).min() / np.abs(own).max():.6g} to 1 times the longest step"
        return [differs(part, measured, "one step of all coordinates", because, "uneven_steps")]
    return [differs(part, "mixed coordinates", "each coordinate by itself", because, "mixed")]


def _is_along(moved: Floats, expected: Floats) -> bool:
    return is_near(moved / max(length(moved), 1e-300), expected / max(length(expected), 1e-300))


def _place_matrix(lab: Lab, at: Point, matrix: Floats) -> Part:
    """The local step if a curved function moves otherwise; the update if all bounded ones have one length."""
    shown, point, total = instance(SLOPE, BENDS / (at.eta * at.E)), np.zeros(len(SLOPE)), np.zeros(len(SLOPE))
    for _ in range(at.E):
        gradient = SLOPE + shown.curvatures[0] * point
        point, total = point - at.eta * gradient, total + gradient
    if lab.listing.several_steps and not _is_along(lab.movement(shown, at), total @ matrix):
        return Part.LOCAL_STEP
    short = replace(at, C=SHORT)
    lengths = [length(lab.movement(instance(slope), short)) for slope in (SLOPE, OTHER)]
    before = (
        lab.listing.line(Part.UPDATE) and lab.listing.bounding != "none" and is_near(lengths[0], lengths[1])
    )
    return Part.UPDATE if before else server_part(lab)


def is_adaptive(lab: Lab, at: Point) -> bool:
    """Whether every coordinate moves by the same size, on functions whose slopes have different sizes.

    Decay moves the state alike under a slope and its opposite, so that half their difference is without.
    """
    sizes = np.abs(lab.movement(instance(SLOPE), at) - lab.movement(instance(-SLOPE), at)) / 2
    return bool(sizes.min() > 0 and np.ptp(sizes) <= EQUAL * sizes.max())


def name_dependence(lab: Lab, shown: Instance, at: Point) -> str | None:
    """The slip of code that a linear function moves otherwise from another start; None if it does not."""
    starts = [shown.center, 2 * shown.center]
    moves = [begin - lab.states(shown, at, start=begin)[1] for begin in starts]
    if is_near(moves[0], moves[1]):
        return None
    shares = (moves[1] - moves[0]) / (starts[1] - starts[0])
    return "decays" if np.allclose(shares, shares[0], rtol=ALIKE) else "of_state"


def is_turned(lab: Lab, at: Point) -> bool:
    """Whether a linear function moves the state along another direction than its slope."""
    shares = lab.movement(instance(SLOPE), at) / SLOPE
    return not is_near(shares, shares[0])


def is_permuted(lab: Lab, at: Point) -> bool:
    """Whether a function that is zero leaves the coordinates of the state as they are but for their order."""
    shown = instance(np.zeros(len(SLOPE)))
    try:
        before, after = lab.states(shown, at)
    except NotFinite:
        return False
    return not is_near(after, before) and is_near(np.sort(after), np.sort(before))


def _scale(lab: Lab, at: Point, times: float = 1.0) -> float:
    """What a function that is zero leaves of the state; all of it for code that has no value there.

    times: the start over the usual one.
    """
    shown = instance(np.zeros(len(SLOPE)))
    try:
        states = lab.states(shown, at, start=times * shown.center)
    except NotFinite:
        return 1.0
    return float(states[1, 0] / states[0, 0])


def read_scale(lab: Lab) -> list[Observation]:
    """Models of some of the clients, with functions that are zero: a sum with other weights is no average."""
    at = lab.listing.point(n=SAMPLED, r=2, d=4, E=2)
    try:
        states = lab.states(instance(np.zeros((SAMPLED, 4))), at, rounds=ROUNDS)
    except NotFinite:  # the code divides an update by its length, 0 here; `read_average` tells how it adds up
        return []
    if is_near(states, states[0]):
        return []
    if not is_near(states[1:] * states[:-1, :1], states[:-1] * states[1:, :1]):  # no multiple of the state
        because = f"{ROUNDS} rounds of {SAMPLED} clients with functions that are zero"
        return [differs(Part.AVERAGE, "another state", "the same state", because, "added")]
    before, after = states[:-1, 0], states[1:, 0]
    ratios = after[before != 0] / before[before != 0]
    because = f"{ROUNDS} rounds of {SAMPLED} clients with functions that are zero, clients_per_round {at.r}"
    measured = f"weights that add up to {ratios.min():.4g} to {ratios.max():.4g}"
    slip = "models_over_all" if is_near(ratios, at.r / at.n) else "scaled_model"
    return [differs(Part.AVERAGE, measured, "weights that add up to 1", because, slip)]
