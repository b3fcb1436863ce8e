"""Functions of an index whose mean is lowest at a known point, though no one of them need be lowest there.

Each one is moved so that it is lowest at one point, and gets a linear function on top; the linear ones add up
to zero exactly. So the mean is lowest there, in however many digits, convex or not.
"""

from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np

from bounds.language.lemmas.averages import lowest_of_mean, minimizer_of_mean
from bounds.language.lemmas.declaration import Declaration
from bounds.language.lemmas.objects import FunctionObject
from verify.objects import formulas
from verify.objects.classes import constant, drawn_function, written
from verify.objects.constants import Constants
from verify.objects.draw import Draw, Points
from verify.objects.functions import Function

SHORT: Final = 2.0**-20  # what a number loses at most where it is cut to the digits of float32
OF_EACH: Final = ("lowest", "minimizer", "prox", "nearest_minimizer")


def names_minimum_of_mean(f: FunctionObject, declaration: Declaration) -> bool:
    return lowest_of_mean(f) in declaration.names


def why_not_both(f: FunctionObject, declaration: Declaration) -> str | None:
    """Where the mean is lowest and where each one is are not known of the same functions."""
    own = next((part for part in OF_EACH if f"{part}_of_{f.name}" in declaration.names), None)
    if own is None or not names_minimum_of_mean(f, declaration):
        return None
    return (
        f"no functions are drawn for {f.name} where both the minimum of their mean and the "
        f"{own.replace('_', ' ')} of each is named: let the lemma name one of them"
    )


def balanced(
    draw: Draw, d: int, f: FunctionObject, constants: Constants, count: int
) -> tuple[list[Function], dict[str, Any]]:
    """So many functions, and the objects that the minimum of their mean has."""
    alone = replace(f, over=None, bounded_below=True)
    alike, bent = draw.family.agents == "identical", _share_of_bends(draw, f)
    curvature = constants.smooth or 0.0
    own = constants if bent == 0 else replace(constants, smooth=(1 - bent) * curvature)
    if constants.lipschitz is not None:  # the other half is for the linear function
        own = replace(own, lipschitz=constants.lipschitz / 2)

    def make() -> Function:
        return written(constant(draw, d, own)) if bent == 1 else drawn_function(draw, d, alone, own)

    first = make()
    parts = [first, *(first if alike else make() for _ in range(count - 1))]
    at = first.minimizer
    assert at is not None
    slopes = _add_up_to_zero(draw, count, draw.directions(d, 1)[0] * _steepest(draw, constants))
    bends = _add_up_to_zero(draw, count, np.array([bent * curvature]))[:, 0]
    more = zip(parts, slopes, bends, strict=True)
    return [_placed(h, at, _Added(slope, float(bend))) for h, slope, bend in more], {
        lowest_of_mean(f): np.array([h.lowest for h in parts], dtype=float),
        minimizer_of_mean(f): at,
    }


def _share_of_bends(draw: Draw, f: FunctionObject) -> float:
    """How much of the curvature is that of squares whose sum is zero, some of them below zero."""
    plainly_smooth = f.smooth is not None and f.exponent is None
    if f.convex or not plainly_smooth or f.lipschitz is not None or f.weakly_convex is not None:
        return 0.0
    return float(draw.random.choice([0.0, 0.5, 1.0]))


def _steepest(draw: Draw, constants: Constants) -> float:
    if constants.lipschitz is not None:
        return constants.lipschitz / 2 * draw.share()
    return draw.length() * (constants.smooth or 1.0)


def _add_up_to_zero(draw: Draw, count: int, most: Points) -> Points:
    """Multiples of what is given, none above it, whose sum is zero without a rounding.

    They come in pairs, or are one against all others. Of few digits every multiple is exact.
    """
    lone = count > 1 and draw.chance(0.5)
    short = np.asarray(np.float32(most / (count - 1 if lone else 1) * (1 - SHORT)), dtype=np.float64)
    if draw.plain and not lone:
        short = most
    if lone:
        return np.stack([-(count - 1) * short, *[short] * (count - 1)])
    signs = np.where(np.arange(count) % 2 == 0, 1.0, -1.0)
    signs[count - count % 2 :] = 0.0
    return np.asarray(signs[:, None] * short)


@final
@dataclass(frozen=True, slots=True)
class _Added:
    """A linear function and a square, both zero at the point where the mean is lowest."""

    slope: Points
    bend: float


def _placed(h: Function, at: Points, added: _Added) -> Function:
    """The function moved until it is lowest at the point, with the other two on top of it."""
    own, slope, bend = h.minimizer, added.slope, added.bend
    assert own is not None
    alone: dict[str, Any] = dict.fromkeys(("lowest", "minimizer", "prox", "nearest", "telling"))
    if not np.any(own - at) and not np.any(slope) and bend == 0:
        return replace(h, **alone)
    value, gradient, formula = h.value, h.gradient, h.formula

    def risen(x: Points) -> Any:
        return (
            value((x - at) + own) + (slope * (x - at)).sum(axis=-1) + bend / 2 * ((x - at) ** 2).sum(axis=-1)
        )

    moved = replace(
        h,
        value=risen,
        gradient=lambda x: gradient((x - at) + own) + slope + bend * (x - at),
        hessian=None,
        formula=lambda: formulas.placed(formula(), at - own, slope, bend, at),
        **alone,
    )
    return written(moved)
