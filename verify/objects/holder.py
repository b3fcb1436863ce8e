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
