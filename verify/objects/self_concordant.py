"""Self-concordant functions: barriers of half lines and intervals, quadratics, and their sums.

Each is a sum over coordinates. Of one variable, w (t - log t) and -w log t have with w >= 1 a third
derivative of at most twice the second one to the power 3/2; sums and shifts keep that. Outside of its domain
nothing is defined.
"""

from typing import Any, Final

import numpy as np

from verify.objects import formulas
from verify.objects.constants import Constants, Kind
from verify.objects.draw import Draw, Points
from verify.objects.functions import Function


def _unit(draw: Draw) -> float:
    """A length beside those of the points: most of them lie inside of the domain, or some near its end."""
    return draw.family.scale * 2.0 ** draw.count(-1, 4)


def _inside(t: Any) -> Any:
    return np.where(t > 0, t, np.nan)


def _diagonal(curvatures: Any) -> Any:
    return curvatures[..., None] * np.eye(curvatures.shape[-1], dtype=int)


def _make_barrier(*, tilted: bool, squared: bool = False) -> Kind:
    """Sum w (t - log t), lowest at t = 1, or -w log t, which has no lowest value; with a square on top."""

    def make(draw: Draw, d: int, _: Constants) -> Function:
        centre, unit = draw.points(d, 1, scale=1.0)[0], _unit(draw)
        weight, margin = 2.0 ** draw.count(0, 2), 2.0 ** draw.count(0, 3)
        side = 1 if draw.chance(0.5) else -1
        lowest_at = centre + side * unit * (1 - margin)
        top = 2.0 ** draw.count(-1, 1) / unit**2 if squared else 0.0

        def place(x: Points) -> Any:
            return _inside(margin + side * (x - centre) / unit)

        def value(x: Points) -> Any:
            t = place(x)
            each = weight * ((t if tilted else 0 * t) - np.log(t)) + top / 2 * (x - lowest_at) ** 2
            return each.sum(axis=-1)

        def formula() -> str:
            away = "{0}" if unit == 1 else f"{{0}}/{formulas.number(unit)}"
            t = f"{formulas.number(margin)} {'+' if side > 0 else '-'} {away}"
            said = formulas.summed(weight, f"{t} - log({t})" if tilted else f"-log({t})", centre)
            return f"{said} + {formulas.half_square(top, lowest_at)}" if squared else said

        return Function(
            description="barrier",
            value=value,
            gradient=lambda x: weight * side / unit * (int(tilted) - 1 / place(x)) + top * (x - lowest_at),
            hessian=lambda x: _diagonal(weight / (unit * place(x)) ** 2 + top),
            L=np.inf,
            lowest=weight * d if tilted else None,
            minimizer=lowest_at if tilted else None,
            convex=True,
            formula=formula,
        )

    return make


def interval(draw: Draw, d: int, _: Constants) -> Function:
    """Sum -w log(1 - z) - w log(1 + z)."""
    centre, unit = draw.points(d, 1, scale=1.0)[0], 2 * _unit(draw)
    weight = 2.0 ** draw.count(0, 2)

    def ends(x: Points) -> tuple[Any, Any]:
        z = (x - centre) / unit
        return _inside(1 - z), _inside(1 + z)

    def value(x: Points) -> Any:
        below, above = ends(x)
        return -weight * (np.log(below) + np.log(above)).sum(axis=-1)

    def gradient(x: Points) -> Any:
        below, above = ends(x)
        return weight / unit * (1 / below - 1 / above)

    def hessian(x: Points) -> Any:
        below, above = ends(x)
        return _diagonal(weight / unit**2 * (1 / below**2 + 1 / above**2))

    away = "{0}" if unit == 1 else f"{{0}}/{formulas.number(unit)}"
    return Function(
        description="interval",
        value=value,
        gradient=gradient,
        hessian=hessian,
        L=np.inf,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        formula=lambda: formulas.summed(weight, f"-log(1 - {away}) - log(1 + {away})", centre),
    )


def square(draw: Draw, d: int, _: Constants) -> Function:
    """A half square, of which the third derivative is zero."""
    centre, L = draw.points(d, 1, scale=1.0)[0], draw.decades(-1, 1)
    return Function(
        description="half square",
        value=lambda x: L / 2 * ((x - centre) ** 2).sum(axis=-1),
        gradient=lambda x: L * (x - centre),
        hessian=lambda x: _diagonal(L + 0 * x),
        L=L,
        lowest=0.0,
        minimizer=centre,
        convex=True,
        formula=lambda: formulas.half_square(L, centre),
    )


SELF_CONCORDANT: Final[dict[str, Kind]] = {
    "barrier": _make_barrier(tilted=False),
    "tilted barrier": _make_barrier(tilted=True),
    "barrier and square": _make_barrier(tilted=True, squared=True),
    "interval": interval,
    "square": square,
}
