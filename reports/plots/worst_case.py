"""A certified worst case over one parameter, beside the bound of the statement."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from reports.plots.axis import Axis
from reports.plots.comparison import Comparison, Point, Series
from reports.plots.style import curves
from verify.worst_case.answer import Answer
from verify.worst_case.numbers import rounded_down, rounded_up

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def compared(answers: Sequence[tuple[Mapping[str, Fraction], Answer]]) -> Comparison:
    """One series for the worst case, and one for the bound if a statement is asked about."""
    (name,) = answers[0][0]
    places = [float(at[name]) for at, _ in answers]
    found = [answer for _, answer in answers]
    series = [_series("certified worst case", places, [_worst(answer) for answer in found])]
    if any(answer.bound is not None for answer in found):
        bounds = [None if answer.bound is None else float(answer.bound) for answer in found]
        series.append(_series("bound", places, [(value, None, None) for value in bounds]))
    measured = next((a.found.setting.observable for a in found if a.found is not None), "worst case")
    return Comparison(
        mode="worst",
        title=f"Worst case of {found[0].target}",
        axes=(Axis(name=name, label=name, values=tuple(places)),),
        label=measured.replace("_", " "),
        unit="",
        series=tuple(series),
    )


Ends = tuple[float | None, float | None, float | None]


def _worst(answer: Answer) -> Ends:
    if answer.found is None:
        return None, None, None
    upper, lower = answer.found.upper, answer.found.lower
    return rounded_up(upper), None if lower is None else rounded_down(lower), rounded_up(upper)


def _series(name: str, places: Sequence[float], ends: Sequence[Ends]) -> Series:
    points = tuple(
        Point(at=(place,), value=value, lower=lower, upper=upper)
        for place, (value, lower, upper) in zip(places, ends, strict=True)
    )
    return Series(name=name, kind="bound", label=name, points=points)


def draw(comparison: Comparison, figure: "Figure") -> None:
    curves(comparison, figure)
