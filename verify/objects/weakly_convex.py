"""Functions with some curvature downward: convex ones less rho/2 times a square."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from bounds.language.lemmas.objects import FunctionObject
from verify.objects import formulas
from verify.objects.constants import Constants, Kind
from verify.objects.draw import Draw, Points
from verify.objects.functions import CURVES, SLACK, Function, quadratic
from verify.objects.lipschitz import make_levelling, sign

GRID_BITS: Final = 40  # of 53, of the larger of two numbers that are added without a rounding


def _least(constants: Constants) -> float:
    """The largest curvature downward."""
    assert constants.weak is not None
    return min(constants.weak, np.inf if constants.smooth is None else constants.smooth)


def _where_unique(weak: float, prox: Callable[[Points, Any], Any]) -> Callable[[Points, Any], Any]:
    """Longer steps have no proximal point, or many."""

    def unique(x: Points, step: Any) -> Any:
        short = np.where(step * weak < 1, step, np.nan)
        return prox(x, short) + 0 * short

    return unique


def dented(draw: Draw, d: int, constants: Constants) -> Function:
    """rho/2 |t^2 - w^2| in each coordinate: kinks at the minimizers, and a hill between them."""
    weak = _least(constants)
    centre, width = _on_one_grid(draw.points(d, 1, scale=1.0)[0], draw.length())

    def prox(x: Points, step: Any) -> Any:
        t, stretch = x - centre, step * weak
        size = np.abs(t)
        outside = np.maximum(size / (1 + stretch), width)
        return centre + sign(t) * np.where(size < width * (1 - stretch), size / (1 - stretch), outside)

    def side(t: Points) -> Any:
        return np.where(t >= 0, 1.0, -1.0)

    return Function(
        description="dented",
        value=lambda x: weak / 2 * np.abs((x - centre) ** 2 - width * width).sum(axis=-1),
        gradient=lambda x: weak * sign(np.abs(x - centre) - width) * (x - centre),
        L=np.inf,
        lowest=0.0,
        minimizer=centre + width,
        convex=False,
        formula=lambda: formulas.dented(weak, width, centre),
        prox=_where_unique(weak, prox),
        nearest=lambda x: centre + width * side(x - centre),
    )


def _on_one_grid(centre: Points, width: float) -> tuple[Points, float]:
    """Both so rounded that centre - width and centre + width are floats: at a rounded one the value is not 0,
    and a lemma on the value at a minimizer would fall."""
    unit = 2.0 ** (np.ceil(np.log2(max(float(np.abs(centre).max()), width))) - GRID_BITS)
    return np.round(centre / unit) * unit, float(max(np.round(width / unit), 1.0) * unit)


def folded(draw: Draw, d: int, constants: Constants) -> Function:
    """g |t| - rho t^2/2 in each coordinate, up to where it is flat."""
    weak, centre = _least(constants), draw.points(d, 1, scale=1.0)[0]
    slope = (draw.length() if constants.lipschitz is None else constants.lipschitz) / np.sqrt(d)
    end = slope / weak

    def value(x: Points) -> Any:
        t = np.minimum(np.abs(x - centre), end)
        return (t * (slope - weak / 2 * t)).sum(axis=-1)

    def prox(x: Points, step: Any) -> Any:
        t = x - centre
        size = np.abs(t)
        nearer = np.maximum(size - step * slope, 0.0) / (1 - step * weak)
        return centre + sign(t) * np.where(size < end, nearer, size)

    return Function(
        description="folded",
        value=value,
        gradient=lambda x: sign(x - centre) * np.maximum(slope - weak * np.abs(x - centre), 0.0),
        L=np.inf,
        lowest=0.0,
        minimizer=centre,
        convex=False,
        formula=lambda: formulas.folded(slope, weak, centre),
        prox=_where_unique(weak, prox),
        nearest=lambda x: centre + 0 * x,
    )


def _mixed(draw: Draw, d: int, constants: Constants) -> Function:
    """A quadratic from the largest curvature downward to the largest upward."""
    weak = _least(constants)
    up = weak if constants.smooth is None else constants.smooth
    if d > 1 and not draw.plain:
        weak, up = weak / SLACK, up / SLACK
    return quadratic(draw, d, up, least=-weak)


def _down(draw: Draw, d: int, constants: Constants) -> Function:
    """-rho/2 ||x - c||^2."""
    weak, centre = _least(constants), draw.points(d, 1, scale=1.0)[0]
    return Function(
        description="half square, upside down",
        value=lambda x: -weak / 2 * ((x - centre) ** 2).sum(axis=-1),
        gradient=lambda x: -weak * (x - centre),
        L=weak,
        lowest=None,
        minimizer=None,
        convex=False,
        formula=lambda: formulas.half_square(-weak, centre),
        prox=_where_unique(weak, lambda x, step: centre + (x - centre) / (1 - step * weak)),
    )


def _slow_wave(draw: Draw, d: int, constants: Constants) -> Function:
    return make_levelling("slow wave")(draw, d, replace(constants, smooth=_least(constants)))


def _wave(draw: Draw, d: int, constants: Constants) -> Function:
    return CURVES["wave"](draw, d, _least(constants))


def with_hills(f: FunctionObject) -> dict[str, Kind]:
    """Those that fit what else is declared."""
    names = ["slow wave"] if f.lipschitz is not None else ["wave", "mixed", "down"]
    if f.smooth is None:
        names += ["folded"] if f.lipschitz is not None else ["folded", "dented"]
    return {name: HILLS[name] for name in names}


HILLS: Final[dict[str, Kind]] = {
    "slow wave": _slow_wave,
    "wave": _wave,
    "mixed": _mixed,
    "down": _down,
    "folded": folded,
    "dented": dented,
}
