"""Whether code rounds its numbers to fewer digits than the reference, with or without random numbers.

Under one seed, a start that is moved a little changes the movement in proportion. A rounded movement stays as
it is, or jumps. This holds whatever is drawn, so it is seen in a noisy round as well.
"""

from dataclasses import replace

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.lab import Lab
from verify.conformance.listing import Part
from verify.conformance.packages.pair import Pair
from verify.conformance.packages.scenes import Scene
from verify.conformance.verdict import Observation, differs

LITTLE, SOME = 1e-9, 1e-6
LARGE_LOSS, SMALL_LOSS = 0.02, 1e-3  # of the answer to a move; float64 loses about 1e-6 of it


def rounds_numbers(pair: Pair, scene: Scene) -> bool:
    """Whether the code rounds, where the reference does not."""
    return _lost(pair.code, scene) > LARGE_LOSS and _lost(pair.right, scene) < SMALL_LOSS


def keeps_digits(pair: Pair, scene: Scene) -> bool:
    """Whether both answer a little move in proportion."""
    return max(_lost(lab, scene) for lab in (pair.code, pair.right)) < SMALL_LOSS


def digits_differ() -> Observation:
    because = "under one seed, a start that is moved by 1e-9 does not change the movement in proportion"
    return differs(Part.DIGITS, "other digits", "float64", because, "rounded")


def _lost(lab: Lab, scene: Scene) -> float:
    """How far the answers to a little and to a larger move are from being in proportion."""
    still, little, some = (_moves(lab, scene, size) for size in (0.0, LITTLE, SOME))
    answers = [(moved - still) / size for moved, size in ((little, LITTLE), (some, SOME))]
    return float(np.abs(answers[0] - answers[1]).max() / max(np.abs(answers[1]).max(), 1e-300))


def _moves(lab: Lab, scene: Scene, size: float) -> Floats:
    shown = scene.shown
    away = np.linspace(0.83, -0.57, shown.dimension)
    slopes = shown.slopes + size * np.array([shown.bend(bends, away) for bends in shown.curvatures])
    # the functions stay where they are: their center moves, so that the run starts elsewhere
    assert shown.data is not None
    rows = zip(shown.data, slopes - shown.slopes, strict=True)
    data = tuple(points + change for points, change in rows)
    moved = replace(shown, center=shown.center + size * away, slopes=slopes, data=data)
    states = lab.run(moved, scene.settings, scene.rounds, seed=lab.seed)
    moves: Floats = states[1:] - states[0]
    return moves
