"""Quasi-convex functions that are not convex: all their level sets are balls or half-spaces.

A slope that falls to zero away from the minimizers, at a place or far out, is what convexity rules out.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from verify.objects import formulas
from verify.objects.constants import Constants, Kind, curvature
from verify.objects.draw import Draw, Points
from verify.objects.functions import Function

STEEPEST: Final = 1.125  # less than one over 1.5/1.25^2.5, the largest curvature of t/sqrt(1 + t^2)


def _away(x: Points, centre: Points) -> tuple[Any, Any]:
    """The distance from the centre, and the direction, which is zero there."""
    r = np.sqrt(((x - centre) ** 2).sum(axis=-1, keepdims=True))
    return r, (x - centre) / np.where(r > 0, r, 1.0)


def crater(draw: Draw, d: int, constants: Constants) -> Function:
    """L w^2/2 s/(w^2 + s) with s = ||x - c||^2, which levels off: no curvature is above that at c."""
    L, w, centre = curvature(draw, constants), draw.length(), draw.points(d, 1, scale=1.0)[0]

    def value(x: Points) -> Any:
        s = ((x - centre) ** 2).sum(axis=-1)
        return L * w * w / 2 * (s / (w * w + s))

    def gradient(x: Points) -> Any:
        s = ((x - centre) ** 2).sum(axis=-1, keepdims=True)
        return L * (w * w / (w * w + s)) ** 2 * (x - centre)

    return _around(centre, "crater", L, value, gradient, lambda: formulas.crater(L, w, centre))


def terrace(draw: Draw, d: int, constants: Constants) -> Function:
    """Slope L r up to r = w, then back to zero at 2 w, and up again, with r = ||x - c||."""
    L, w, centre = curvature(draw, constants), draw.length(), draw.points(d, 1, scale=1.0)[0]

    def pieces(r: Any) -> tuple[Any, Any, Any]:
        return np.minimum(r, w), np.minimum(np.maximum(r - w, 0.0), w), np.maximum(r - 2 * w, 0.0)

    def value(x: Points) -> Any:
        near, down, far = pieces(_away(x, centre)[0][..., 0])
        return L / 2 * near**2 + L * down * (w - down / 2) + L / 2 * far**2

    def gradient(x: Points) -> Any:
        r, direction = _away(x, centre)
        near, down, far = pieces(r)
        return L * (near - down + far) * direction

    return _around(centre, "terrace", L, value, gradient, lambda: formulas.terrace(L, w, centre))


def _around(
    centre: Points, description: str, L: float, value: Any, gradient: Any, formula: Callable[[], str]
) -> Function:
    return Function(
        description=description,
        value=value,
        gradient=gradient,
        L=L,
        lowest=0.0,
        minimizer=centre,
        convex=False,
        formula=formula,
        nearest=lambda x: centre + 0 * x,
    )


def _along(value: Callable[[Any], Any], slope: Callable[[Any], Any], form: str) -> Kind:
    """L w^2 phi(<u, x - c>/w), for a phi that grows, of curvatures up to one in size."""

    def make(draw: Draw, d: int, constants: Constants) -> Function:
        L, w = curvature(draw, constants), draw.length()
        u, centre = draw.directions(d, 1)[0], draw.points(d, 1, scale=1.0)[0]

        def place(x: Points) -> Any:
            return ((x - centre) * u).sum(axis=-1, keepdims=True) / w

        return Function(
            description=form,
            value=lambda x: L * w * w * value(place(x)[..., 0]),
            gradient=lambda x: L * w * slope(place(x)) * u,
            L=L,
            lowest=None,
            minimizer=None,
            convex=False,
            formula=lambda: formulas.along(L * w * w, form, u / w, centre),
        )

    return make


QUASI_CONVEX: Final[dict[str, Kind]] = {
    "crater": crater,
    "terrace": terrace,
    "shelf": _along(lambda t: t * np.abs(t) / 2, lambda t: np.abs(t), "t |t|/2"),
    # levels off as a power does: of tanh no digits tell two values far out apart
    "cliff": _along(
        lambda t: STEEPEST * t / np.sqrt(1 + t * t),
        lambda t: STEEPEST / np.sqrt(1 + t * t) ** 3,
        "9/8 t/sqrt(1 + t^2)",
    ),
}
