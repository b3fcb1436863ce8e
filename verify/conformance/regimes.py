"""Gradients of other sizes than usual: short, falling, long, and steps that are too long for the curvature.

Code that leaves out what is short, ends where gradients are, bounds what is long or refuses a step that
raises the value is the listing wherever nothing of that happens. Asked once every other line agrees.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.bounding import BOUNDED
from verify.conformance.instance import instance
from verify.conformance.lab import Lab, is_near
from verify.conformance.listing import Part, Point, length
from verify.conformance.other_movements import SLOPE, server_part
from verify.conformance.verdict import Observation, Verdict, differs

DRAWN = (Part.SAMPLING, Part.NOISE, Part.OUTPUT)
SHORT, LONG = 1e-4, 1e8
MANY = 1e12  # a threshold that clips nothing
FALLING, RAISING = 0.9, 2.5  # the step times the curvature: gradients fall tenfold, values rise
Regime = Callable[[Lab], list[Observation]]


def read_regimes(lab: Lab, before: Sequence[Observation]) -> list[Observation]:
    """The first regime in which the code moves otherwise than the listing; none if another line differs."""
    if any(one.verdict is Verdict.DIFFERS and one.part not in DRAWN for one in before):
        return []
    regimes: tuple[Regime, ...] = (_read_falling, _read_short, _read_raising, _read_long)
    return next((found for regime in regimes if (found := regime(lab))), [])


def _read_short(lab: Lab) -> list[Observation]:
    at = lab.listing.point()
    moved, expected = _both(lab, at, SHORT * SLOPE, 0.0)
    if is_near(moved, expected):
        return []
    part = Part.UPDATE if lab.listing.line(Part.UPDATE) else server_part(lab)
    part = (
        Part.BOUNDING if lab.listing.bounding == "normalize" else part
    )  # which removes factors of the update
    because = f"one client with a linear function whose slope has length {SHORT * length(SLOPE):.1g}"
    slip = "short_left_out" if (moved == 0).any() else None
    return [differs(part, length(moved), length(expected), because, slip)]


def _read_falling(lab: Lab) -> list[Observation]:
    """Local steps until gradients are rounding; in one coordinate slower, so that directions change."""
    if not lab.listing.several_steps:
        return []
    at = lab.listing.point(E=40, C=MANY if lab.listing.bounding == "clip" else 2.9)
    curvature = np.array([1.0, 1.0, 1.0, 1.0, 0.5]) * FALLING / at.eta
    moved, expected = _both(lab, at, SLOPE, curvature)
    if is_near(moved, expected):
        return []
    because = f"one client with a curved function: {at.E} local steps along falling gradients"
    fewer = [_listed(lab, at, SLOPE, curvature, steps) for steps in range(1, at.E)]
    slip = "ended_early" if any(is_near(moved, one) for one in fewer) else None
    return [differs(Part.LOCAL_COUNT, length(moved), length(expected), because, slip)]


def _read_raising(lab: Lab) -> list[Observation]:
    at = lab.listing.point(C=MANY if lab.listing.bounding == "clip" else 2.9)
    step = at.eta if lab.listing.several_steps else at.beta
    moved, expected = _both(lab, at, SLOPE, RAISING / step)
    if is_near(moved, expected):
        return []
    part = Part.LOCAL_STEP if lab.listing.several_steps else Part.SERVER_STEP
    because = f"one client with a curved function: the step is {RAISING:g} over the curvature"
    slip = None if moved.any() else "descent_only"
    return [differs(part, length(moved), length(expected), because, slip)]


def _read_long(lab: Lab) -> list[Observation]:
    """Long gradients below the threshold; a second constant bounds each of them, or their sum."""
    at = lab.listing.point(C=MANY if lab.listing.bounding == "clip" else 2.9)
    moved, expected = _both(lab, at, LONG * SLOPE, np.linspace(0.0, 0.8, len(SLOPE)) / (at.eta * at.E))
    if is_near(moved, expected):
        return []
    because = f"one client with slopes of length {LONG * length(SLOPE):.1g}, below the threshold"
    part = Part.LOCAL_STEP if lab.listing.several_steps else server_part(lab)
    slip = find_bound(lab)
    part = Part.UPDATE if slip == "update_bounded" else part
    return [differs(part, length(moved), length(expected), because, slip)]


def find_bound(lab: Lab) -> str | None:
    """What a constant bounds besides: movements that no longer gradient makes longer, but more steps may."""
    if lab.listing.bounding == "normalize":
        return None
    at = lab.listing.point(C=MANY)
    once, longer, twice = (
        length(lab.movement(instance(size * LONG * SLOPE), replace(at, E=at.E * more)))
        for size, more in ((1, 1), (10, 1), (1, 2))
    )
    if not is_near(once, longer):
        return None
    return "update_bounded" if lab.listing.several_steps and is_near(once, twice) else "gradient_bounded"


def _both(lab: Lab, at: Point, slope: Floats, curvature: Floats | float) -> tuple[Floats, Floats]:
    """The movement of one client with this function, measured and as listed."""
    moved = lab.movement(instance(slope, curvature), at)
    return moved, _listed(lab, at, slope, curvature, at.E)


def _listed(lab: Lab, at: Point, slope: Floats, curvature: Floats | float, steps: int) -> Floats:
    y, total = np.zeros_like(slope), np.zeros_like(slope)
    for _ in range(steps):
        gradient = slope + curvature * y
        y, total = y - at.eta * gradient, total + gradient
    u = total * lab.listing.update(at)
    made: Floats = lab.listing.server(at) * BOUNDED[lab.listing.bounding].value(u, at, u / steps)
    return made
