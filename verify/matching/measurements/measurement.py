"""What a run says about a statement's left-hand side, before anyone judges it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypedDict, final

import numpy as np
from numpy.typing import NDArray

from bounds.language.quantity import States

Floats = NDArray[np.float64]

# Which states a measurement takes, from the one before the first round to the one after the last.
OF_STATES: Final = {
    States.ALL: slice(None),
    States.BEFORE_A_ROUND: slice(None, -1),
    States.AFTER_A_ROUND: slice(1, None),
}


class Certificates(TypedDict, total=False):
    """Certified limits of every sample of the left-hand side minus the random right-hand side.

    The `ceiling` is above it (one per round where there are rounds), the `second_moment` above the mean
    square of its positive part, and the `floor` below it, where more is known than of each observable.
    `rounding` is given where more is known of it than follows from the size of the iterates.
    """

    ceiling: Floats
    second_moment: float | None
    floor: float | None
    rounding: Mapping[str, float]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """Replicates of each observable: (replicates,), or (rounds, replicates) where a minimum is taken.

    `ceiling`, `second_moment` and `floor` are its certificates, as far as they are known; `rounding` is what
    the roundings of the iterates may change in the mean of each observable.
    """

    observables: Mapping[str, Floats]
    ceiling: Floats | None = None
    second_moment: float | None = None
    floor: float | None = None
    rounding: Mapping[str, float] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Exact:
    """The observables without sampling error, as rationals; `method` says where they come from."""

    observables: Mapping[str, Fraction]
    method: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """The observables without sampling error, in float64: one number, or one per round.

    Of a run that draws no random number, or the means over all `outcomes` of one that draws finitely many, or
    over the `normals` in which one is quadratic. `rounding` bounds what roundings may have changed in each of
    them: measured by a second run when it is asked for, not proved. `of_points` is the part of it that
    follows from the size of the iterates, without another run.
    """

    observables: Mapping[str, Floats]
    rounding: Callable[[], Mapping[str, float]]
    of_points: Mapping[str, float] = field(default_factory=dict)
    outcomes: int = 1
    normals: int = 0


Measurement = Sampled | Exact | Computed
