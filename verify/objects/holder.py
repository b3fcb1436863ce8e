"""Functions whose gradients turn no faster than a power of the distance: ||.|| <= H ||x - y||^nu."""

from dataclasses import replace
from typing import Any

import numpy as np

from verify.objects import formulas
from verify.objects.constants import Constants, Kind
from verify.objects.draw import Draw, Points
from verify.objects.functions import SLACK, Function
from verify.objects.lipschitz import make_levelling


def _constants(draw: Draw, constants: Constants) -> tuple[float, float]:
    """The constant, smaller by what powers may round, and the exponent."""
    assert constants.smooth is not None
    assert constants.exponent is not None
    return (constants.smooth if draw.plain else constants.smooth / SLACK), constants.exponent


def make_power(up: int) -> Kind:
    """A power of the distance: ||x||^(nu - 1) x turns by at most 2^(1 - nu) ||x - y||^nu, and that between
    opposite points.
    """

    def make(draw: Draw, d: int, constants: Constants) -> Function:
        (H, nu), centre = _constants(draw, constants), draw.points(d, 1, scale=1.0)[0]
        steep = up * H / 2 ** (1 - nu)

        def length(x: Points) -> Any:
            return np.sqrt(((x - centre) ** 2).sum(axis=-1, keepdims=True))

        def gradient(x: Points) -> Any:
            away = length(x)
            far = away > 0
            return steep * np.where(far, away**nu / np.where(far, away, away + 1), 0 * away) * (x - centre)

        return Function(
            description="a power of the distance",
            value=lambda x: steep / (1 + nu) * (length(x) ** (1 + nu))[..., 0],
            gradient=gradient,
            L=np.inf,
            lowest=0.0 if up > 0 else None,
            minimizer=centre if up > 0 else None,
            convex=up > 0,
            formula=lambda: formulas.power(up * H, nu, centre),
            nearest=(lambda x: centre + 0 * x) if up > 0 else None,
        )

    return make


def ramp(draw: Draw, d: int, constants: Constants) -> Function:
    """Flat, then steeper the faster the nearer to the end of a width, then straight, along one coordinate.

    With t above the minimizer the slope is H (w^nu - (w - t)^nu) up to t = w: there the gap is the least one
    that a slope of H w^nu can have, nu/(1 + nu) H w^(1 + nu).
    """
    (H, nu), centre = _constants(draw, constants), draw.points(d, 1, scale=1.0)[0]
    width, first = draw.length(), np.arange(d) == 0

    def rise(x: Points) -> Any:
        return np.maximum(x[..., 0] - centre[0], 0)

    def slope(t: Any) -> Any:
        return H * ((width + 0 * t) ** nu - np.maximum(width - t, 0) ** nu)

    def value(t: Any) -> Any:
        whole, left = width + 0 * t, np.maximum(width - t, 0)  # powers of as many digits, equal on the floor
        return H * (whole**nu * t - (whole ** (1 + nu) - left ** (1 + nu)) / (1 + nu))

    return Function(
        description="a ramp",
        value=lambda x: value(rise(x)),
        gradient=lambda x: slope(rise(x))[..., None] * first,
        L=np.inf,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        formula=lambda: formulas.ramp(H, nu, width, centre),
        nearest=lambda x: x - rise(x)[..., None] * first,
        telling=centre + width * first,
    )


def level_within(shape: str) -> Kind:
    """A gradient that is L-Lipschitz in each coordinate and levels off at L s on both sides.

    It turns by min(L t, 2 L s) <= L (2 s)^(1 - nu) t^nu, and d coordinates together by d^((1 - nu)/2) more.
    """

    def make(draw: Draw, d: int, constants: Constants) -> Function:
        H, nu = _constants(draw, constants)
        width = draw.length()  # 2 s sqrt(d)
        L = H / width ** (1 - nu)
        return make_levelling(shape)(draw, d, replace(constants, smooth=L, lipschitz=L * width / 2))

    return make
