"""Piecewise quadratic functions on the line in rationals: their means, infima, slopes and curvatures."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import final

from synthetic.certified import rationals
from synthetic.problems.on_the_line.shapes import Shape

Place = tuple[Fraction, Fraction]  # a value and the point where it is taken


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """bend x^2/2 + slope x + height from low to high; None is minus or plus infinity."""

    low: Fraction | None
    high: Fraction | None
    bend: Fraction
    slope: Fraction
    height: Fraction

    def value(self, x: Fraction) -> Fraction:
        return (self.bend * x / 2 + self.slope) * x + self.height

    def derivative(self, x: Fraction) -> Fraction:
        return self.bend * x + self.slope

    def holds(self, x: Fraction) -> bool:
        return (self.low is None or self.low <= x) and (self.high is None or x <= self.high)


Curve = list[Piece]  # from left to right, without gaps


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """offset + height shape(direction (x - center)/width)."""

    shape: Shape
    center: Fraction
    width: Fraction
    height: Fraction
    direction: Fraction
    offset: Fraction

    @property
    def infimum(self) -> Fraction | None:
        lowest = self.shape.infimum
        return None if lowest is None else self.offset + self.height * Fraction(lowest)

    def curve(self) -> Curve:
        breaks = [self.center + self.direction * self.width * Fraction(t) for t in self.shape.breaks]
        lows: list[Fraction | None] = [None, *breaks]
        highs: list[Fraction | None] = [*breaks, None]
        if self.direction < 0:
            lows, highs = highs, lows
        pieces = [
            self._piece(low, high, *(Fraction(number) for number in numbers))
            for low, high, numbers in zip(lows, highs, self.shape.pieces, strict=True)
        ]
        return pieces if self.direction > 0 else pieces[::-1]

    def _piece(
        self,
        low: Fraction | None,
        high: Fraction | None,
        anchor: Fraction,
        value: Fraction,
        slope: Fraction,
        bend: Fraction,
    ) -> Piece:
        rate = self.direction / self.width
        start = -rate * self.center - anchor  # the argument of the piece is rate x + start
        return Piece(
            low=low,
            high=high,
            bend=self.height * bend * rate * rate,
            slope=self.height * rate * (slope + bend * start),
            height=self.offset + self.height * (value + slope * start + bend * start * start / 2),
        )


def mean_curve(curves: list[Curve]) -> Curve:
    cuts = sorted({cut for curve in curves for cut in _cuts(curve)})
    ends: list[Fraction | None] = [None, *cuts, None]
    return [
        _mean_piece(low, high, [at(curve, _inside(low, high)) for curve in curves])
        for low, high in pairwise(ends)
    ]


def _mean_piece(low: Fraction | None, high: Fraction | None, pieces: list[Piece]) -> Piece:
    return Piece(
        low=low,
        high=high,
        bend=rationals.mean([piece.bend for piece in pieces]),
        slope=rationals.mean([piece.slope for piece in pieces]),
        height=rationals.mean([piece.height for piece in pieces]),
    )


def _cuts(curve: Curve) -> list[Fraction]:
    return [piece.low for piece in curve if piece.low is not None]


def _inside(low: Fraction | None, high: Fraction | None) -> Fraction:
    if low is None:
        return Fraction(0) if high is None else high - 1
    return low + 1 if high is None else (low + high) / 2


def at(curve: Curve, x: Fraction) -> Piece:
    return next(piece for piece in curve if piece.holds(x))


def lowest(curve: Curve) -> Place | None:
    """The minimum, and of the points that take it the one nearest to 0; None if unbounded below."""
    first, last = curve[0], curve[-1]
    falls_left = first.bend < 0 or (first.bend == 0 and first.slope > 0)
    falls_right = last.bend < 0 or (last.bend == 0 and last.slope < 0)
    if falls_left or falls_right:
        return None
    places = [(piece.value(x), x) for piece in curve for x in _candidates(piece)]
    return min(places, key=lambda place: (place[0], abs(place[1])))


def _candidates(piece: Piece) -> Iterable[Fraction]:
    """The ends, and the point of the piece nearest to 0 among those where the derivative vanishes."""
    ends = [end for end in (piece.low, piece.high) if end is not None]
    inner = [Fraction(0)] if piece.bend == piece.slope == 0 else []
    if piece.bend > 0:
        inner = [-piece.slope / piece.bend]
    return [*ends, *(x for x in inner if piece.holds(x))]


def steepest(curve: Curve) -> Fraction | None:
    """The supremum of |derivative|; None if it is unbounded."""
    if curve[0].bend != 0 or curve[-1].bend != 0:
        return None
    cuts = _cuts(curve)
    return max(abs(at(curve, x).derivative(x)) for x in cuts) if cuts else abs(curve[0].slope)


def difference(left: Curve, right: Curve) -> Curve:
    """left - right, both on the pieces of right, which must be the finer."""
    pieces = [(at(left, _inside(piece.low, piece.high)), piece) for piece in right]
    return [
        Piece(
            low=piece.low,
            high=piece.high,
            bend=own.bend - piece.bend,
            slope=own.slope - piece.slope,
            height=own.height - piece.height,
        )
        for own, piece in pieces
    ]
