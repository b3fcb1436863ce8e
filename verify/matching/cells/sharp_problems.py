"""Problems on which usual bounds are reached, or nearly: there a false one has no slack to hide in.

Noise that nothing but the curvature damps, of many clients and in many coordinates, so that a lost n or d
shows; the same of clients that pull apart along all axes at once, so that what is drawn for each coordinate
is seen, and of whom the first half pulls against the last along one, as neighbors that average do worst; the
same where it is damped least, in runs that are long enough for that; clients whose curvatures go with their
slopes, so that local steps drift; clients whose gradients bend; slopes that are as long in a flat direction
as in a steep one, so that steps that fit one fit the other worst; a curvature that all coordinates share, so
that steps along one undo those along others, with a start along it, where a gap is as large as its distance
allows; a kink, around which steady steps go back and forth; the same with the last quarter of the clients
far away, so that clients in turn pull each other from it; and clients that pull apart as far as their slopes
allow.
Small steps show a wrong power of the step. They carry one cell each, and no other.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, final

from verify.matching.cells.largest_allowed import EDGE
from verify.matching.cells.standard_problems import DRAWN, Candidate

NEAR: Final = 1e-3  # of a start from the minimizer, in every coordinate
NEARER: Final = 1e-4
TENTH: Final = 0.1
PULL: Final = 1.375  # between two powers of two, as far as rounding to them is worst


class Change(Enum):
    """What a cell does to the settings of the author's own: `verify.matching.cells.sharp`."""

    LEAST = "smallest counts"
    MANY = "large counts"
    SMALL = "small thresholds"
    NONE = "as in the example"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Sharp:
    """A problem, where runs on it start, their share of the limits, and how many times longer they are.

    once: in one round, whose value no later one makes smaller.
    """

    name: str
    arguments: dict[str, Any]
    title: str
    away: float | tuple[float, ...] = NEAR
    share: float = EDGE
    longer: int = 1
    once: bool = False
    change: Change = Change.LEAST
    candidate: Candidate = field(init=False)

    def __post_init__(self) -> None:
        candidate = Candidate(name=self.name, apart=self.arguments, title=self.title)
        object.__setattr__(self, "candidate", candidate)


def _diagonal(*centers: tuple[float, ...], curvatures: tuple[float, ...]) -> dict[str, Any]:
    return {"curvatures": (curvatures,) * len(centers), "centers": centers}


def _pairs(dimension: int) -> Iterator[tuple[float, ...]]:
    """On every axis one to each side."""
    for axis in range(dimension):
        yield from (tuple(side * (i == axis) for i in range(dimension)) for side in (PULL, -PULL))


def _signs(rows: int) -> Iterator[tuple[float, ...]]:
    """The signs of Walsh functions: those of any two axes agree for half of the clients."""
    for row in range(rows):
        yield tuple(PULL * (-1) ** (row & axis).bit_count() for axis in range(1, rows))


_APART: Final = _diagonal(*_pairs(8), curvatures=(1.0,) * 8)
_EVERYWHERE: Final = _diagonal(*_signs(16), curvatures=(1.0,) * 15)
_DRIFT: Final = {"curvatures": ((1.0,), (0.05,)), "centers": ((10.0,), (-10.0,))}
_FLAT: Final = _diagonal(*((0.0, 10.0), (0.0, -10.0)) * 2, curvatures=(1.0, 0.1))
_ALIKE: Final = _diagonal((0.0, 0.0), (0.0, 0.0), curvatures=(1.0, 0.05))
# e e^T + I/16 with e = (1, ..., 1)/4: nothing of it is rounded
_COUPLED: Final = {
    "factors": (((0.25,),) * 16,) * 2,
    "centers": ((0.0,) * 16,) * 2,
    "shift": 1 / 16,
}
_KINK: Final = {"curvature": 64.0, "threshold": 1 / 64, "centers": ((0.0,) * 4,) * 2}
_LAST: Final = _KINK | {"centers": ((0.0,),) * 9 + ((16.0,),) * 3}
# hardly less than 1 from their mean, and of no two coordinates alike, so that compression loses something
_TETRAHEDRON: Final = ((0.0, 0.0, 0.96), (0.9, 0.0, -0.32), (-0.45, 0.78, -0.32), (-0.45, -0.78, -0.32))
_SLOPES: Final = {"curvature": 1.0, "threshold": 1.0, "centers": _TETRAHEDRON}

SHARP: Final = (
    Sharp(name="quadratic.diagonal", arguments=_APART, title="quadratics apart"),
    Sharp(
        name="quadratic.diagonal",
        arguments=_APART,
        title="quadratics apart, small steps",
        away=NEARER,
        share=TENTH,
        change=Change.MANY,
    ),
    Sharp(name="quadratic.diagonal", arguments=_EVERYWHERE, title="quadratics apart along all axes"),
    Sharp(
        name="quadratic.diagonal",
        arguments=_DRIFT,
        title="quadratics that drift",
        away=NEARER,
        change=Change.NONE,
    ),
    Sharp(
        name="quadratic.diagonal",
        arguments=_FLAT,
        title="quadratics apart where they are flat",
        longer=4,
    ),
    Sharp(
        name="quadratic.diagonal",
        arguments=_ALIKE,
        title="quadratics alike, started across the curvatures",
        away=(0.05, 1.0),
    ),
    Sharp(name="quadratic.low_rank", arguments=_COUPLED, title="quadratics coupled"),
    Sharp(name="quadratic.low_rank", arguments=_COUPLED, title="quadratics coupled, one round", once=True),
    Sharp(
        name="logistic.small",
        arguments=DRAWN | {"heterogeneity": 1.0},
        title="logistic, near the minimizer",
    ),
    Sharp(name="huber.huber", arguments=_KINK, title="huber, a kink", away=0.5, change=Change.SMALL),
    Sharp(name="huber.huber", arguments=_KINK, title="huber, at a kink"),
    Sharp(name="huber.huber", arguments=_LAST, title="huber, the last clients apart", away=0.5),
    Sharp(name="huber.huber", arguments=_SLOPES, title="huber, clients apart"),
    Sharp(
        name="huber.huber",
        arguments=_SLOPES,
        title="huber, clients apart, small steps",
        away=NEARER,
        share=TENTH,
        change=Change.MANY,
    ),
)
