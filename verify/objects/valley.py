"""Lojasiewicz functions that no rotation makes a sum over coordinates.

The minimizers of a valley lie on a curve. A bowl has one, and downhill may lead away from it.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, final

import numpy as np

from verify.objects import formulas
from verify.objects.draw import Draw, Points
from verify.objects.functions import Function

STEEPEST: Final = 0.6066  # at least the largest y exp(-y^2/2), which is exp(-1/2)
MARGIN: Final = 1.02  # beyond what a grid of 1/1000 may miss
BEHIND: Final = (6.0, 0.25)  # across the valley from its bend: downhill leads away from the middle
BENDS: Final = (1.0, 0.5, 0.25, 0.125, 0.0625)


def factor_of(bend: float) -> float:
    """The factor of r^2/2 over its Lojasiewicz constant, rounded up to a short number."""
    return float(np.ceil(16 / (1 - STEEPEST * bend) ** 2)) / 16


@final
@dataclass(frozen=True, slots=True)
class Bowl:
    """r^2/2 as in `curvature`, and `along` x^2/2 beside it.

    `factor` makes its Lojasiewicz constant at least one, by the smallest singular value of the derivatives of
    its two parts; its largest curvature is then `ratio`. Both are periodic in x: a grid shows them. `away` is
    a point at which downhill leads away from the minimizer.
    """

    along: float
    bend: float
    factor: float
    ratio: float
    away: tuple[float, float]


BOWLS: Final = (
    Bowl(0.125, 1.0, 17.0, 44.2, (2.5, -0.375)),
    Bowl(0.125, 0.75, 13.0, 27.95, (2.5, -0.375)),
)


@cache
def curvature(bend: float) -> float:
    """The largest curvature of r^2/2 with r = y - bend sin(x) exp(-y^2/2), over its Lojasiewicz constant.

    The gradient of r is at least 1 - bend exp(-1/2) long. The Hessian is the square of that gradient and r
    times the Hessian of r, and both are bounded here for all x at each y; beyond 8 nothing is left but 1.
    """
    y = np.linspace(0, 8, 8001)
    fading = bend * np.exp(-(y**2) / 2)
    slope = fading**2 + (1 + y * fading) ** 2
    bent = fading * np.sqrt(np.maximum(1 + (y**2 - 1) ** 2, 2 * y**2))
    return MARGIN * float(np.max(slope + (y + fading) * bent)) * factor_of(bend)


def bend_within(ratio: float) -> float | None:
    """The strongest bend of which L / mu is at most so large."""
    return next((bend for bend in BENDS if curvature(bend) <= ratio), None)


def bowl_within(ratio: float) -> Bowl | None:
    """The most bent one of which L / mu is at most so large."""
    return next((shape for shape in BOWLS if shape.ratio <= ratio), None)


def bowl(draw: Draw, d: int, L: float, least: float, shape: Bowl) -> Function:
    """A valley that rises along the first coordinate, so that one point of it is the lowest."""
    factor = least * shape.factor
    curved = valley(draw, d, L, factor / factor_of(shape.bend), shape.bend)
    centre, telling, rise = curved.minimizer, curved.telling, factor * shape.along
    assert centre is not None
    assert telling is not None
    scale, first = (telling[0] - centre[0]) / BEHIND[0], np.arange(d) == 0
    return replace(
        curved,
        description="a bent bowl",
        value=lambda x: curved.value(x) + rise / 2 * (x - centre)[..., 0] ** 2,
        gradient=lambda x: curved.gradient(x) + rise * (x - centre) * first,
        formula=lambda: formulas.rising(curved.formula(), rise, centre[0]),
        nearest=lambda x: centre + 0 * x,
        telling=centre + scale * np.concatenate([shape.away, np.zeros(d - 2)]),
    )


def valley(draw: Draw, d: int, L: float, least: float, bend: float) -> Function:
    """Along the first two coordinates; a square of the least curvature in the others."""
    centre, scale = draw.points(d, 1, scale=1.0)[0], draw.family.scale * draw.decades(-0.5, 0.3)
    factor = least * factor_of(bend)

    def parts(x: Points) -> tuple[Any, Any, Any, Any]:
        t = (x - centre) / scale
        fading = bend * np.exp(-(t[..., 1] * t[..., 1]) / 2)
        away = t[..., 1] - np.sin(t[..., 0]) * fading
        across = -np.cos(t[..., 0]) * fading
        return t, away, across, 1 + np.sin(t[..., 0]) * t[..., 1] * fading

    def value(x: Points) -> Any:
        t, away, _, _ = parts(x)
        total = factor * away * away + least * (t[..., 2:] * t[..., 2:]).sum(axis=-1)
        return scale * (scale * total) / 2

    def gradient(x: Points) -> Any:
        t, away, across, along = parts(x)
        bent = [factor * away * across, factor * away * along]
        return scale * np.concatenate([np.stack(bent, axis=-1), least * t[..., 2:]], axis=-1)

    return Function(
        description="a valley along a curve",
        value=value,
        gradient=gradient,
        L=L,
        lowest=0.0,
        minimizer=centre,
        convex=False,
        formula=lambda: formulas.valley(factor, least, bend, scale, centre),
        telling=centre + scale * np.concatenate([BEHIND, np.zeros(d - 2)]),
    )
