"""The constants of a class, as numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from verify.objects.draw import Draw
from verify.objects.functions import Function


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """What the declaration names, as numbers; None where it names nothing."""

    smooth: float | None
    strong: float | None
    lipschitz: float | None
    lojasiewicz: float | None
    growth: float | None = None
    weak: float | None = None
    exponent: float | None = None


Kind = Callable[[Draw, int, Constants], Function]


def curvature(draw: Draw, constants: Constants) -> float:
    """The largest curvature of the class, or one that is drawn where nothing bounds it."""
    if constants.smooth is not None:
        return constants.smooth
    largest = draw.decades(-1, 1)
    return max(largest, 2 * max(constants.strong or 0, constants.lojasiewicz or 0))


def least_of(constants: Constants) -> float:
    return constants.strong if constants.strong is not None else constants.lojasiewicz or 0.0
