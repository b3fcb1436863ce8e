"""A noisy sum, repeated: everything that decides its privacy, as data and without defaults.

None means that nobody states it; who counts must then refuse, by name.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import final

from verify.privacy.errors import BadRequest


class Unit(StrEnum):
    """Whose presence is protected."""

    CLIENT = "client"
    RECORD = "record"


class Relation(StrEnum):
    """What two neighbouring inputs differ in."""

    ADD_OR_REMOVE = "add-or-remove"
    REPLACE_ONE = "replace-one"


class Placement(StrEnum):
    """The party that adds noise: the server, once to the sum, or each participating client."""

    SERVER = "server"
    CLIENTS = "clients"


class Spread(StrEnum):
    """What the square of the standard deviation is: one coordinate's variance, or the sum over all."""

    PER_COORDINATE = "per coordinate"
    TOTAL = "total"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Full:
    """Every unit, every round."""

    @property
    def rate(self) -> float:
        return 1.0

    def __str__(self) -> str:
        return "full"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Independent:
    """Each unit by its own coin (Poisson sampling); what came is divided by a constant, not by its number."""

    probability: float

    def __post_init__(self) -> None:
        if not 0 < self.probability <= 1:
            raise BadRequest(f"a sampling probability must be in (0, 1], not {self.probability:g}")

    @property
    def rate(self) -> float:
        return self.probability

    def __str__(self) -> str:
        return f"independent with probability {self.probability:g}"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FixedSize:
    """A uniformly random set of `drawn` out of `units`, without replacement."""

    drawn: int
    units: int

    def __post_init__(self) -> None:
        if not 1 <= self.drawn <= self.units:
            raise BadRequest(f"fixed-size sampling draws 1 to all units, not {self.drawn} of {self.units}")

    @property
    def rate(self) -> float:
        return self.drawn / self.units

    def __str__(self) -> str:
        return f"fixed size, {self.drawn} of {self.units}"


Sampling = Full | Independent | FixedSize


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanism:
    """The sum of one bounded vector per unit that was drawn, plus Gaussian noise, `rounds` times.

    contribution: the largest norm that one unit adds to the sum.
    deviation: standard deviation of the noise that is drawn at `placement`, in the same scale.
    clients, dimension: needed only where noises add up over clients, and where `spread` is total.
    Only the noisy sum is seen, so that noise of clients protects through secure aggregation alone.
    """

    unit: Unit | None
    relation: Relation | None
    sampling: Sampling | None
    placement: Placement | None
    spread: Spread | None
    deviation: float | None
    contribution: float | None
    rounds: int | None
    clients: int | None
    dimension: int | None
