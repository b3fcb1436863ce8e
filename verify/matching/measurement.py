"""What a run says about a statement's left-hand side, before anyone judges it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """Replicates of each observable: (replicates,), or (rounds, replicates) where a minimum is taken.

    `ceiling` is certified for every sample of the left-hand side minus the random right-hand side (one per
    round where there are rounds); `second_moment` is certified for the square of its positive part. Either
    may be unknown. `floor` is certified for every sample too, where more is known than of each observable.
    `rounding` is what the roundings of the iterates may change in the mean of each observable.
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
    """The observables of a run that draws no random number, in float64: one number, or one per round.

    `rounding` bounds what roundings may have changed in each of them: measured by a second run when it is
    asked for, not proved.
    """

    observables: Mapping[str, Floats]
    rounding: Callable[[], Mapping[str, float]]


Measurement = Sampled | Exact | Computed
