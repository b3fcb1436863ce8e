"""Whether code rounds its numbers to fewer digits than float64 has, as float32 or a `round` does.

On a linear function, a start that is moved a little moves the next state by as much. Rounded states stay
where they are, or jump. A slip of another kind that moves with the start does so for large moves as well.
"""

from dataclasses import replace

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.instance import instance
from verify.conformance.lab import Lab
from verify.conformance.listing import Part
from verify.conformance.rounds import SLOPE
from verify.conformance.slips import OTHERS
from verify.conformance.verdict import Observation, Verdict

LITTLE, SOME, MUCH = 1e-9, 0.01, 0.1
SEEN = 0.01  # of an answer to the slope, which is of the size of a step
LARGE_LOSS, SMALL_LOSS = 0.5, 0.02  # shares of the move
DIRECTION = np.array([0.83, -0.57, 0.91, 0.39, -0.71])
BECAUSE = f"a start or a slope that is moved by {LITTLE:g} does not move the next state by as much"
DRAWN = (Part.SAMPLING, Part.NOISE, Part.OUTPUT)


def name_rounding(lab: Lab, observations: list[Observation]) -> list[Observation]:
    """Rounding looks like many a slip: it is the cause of every difference that no draw makes."""
    differing = [o for o in observations if o.verdict is Verdict.DIFFERS and o.part not in DRAWN]
    if not differing or not rounds_numbers(lab):
        return observations
    return [_as_rounding(o) if o in differing else o for o in observations]


def _as_rounding(o: Observation) -> Observation:
    # a constant that was fitted for another cause is none of this one
    measured = "other digits" if isinstance(o.measured, str) else o.measured
    cause = OTHERS["rounded"]
    return replace(o, slip="rounded", cause=cause, measured=measured, conversion=None, because=BECAUSE)


def rounds_numbers(lab: Lab) -> bool:
    """The state, or the update, which stays as it is where the start is moved."""
    if _lost(lab, LITTLE) > LARGE_LOSS and _lost(lab, MUCH) < SMALL_LOSS:
        return True
    little, some, more = (_answer(lab, size) for size in (LITTLE, SOME, 2 * SOME))
    scale = float(np.abs(some).max())
    apart, smooth = (float(np.abs(one - some).max()) for one in (little, more))
    # below SEEN, as where only signs of the slope count, the answer is rounding itself
    return scale > SEEN and apart > LARGE_LOSS * scale and smooth < LARGE_LOSS / 2 * scale


def _answer(lab: Lab, size: float) -> Floats:
    """How the movement changes with the slope, per unit of that change."""
    at = lab.listing.point(C=40.0)
    one, other = (lab.movement(instance(slope), at) for slope in (SLOPE, SLOPE + size * DIRECTION))
    change: Floats = (other - one) / size
    return change


def _lost(lab: Lab, size: float) -> float:
    """How far the next state is from having moved with its start, as a share of that move."""
    at, shown = lab.listing.point(C=40.0), instance(SLOPE)
    start = np.asarray(shown.center, dtype=np.float64)
    moved = size * DIRECTION
    ends = [lab.states(shown, at, start=begin)[1] for begin in (start, start + moved)]
    return float(np.abs(ends[1] - ends[0] - moved).max() / np.abs(moved).max())
