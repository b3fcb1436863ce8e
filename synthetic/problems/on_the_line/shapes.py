"""Building blocks on the line: continuously differentiable, piecewise quadratic, with small exact numbers."""

from dataclasses import dataclass
from typing import final

from synthetic.arguments import one_of

Number4 = tuple[float, float, float, float]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Pieces from left to right: (anchor a, value, slope, curvature) there, hence the function
    value + slope (t - a) + curvature (t - a)^2/2 between two breaks. The infimum is 0, or None for none.
    """

    breaks: tuple[float, ...]
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
