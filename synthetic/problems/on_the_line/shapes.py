"""Building blocks on the line: continuously differentiable, piecewise quadratic, with small exact numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from synthetic.arguments import one_of

Exact = float | Fraction
Number4 = tuple[Exact, Exact, Exact, Exact]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Pieces from left to right: (anchor a, value, slope, curvature) there, hence the function
    value + slope (t - a) + curvature (t - a)^2/2 between two breaks. The infimum is 0, or None for none.
    """

    breaks: tuple[Exact, ...]
    pieces: tuple[Number4, ...]
    infimum: float | None = 0.0


SHAPES: dict[str, Shape] = {
    "quadratic": Shape(breaks=(), pieces=((0, 0, 0, 1),)),
    # with width = height = e it is |x| smoothed, within e/2
    "huber": Shape(breaks=(-1, 1), pieces=((-1, 0.5, -1, 0), (0, 0, 0, 1), (1, 0.5, 1, 0))),
    # flat on a half-line of minimisers
    "hinge": Shape(breaks=(0, 1), pieces=((0, 0, 0, 0), (0, 0, 0, 1), (1, 0.5, 1, 0))),
    # no minimum at all
    "linear": Shape(breaks=(), pieces=((0, 0, 1, 0),), infimum=None),
    # not convex: stationary on the upper side, one above the minimum
    "step": Shape(breaks=(0, 1, 2), pieces=((0, 0, 0, 0), (0, 0, 0, 1), (1, 0.5, 1, -1), (2, 1, 0, 0))),
    # not convex: a bowl between two plateaus
    "well": Shape(
        breaks=(-2, -1, 1, 2),
        pieces=((-2, 1, 0, 0), (-2, 1, 0, -1), (0, 0, 0, 1), (1, 0.5, 1, -1), (2, 1, 0, 0)),
    ),
}


def shape(name: str) -> Shape:
    one_of("shape", name, SHAPES)
    return SHAPES[name]


def curved(curvatures: Sequence[Fraction], breaks: Sequence[Fraction]) -> Shape:
    """The function with these second derivatives between the breaks that is lowest at 0, where it is 0.

    The curvatures are not negative, and that of the piece around 0 is positive.
    """
    middle = sum(t <= 0 for t in breaks)
    pieces: list[Number4] = [(Fraction(0), Fraction(0), Fraction(0), curvatures[middle])]
    for bend, t in zip(curvatures[middle + 1 :], breaks[middle:], strict=True):
        pieces.append(_continued(pieces[-1], t, bend))
    for bend, t in zip(curvatures[:middle][::-1], breaks[:middle][::-1], strict=True):
        pieces.insert(0, _continued(pieces[0], t, bend))
    return Shape(breaks=tuple(breaks), pieces=tuple(pieces))


def _continued(piece: Number4, t: Fraction, bend: Fraction) -> Number4:
    """The piece of this curvature that goes on from another at t, with the same value and slope there."""
    anchor, value, slope, curvature = piece
    away = t - anchor
    return t, value + (slope + curvature * away / 2) * away, slope + curvature * away, bend
