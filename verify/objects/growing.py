"""Functions whose curvature grows with their slope: nowhere above L0 + L1 ||grad f||.

Each is a sum over coordinates. Where the slope of one grows as fast as the class lets it, it is
(L0 / L1) (exp(L1 t) - 1).
"""

from typing import Any, Final

import numpy as np

from verify.objects import formulas
from verify.objects.constants import Constants, Kind
from verify.objects.draw import Draw, Points
from verify.objects.functions import Function
from verify.objects.lipschitz import sign


def _constants(constants: Constants) -> tuple[float, float]:
    assert constants.smooth is not None
    assert constants.growth is not None
    return constants.smooth, constants.growth


def _lengths(growth: float, x: Points, centre: Points) -> Any:
    return growth * np.abs(x - centre)


def steepening(draw: Draw, d: int, constants: Constants) -> Function:
    """Steeper as fast as the class allows, from its minimizer on."""
    (flat, growth), centre = _constants(constants), draw.points(d, 1, scale=1.0)[0]

    def value(x: Points) -> Any:
        s = _lengths(growth, x, centre)
        return flat / growth**2 * (np.expm1(s) - s).sum(axis=-1)

    return Function(
        description="steepening",
        value=value,
        gradient=lambda x: flat / growth * sign(x - centre) * np.expm1(_lengths(growth, x, centre)),
        L=np.inf,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        formula=lambda: formulas.steepening(flat, growth, centre),
        nearest=lambda x: centre + 0 * x,
    )


def _make_cosh(up: int) -> Kind:
    def make(draw: Draw, d: int, constants: Constants) -> Function:
        (flat, growth), centre = _constants(constants), draw.points(d, 1, scale=1.0)[0]
        factor = up * flat / growth**2
        return Function(
            description="cosh",
            value=lambda x: factor * (2 * np.sinh(growth * (x - centre) / 2) ** 2).sum(axis=-1),
            gradient=lambda x: factor * growth * np.sinh(growth * (x - centre)),
            L=np.inf,
            lowest=0.0 if up > 0 else None,
            minimizer=centre if up > 0 else None,
            convex=up > 0,
            formula=lambda: formulas.cosh(factor, growth, centre),
            nearest=(lambda x: centre + 0 * x) if up > 0 else None,
        )

    return make


def exponential(draw: Draw, d: int, constants: Constants) -> Function:
    """Its curvature is L1 times its slope, everywhere."""
    _, growth = _constants(constants)
    along, size = draw.directions(d, 1)[0], draw.length()
    along = growth * along

    def value(x: Points) -> Any:
        return size * np.exp((along * x).sum(axis=-1))

    return Function(
        description="exponential",
        value=value,
        gradient=lambda x: value(x)[..., None] * along,
        L=np.inf,
        lowest=None,
        minimizer=None,
        convex=True,
        formula=lambda: formulas.times(
            size,
            f"exp({formulas.times(along[0], 'x')})" if d == 1 else f"exp(<{formulas.vector(along)}, x>)",
        ),
    )


def _make_turning(after: str) -> Kind:
    """Steeper up to a distance; then as steep as there, or flat as fast as the class allows: a plateau."""

    def make(draw: Draw, d: int, constants: Constants) -> Function:
        (flat, growth), centre = _constants(constants), draw.points(d, 1, scale=1.0)[0]
        turn, falls = min(draw.length(), 100.0), after == "plateau"

        def pieces(x: Points) -> tuple[Any, Any]:
            s = _lengths(growth, x, centre)
            return np.minimum(s, turn), np.maximum(s, turn) - turn

        def value(x: Points) -> Any:
            near, far = pieces(x)
            end = np.minimum(far, turn)
            beyond = (
                np.exp(turn + 0 * end) - np.exp(turn - end) - end if falls else np.expm1(turn + 0 * far) * far
            )
            return flat / growth**2 * (np.expm1(near) - near + beyond).sum(axis=-1)

        def gradient(x: Points) -> Any:
            near, far = pieces(x)
            steep = np.expm1(near - np.minimum(far, turn) if falls else near)
            return flat / growth * sign(x - centre) * steep

        return Function(
            description=after,
            value=value,
            gradient=gradient,
            L=np.inf,
            lowest=0.0,
            minimizer=centre,
            convex=not falls,
            formula=lambda: formulas.turning(flat, growth, turn, centre, falls=falls),
            nearest=None if falls else lambda x: centre + 0 * x,
        )

    return make


GROWING: Final[dict[str, Kind]] = {
    "steepening": steepening,
    "cosh": _make_cosh(1),
    "cosh, upside down": _make_cosh(-1),
    "exponential": exponential,
    "plateau": _make_turning("plateau"),
    "then straight": _make_turning("then straight"),
}
