"""A small chart as SVG inside a page: two kilobytes, in the colors of the page around it, read by its text.

Figures that stand alone are drawn by matplotlib (`reports.plots.files`), which writes ten times as much.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, final

Pair = tuple[float, float]

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 74, 14, 34, 46
BOUND, MEASURED, SECOND = "bound", "measured", "second"  # looks, which differ in color, dash and mark
MARKED: Final = 12  # curves with more points have no marks
LOGARITHMIC: Final = 20.0  # positive values that span more than this are drawn on a logarithmic axis
EDGE: Final = 0.06
CHARACTER: Final = 9.0  # at least its width in the larger letters of a narrow window (report.css)
LONGEST_LABEL: Final = 5  # characters of a number at the axis that has a shorter form


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Points in order; a missing value is a gap. `band` has a lower and an upper value for each place."""

    name: str
    look: str
    points: tuple[tuple[float, float | None], ...]
    band: tuple[tuple[float, float, float], ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Curves over one variable; `shaded` marks a part of the axis, `levels` are named horizontal lines."""

    x: str
    y: str
    in_words: str
    curves: tuple[Curve, ...]
    shaded: Pair | None = None
    levels: tuple[tuple[str, float], ...] = ()


@final
@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    logarithmic: bool
    start: float
    stop: float

    def at(self, value: float) -> float:
        a, b, v = (
            (math.log10(x) for x in (self.low, self.high, value))
            if self.logarithmic
            else (self.low, self.high, value)
        )
        return round(self.start + (v - a) / (b - a) * (self.stop - self.start), 1)

    def ticks(self) -> list[float]:
        if not self.logarithmic:
            return _round_numbers(self.low, self.high)
        low, high = math.ceil(math.log10(self.low)), math.floor(math.log10(self.high))
        powers = [float(10.0**n) for n in range(low, high + 1, max(1, math.ceil((high - low) / 6)))]
        return powers if len(powers) > 1 else _round_numbers(self.low, self.high)


def _round_numbers(low: float, high: float) -> list[float]:
    """About five numbers with few digits."""
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
    first = math.ceil(low / step)
    return [round(n * step, 12) for n in range(first, math.floor(high / step) + 1)]


def svg(chart: Chart) -> str:
    """Draw the chart; `told` is its alternative text."""
    xs = [x for c in chart.curves for x, _ in c.points] + list(chart.shaded or ())
    ys = [y for c in chart.curves for _, y in c.points if y is not None]
    ys += [v for c in chart.curves for _, *ends in c.band for v in ends] + [v for _, v in chart.levels]
    ys = [y for y in ys if math.isfinite(y)]
    x = _Scale(*_range(xs, 0.0), False, LEFT, WIDTH - RIGHT)
    logarithmic = bool(ys) and min(ys) > 0 and max(ys) > LOGARITHMIC * min(ys)
    y = _Scale(*_range(ys, EDGE, logarithmic), logarithmic, HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(chart.in_words)}">',
        *_shade(chart, x),
        *_axes(chart, x, y),
        *(piece for curve in chart.curves for piece in _curve(curve, x, y)),
        *_levels(chart, y),
        *_legend(chart),
        "</svg>",
    ]
    return "".join(parts)


def _range(values: Sequence[float], edge: float, logarithmic: bool = False) -> Pair:
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if logarithmic:
        return low / (high / low) ** edge, high * (high / low) ** edge
    if low == high:
        room = abs(low) / 2 or 1.0
        return low - room, high + room
    return low - edge * (high - low), high + edge * (high - low)


def _shade(chart: Chart, x: _Scale) -> list[str]:
    if chart.shaded is None:
        return []
    a, b = (x.at(end) for end in chart.shaded)
    return [f'<rect class="shade" x="{a}" y="{TOP}" width="{b - a:.1f}" height="{HEIGHT - BOTTOM - TOP}"/>']


def _axes(chart: Chart, x: _Scale, y: _Scale) -> list[str]:
    floor = HEIGHT - BOTTOM
    middle, center = (TOP + floor) / 2, (LEFT + WIDTH - RIGHT) / 2
    out = [f'<path class="axis" d="M{LEFT} {TOP}V{floor}H{WIDTH - RIGHT}"/>']
    for tick in x.ticks():
        out.append(f'<text x="{x.at(tick)}" y="{floor + 16}" text-anchor="middle">{_number(tick)}</text>')
    for tick in y.ticks():
        out.append(f'<path class="grid" d="M{LEFT} {y.at(tick)}H{WIDTH - RIGHT}"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y.at(tick) + 4}" text-anchor="end">{_number(tick)}</text>')
    return [
        *out,
        f'<text x="{center}" y="{HEIGHT - 8}" text-anchor="middle">{escape(chart.x)}</text>',
        f'<text transform="translate(14 {middle})rotate(-90)" text-anchor="middle">{escape(chart.y)}</text>',
    ]


def _number(value: float) -> str:
    """A long label would lie on the name of the axis, where a phone enlarges the text."""
    plain = f"{value:g}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")
    if len(plain) <= LONGEST_LABEL:
        return plain
    mantissa, _, power = f"{value:.5e}".partition("e")
    return min(plain, f"{mantissa.rstrip('0').rstrip('.')}e{int(power)}", key=len)


def _curve(curve: Curve, x: _Scale, y: _Scale) -> list[str]:
    out = []
    if curve.band:
        low = [f"{x.at(at)} {y.at(_inside(a, y))}" for at, a, _ in curve.band]
        high = [f"{x.at(at)} {y.at(_inside(b, y))}" for at, _, b in curve.band]
        out.append(f'<path class="band {curve.look}" d="M{"L".join([*low, *high[::-1]])}Z"/>')
    pieces, pen = [], "M"
    shown = []
    for at, value in curve.points:
        if value is None or not math.isfinite(value):
            pen = "M"
            continue
        place = f"{x.at(at)} {y.at(_inside(value, y))}"
        pieces.append(pen + place)
        shown.append(place)
        pen = "L"
    out.append(f'<path class="line {curve.look}" d="{"".join(pieces)}"/>')
    if len(shown) <= MARKED:
        out += [f'<path class="mark {curve.look}" d="M{place}h0"/>' for place in shown]
    return out


def _inside(value: float, scale: _Scale) -> float:
    return min(max(value, scale.low), scale.high)


def _levels(chart: Chart, y: _Scale) -> list[str]:
    out = []
    for name, value in chart.levels:
        at = y.at(value)
        out.append(f'<path class="level" d="M{LEFT} {at}H{WIDTH - RIGHT}"/>')
        out.append(f'<text x="{WIDTH - RIGHT - 4}" y="{at - 5}" text-anchor="end">{escape(name)}</text>')
    return out


def _legend(chart: Chart) -> list[str]:
    out, at = [], float(LEFT)
    for curve in chart.curves:
        out.append(f'<path class="line {curve.look}" d="M{at:.0f} 14h26"/>')
        out.append(f'<text x="{at + 32:.0f}" y="18">{escape(curve.name)}</text>')
        at += 56 + CHARACTER * len(curve.name)
    return out
