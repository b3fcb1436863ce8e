"""How all figures look: told apart by colour (Okabe and Ito's), in grey by line, marker and hatch."""

import math
import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from reports.cli.terminal import NO_BREAK
from reports.plots.axis import Axis
from reports.plots.comparison import Comparison, Series

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHEET = Path(__file__).with_name("style.mplstyle")

# Colour, line and marker of a curve: neighbours differ in all three, and in grey in two of them.
CURVES = (
    ("#000000", "-", "o"),
    ("#0072B2", "--", "s"),
    ("#D55E00", "-.", "^"),
    ("#009E73", ":", "D"),
    ("#CC79A7", (0, (5, 1, 1, 1, 1, 1)), "v"),
    ("#56B4E9", (0, (8, 3)), "P"),
    ("#E69F00", (0, (1, 1)), "X"),
)
# Light enough to see a hatch on; the hatches tell the areas apart in grey.
AREAS = (
    ("#8fc1e3", ""),
    ("#f6c667", "///"),
    ("#9fd8c4", "..."),
    ("#eab6d2", "\\\\\\"),
    ("#d9d9d9", "xxx"),
    ("#f5a98a", "---"),
)
FORMULA = re.compile(r"\$[^$]*\$")
MARGIN = 0.04  # of the length of an axis
MARKERS = 12  # on a curve; all points where there are fewer
LOGARITHMIC = 20  # positive values that span more than this are drawn on a log axis
FAILING: dict[str, Any] = {"facecolor": "0.93", "edgecolor": "0.55", "hatch": "////", "linewidth": 0}


@contextmanager
def styled() -> Iterator["Figure"]:
    """An empty figure under the one style sheet; no window system and no pyplot is asked for."""
    import matplotlib.style
    from matplotlib.figure import Figure

    with matplotlib.style.context(["default", str(SHEET)]):
        yield Figure()


@final
class Wheel:
    """Hands out the looks of curves in turn."""

    def __init__(self) -> None:
        self.drawn = 0

    def curve(self, axes: Any, series: Series) -> None:
        """Where a condition fails there is no curve; a band where the values have one."""
        color, line, marker = CURVES[self.drawn % len(CURVES)]
        step = max(1, math.ceil(len(series.points) / MARKERS))
        # Shifted against each other, so that curves that coincide both show.
        shift = self.drawn % len(CURVES) * step // 3 % step
        self.drawn += 1
        places = np.array([p.at[0] for p in series.points])
        values = np.array([p.value if p.shown else np.nan for p in series.points], dtype=np.float64)
        low = np.array([_end(p.lower) for p in series.points])
        high = np.array([_end(p.upper) for p in series.points])
        axes.plot(
            places,
            values,
            color=color,
            linestyle=line,
            marker=marker,
            markevery=(shift, step),
            label=drawable(series.label, series.name),
        )
        if np.isfinite(low + high).any():
            axes.fill_between(places, low, high, color=color, alpha=0.18, linewidth=0)


def _end(value: float | None) -> float:
    return math.nan if value is None else value


def curves(comparison: Comparison, figure: "Figure") -> None:
    """All series over one axis; where there is one alone, what is missing of it is hatched."""
    axes: Any = figure.add_subplot()
    wheel = Wheel()
    for series in comparison.series:
        wheel.curve(axes, series)
    if len(comparison.series) == 1:
        hatch_failing(axes, comparison)
    value_axis(axes, comparison)
    title_of(axes, comparison)


def value_axis(axes: Any, comparison: Comparison) -> None:
    """Both axes named, a legend below where it covers nothing."""
    on_axis(axes.xaxis, comparison.axes[0])
    span_axis(axes, comparison.axes[0])
    axes.set_ylabel(value_label(comparison))
    shown = [p.value for s in comparison.series for p in s.points if p.shown and p.value is not None]
    if shown and min(shown) > 0 and max(shown) > LOGARITHMIC * min(shown):
        axes.set_yscale("log")
    handles, labels = axes.get_legend_handles_labels()
    if len(labels) > 1:
        longest = max(map(len, labels))
        columns = 3 if longest < 28 else 2 if longest < 45 else 1
        axes.get_figure().legend(handles, labels, loc="outside lower center", ncols=columns)


def on_axis(of: Any, axis: Axis) -> None:
    from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

    of.set_label_text(wrapped(drawable(axis.label, axis.name), 80))
    if axis.logarithmic:
        of.axes.set(**{f"{of.axis_name}scale": "log"})
        if axis.values[-1] < 1e3 * axis.values[0]:  # powers of ten alone would be too few
            of.set_major_locator(LogLocator(subs=(1, 2, 5)))
            of.set_major_formatter(StrMethodFormatter("{x:g}"))
            of.set_minor_formatter(NullFormatter())
    elif all(value.is_integer() for value in axis.values):
        of.set_major_locator(MaxNLocator(integer=True))


def span_axis(axes: Any, axis: Axis) -> None:
    """From end to end, also where nothing is drawn."""
    start, stop = axis.values[0], axis.values[-1]
    if axis.logarithmic:
        axes.set_xlim(start * (start / stop) ** MARGIN, stop * (stop / start) ** MARGIN)
    else:
        axes.set_xlim(start - MARGIN * (stop - start), stop + MARGIN * (stop - start))


def value_label(comparison: Comparison) -> str:
    unit = {"": "", "1": " [no unit]"}.get(comparison.unit, f" [{comparison.unit}]")
    return wrapped(f"{drawable(comparison.label, '')}{unit}", 44)


def title_of(axes: Any, comparison: Comparison) -> None:
    axes.set_title(wrapped(comparison.title, 82))


def wrapped(text: str, width: int) -> str:
    """Lines that do not end inside a formula."""
    unbroken = FORMULA.sub(lambda found: found[0].replace(" ", NO_BREAK), text)
    return "\n".join(textwrap.wrap(unbroken, width, break_long_words=False)).replace(NO_BREAK, " ")


def drawable(text: str, instead: str) -> str:
    """The text, with `instead` in the place of a formula that matplotlib cannot draw."""
    from matplotlib.mathtext import MathTextParser

    try:
        MathTextParser("path").parse(text)
    except ValueError:
        return FORMULA.sub(lambda found: instead, text).rstrip(" ,")
    return text


def hatch_failing(axes: Any, comparison: Comparison, series: Series | None = None) -> None:
    """The parts of the axis at which a condition fails, halfway to the neighbours."""
    (axis,) = comparison.axes
    usable = [p.usable is not False for p in (series or comparison.series[0]).points]
    if not any(usable):
        axes.set_yticks([])
    ends = _halfway(axis)
    first = True
    for start, stop in _runs(usable):
        label = "a condition fails" if first else None
        axes.axvspan(ends[start], ends[stop], zorder=0.5, label=label, **FAILING)
        first = False


def _runs(usable: list[bool]) -> list[tuple[int, int]]:
    """[start, stop) of what is not usable."""
    pairs = pairwise([True, *usable, True])
    edges = [place for place, (before, here) in enumerate(pairs) if before != here]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _halfway(axis: Axis) -> list[float]:
    values = axis.values
    inner = [math.sqrt(a * b) if axis.logarithmic else (a + b) / 2 for a, b in pairwise(values)]
    return [values[0], *inner, values[-1]]
