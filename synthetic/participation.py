"""Which clients take part in a round: an explicit type, never a default."""

from dataclasses import dataclass
from typing import final

import numpy as np

from synthetic.arguments import between, integer_at_least, positive
from synthetic.engine.arithmetic import Array, namespace
from synthetic.engine.randomness import Numbers, Place
from synthetic.errors import BadValue

PURPOSE = "participation"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Full:
    """Every client, every round."""

    def inclusion(self, clients: int) -> float:
        return 1.0

    def draw(self, numbers: Numbers, round: int, clients: int) -> Array:
        one = numbers.array(np.ones((1, clients), dtype=np.bool_))  # a device need not be sent the others
        return namespace(one).broadcast_to(one, (numbers.replicates, clients))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Independent:
    """Each client by its own coin, so a round may have no client at all."""

    probability: float

    def __post_init__(self) -> None:
        # probability 0 is refused: no client is ever heard, and weights 1/probability do not exist
        positive("probability", self.probability)
        between("probability", self.probability, 0, 1)

    def inclusion(self, clients: int) -> float:
        return float(self.probability)

    def draw(self, numbers: Numbers, round: int, clients: int) -> Array:
        if self.probability == 1:  # every coin would show the same side
            return Full().draw(numbers, round, clients)
        return self.probability > coins(numbers, round, clients)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FixedSize:
    """A uniformly random set of `count` distinct clients."""

    count: int

    def __post_init__(self) -> None:
        integer_at_least("count", self.count, 1)

    def inclusion(self, clients: int) -> float:
        self._fits(clients)
        return self.count / clients

    def draw(self, numbers: Numbers, round: int, clients: int) -> Array:
        self._fits(clients)
        # the `count` smallest of independent uniforms are a uniformly random set
        tickets = numbers.uniforms(Place(purpose=PURPOSE, round=round), clients)
        order = namespace(tickets).argsort(tickets, axis=1, stable=True)
        return namespace(tickets).argsort(order, axis=1) < self.count

    def _fits(self, clients: int) -> None:
        if self.count > clients:
            raise BadValue(
                asked="count",
                failed="more clients than there are",
                found=self.count,
                needed=f"at most {clients}",
                change="lower count or use Full()",
            )


Participation = Full | Independent | FixedSize


def coins(numbers: Numbers, round: int, clients: int) -> Array:
    """One uniform for each client of each replicate, (R, n)."""
    return numbers.uniforms(Place(purpose=PURPOSE, round=round), 1, clients)[..., 0].T


def unless_everyone(rule: Participation, taking: Array) -> Array | None:
    """The participants, or None if every client always takes part, so that no sum needs a mask."""
    return None if isinstance(rule, Full) else taking
