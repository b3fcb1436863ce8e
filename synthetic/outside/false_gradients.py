"""Gradients against finite differences of values."""

from typing import Any

import numpy as np

from synthetic.engine.arithmetic import norm
from synthetic.engine.randomness import Floats
from synthetic.errors import FalseClaim
from synthetic.outside.probe import Function, Probe, generator

STEPS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
AXES, DIRECTIONS, PLACES = 8, 4, 3
AGREE = 1e-3  # relative; a smooth function agrees to many more digits at one of the steps
UNIT = 2.0**-52


def refuse_false_gradients(probe: Probe) -> None:
    """Refuse a gradient that no step of a central difference of the value reproduces."""
    random, dimension = generator(2), probe.problem.dimension
    # random places: a function with kinks may have them where coordinates are round
    scale = 1.0 + norm(probe.center) / 10
    places = probe.center + scale * random.standard_normal((PLACES, dimension))
    directions = random.standard_normal((DIRECTIONS, dimension))
    directions /= norm(directions)[:, None]
    axes = np.eye(dimension)[random.permutation(dimension)[:AXES]]
    for index in probe.searched:
        function = probe.function(index)
        for place in places:
            _compare(function, place, np.concatenate([axes, directions]))


def _compare(function: Function, place: Floats, directions: Floats) -> None:
    gradient = function.gradient(place[None])[0]
    stated = directions @ gradient
    quotients, noises = _quotients(function, place, directions)
    wrong = abs(quotients - stated)
    # how much a quotient still changes with its step says how far it is from its limit
    changes = abs(np.diff(quotients, axis=0))
    unsettled = np.concatenate([changes[:1], np.minimum(changes[:-1], changes[1:]), changes[-1:]])
    size = np.maximum(abs(quotients), abs(stated))
    allowed = AGREE * size + 1e-8 * norm(gradient) + noises + 4 * unsettled
    differs = ((wrong > allowed) & np.isfinite(quotients)).all(axis=0)
    for direction in np.flatnonzero(differs):
        best = int(np.argmin(wrong[:, direction]))
        raise FalseClaim(
            asked=f"gradient of {function.name}",
            failed="it is not the gradient of the value",
            found=f"slope {stated[direction]:.10g} at x = {show(place)} along {show(directions[direction])}",
            needed=f"{quotients[best, direction]:.10g}, the difference quotient of the value",
            change="correct gradient(i, x) or value(i, x)",
        )


def _quotients(function: Function, place: Floats, directions: Floats) -> tuple[Floats, Floats]:
    """Central differences by step and direction, and the rounding in them."""
    steps = np.array(STEPS)[:, None, None] * (1 + norm(place) / 10)
    ahead, behind = place + steps * directions, place - steps * directions
    shape = ahead.shape[:2]
    with np.errstate(all="ignore"):
        forward = function.value(ahead.reshape(-1, len(place))).reshape(shape)
        backward = function.value(behind.reshape(-1, len(place))).reshape(shape)
        noises = 1e3 * UNIT * (abs(forward) + abs(backward)) / (2 * steps[..., 0])
        return (forward - backward) / (2 * steps[..., 0]), noises


def show(point: Any) -> str:
    """A point as one can copy it; the first coordinates of a long one."""
    shown = ", ".join(f"{entry:.6g}" for entry in point[:6])
    return f"[{shown}{', ...' if len(point) > 6 else ''}]"
