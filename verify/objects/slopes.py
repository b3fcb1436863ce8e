"""Functions with kinks that are no sum of equal parts: where a step down one slope climbs another one."""

from typing import Any

import numpy as np

from verify.objects import formulas
from verify.objects.constants import Constants
from verify.objects.draw import Draw, Points
from verify.objects.functions import SLACK, Function
from verify.objects.lipschitz import sign

SEVERAL = 4  # slopes, at most
BESIDE = 2.0**-7  # of the way to the minimizer: how near a ridge a step crosses it


def _steepness(draw: Draw, constants: Constants) -> float:
    """A rotated slope is shorter than its bound by what rounding could add."""
    most = draw.decades(-1, 1) if constants.lipschitz is None else constants.lipschitz
    return most if draw.plain else most / SLACK


def uneven(draw: Draw, d: int, constants: Constants) -> Function:
    """g_j |x_j - c_j|, summed up: one coordinate is steep, and the others are flat."""
    centre = draw.points(d, 1, scale=1.0)[0]
    shares = 2.0 ** -np.array([draw.count(1, 4) for _ in range(d)], dtype=float)
    shares[draw.count(0, d - 1)] = 1.0
    slopes = shares * (_steepness(draw, constants) / np.sqrt(d))
    return Function(
        description="uneven slopes",
        value=lambda x: (slopes * np.abs(x - centre)).sum(axis=-1),
        gradient=lambda x: slopes * sign(x - centre),
        L=np.inf,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        formula=lambda: formulas.uneven(slopes, centre),
        prox=lambda x, step: x - np.minimum(np.maximum(x - centre, -step * slopes), step * slopes),
        nearest=lambda x: centre + 0 * x,
        telling=centre + draw.length() * np.where(np.arange(d) == np.argmax(slopes), BESIDE, 1.0),
    )


def steepest(draw: Draw, d: int, constants: Constants) -> Function:
    """The largest of some linear functions, one of which points against the mean of the others."""
    centre = draw.points(d, 1, scale=1.0)[0]
    some = draw.directions(d, draw.count(1, SEVERAL)) * _steepness(draw, constants)
    slopes = np.concatenate([some, -some.mean(axis=0, keepdims=True)])

    def heights(x: Points) -> Any:
        return (slopes * (x - centre)[..., None, :]).sum(axis=-1)

    def gradient(x: Points) -> Any:
        """Where all are equally high, at the minimizer, 0 is a subgradient too."""
        away = (x != centre).any(axis=-1, keepdims=True)
        return np.where(away, slopes[np.argmax(heights(x), axis=-1)] + 0 * x, 0 * x)

    return Function(
        description="the steepest of some slopes",
        value=lambda x: heights(x).max(axis=-1),
        gradient=gradient,
        L=np.inf,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        formula=lambda: formulas.steepest(slopes, centre),
    )
