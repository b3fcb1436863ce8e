"""From what the objects of a lemma are drawn: a family of cases, and a generator that belongs to one draw.

A recipe asks for dimensions, points, agents, shares of what a hypothesis allows and functions of known
constants. The family decides how they come out, so that one recipe yields random and adversarial objects.
"""

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Points = NDArray[Any]

# Cases of one draw, along the first axis of what is drawn for each case: no other axis is as long.
CASES: Final = 11
MOST_STEPS: Final = 12
FEW: Final = 6
ARRANGED: Final = ("", "identical", "one apart", "one alone", "two groups")  # of many
SPREAD: Final = 5.0  # decades, up and down, of the vectors of one index in a family where they lie far apart


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The special features of a family's cases; None and the defaults leave them to chance.

    `reach`: decades of a number up and down. `apart`: vectors of one index differ by decades, outcomes are
    rare, shares come near both ends. `many`: so many entries of an index, at most.
    """

    name: str
    dimension: int | None = None
    scale: float = 1.0
    share: float | None = None
    agents: str = ""
    curves: tuple[str, ...] = ()
    reach: float = 2.0
    apart: bool = False
    many: int = 0


RANDOM = Family(name="random")
FAMILIES: Final = (
    RANDOM,
    Family(name="one dimension", dimension=1),
    Family(name="identical", agents="identical"),
    Family(name="one apart", agents="one apart"),
    Family(name="zeros", agents="zeros"),
    Family(name="huge", scale=1e5),
    Family(name="tiny", scale=1e-5),
    Family(name="edge of the conditions", share=1.0),
    Family(name="edge, one dimension", share=1.0, dimension=1),
    Family(name="half squares, edge", share=1.0, curves=("half square",)),
    Family(name="kinks", curves=("huber", "hinge")),
    Family(name="plateaus", curves=("hinge", "hyperbola", "constant"), scale=30.0),
)
MANY: Final = Family(name="many", dimension=120, many=40)
# Beside these, for a lemma that declares its objects: what holds in three dimensions, for six clients and for
# numbers and outcomes of one size may fail for others.
FOR_DECLARED: Final = (
    Family(name="eight dimensions", dimension=8),
    MANY,
    Family(name="far apart", reach=15.0, apart=True),
    Family(name="apart", apart=True),
)


class Draw:
    """One draw of a family; equal seeds draw equal objects. `plain` where numbers are short fractions."""

    plain = False

    def __init__(self, family: Family, random: Generator) -> None:
        self.family, self.random = family, random

    def dimension(self, largest: int = 4) -> int:
        return self.family.dimension or int(self.random.integers(1, largest + 1))

    def count(self, low: int, high: int) -> int:
        """A whole number from low to high; both ends are drawn more often than others."""
        if self.random.random() < 0.3:
            return int(self.random.choice([low, high]))
        return int(self.random.integers(low, high + 1))

    def share(self) -> float:
        """A share of the allowed range, from next to nothing to all of it."""
        if self.family.apart:
            inside, small = self.between(0.0, 1.0), self.decades(-6, -1)
            return float(self.random.choice([inside, inside, small, 1 - small, 1.0]))
        return self.family.share or float(self.random.choice([0.01, 0.3, 1.0]))

    def size(self) -> float:
        """A number of no known limit, from its end on."""
        return self.decades(-self.family.reach, self.family.reach)

    def integer(self, low: int, high: int) -> int:
        """A whole number of a lemma: up to a few, or over decades up to high where all is far apart."""
        if self.family.apart and high > low and not self.chance(0.3):
            return low - 1 + int(self.decades(0, float(np.log10(high - low + 1))))
        return self.count(low, min(high, low + MOST_STEPS))

    def entries(self, low: int, high: int | None) -> int:
        """How many an index has; a few where nothing limits them, or many, and not as many as cases."""
        chosen = self.count(low, max(low, self.family.many or FEW) if high is None else high)
        return chosen + 1 if high is None and chosen == CASES else chosen

    def weight(self) -> float:
        """Draw the weight of an outcome, a whole number."""
        return self.skew() if self.family.apart else float(self.count(1, 4))

    def skew(self) -> float:
        """A power of two: how much more likely one outcome is than another."""
        return 2.0 ** self.count(0, 20 if self.family.apart else 2)

    def between(self, low: float, high: float) -> float:
        return float(self.random.uniform(low, high))

    def decades(self, low: float, high: float) -> float:
        """Log-uniform between 10^low and 10^high."""
        return float(10 ** self.random.uniform(low, high))

    def length(self) -> float:
        """A length of the family's scale."""
        return self.family.scale * self.decades(-2, 1)

    def chance(self, probability: float) -> bool:
        return bool(self.random.random() < probability)

    def points(self, d: int, *leading: int, scale: float = 3.0) -> Points:
        """(leading, d), CASES where nothing is said; half of them zero in the family of zeros."""
        drawn = self.random.standard_normal((*(leading or (CASES,)), d)) * scale * self.family.scale
        if self.family.many and self.chance(0.5):
            drawn = np.sign(drawn) * scale
        if self.family.agents == "zeros":
            drawn = drawn * (self.random.random((*drawn.shape[:-1], 1)) < 0.5)
        return np.asarray(drawn)

    def agents(self, n: int, d: int) -> Points:
        """(CASES, n, d): a vector for each of n clients, data points or outcomes."""
        drawn = self.random.standard_normal((CASES, n, d)) * 3 * self.family.scale
        return self._arranged(drawn * self._sizes(n))

    def numbers(self, n: int) -> Points:
        """(CASES, n): numbers from 0 on, one for each of n."""
        drawn = self.random.exponential(size=(CASES, n, 1)) * self.family.scale
        return self._arranged(drawn * self._sizes(n))[..., 0]

    def _sizes(self, n: int) -> Any:
        """(CASES, n, 1), over decades where all is far apart; 1.0 elsewhere, so that the stream stays."""
        if not self.family.apart:
            return 1.0
        return 10.0 ** self.random.uniform(-SPREAD, SPREAD, (CASES, n, 1))

    def _arranged(self, drawn: Any) -> Points:
        """Along the axis before the last; of many, in every case in a way of its own."""
        if not self.family.many:
            return self._arrange_as(drawn, self.family.agents)
        ways = np.stack([self._arrange_as(drawn, kind) for kind in ARRANGED])
        return np.asarray(ways[self.random.integers(len(ARRANGED), size=CASES), np.arange(CASES)])

    def _arrange_as(self, drawn: Any, kind: str) -> Points:
        if kind == "identical":
            drawn = np.broadcast_to(drawn[..., :1, :], drawn.shape).copy()
        elif kind == "one apart":
            drawn = drawn.copy()
            drawn[..., 1:, :] = drawn[..., -1:, :]
        elif kind == "one alone":
            drawn = drawn * (np.arange(drawn.shape[-2]) == 0)[:, None]
        elif kind == "two groups":
            first = np.arange(drawn.shape[-2]) < (drawn.shape[-2] - 1) // 2  # fewer than the others
            drawn = np.where(first[:, None], drawn[..., :1, :], drawn[..., -1:, :])
        elif kind == "zeros":
            drawn = drawn * (self.random.random((*drawn.shape[:-1], 1)) < 0.5)
        return np.asarray(drawn)

    def directions(self, d: int, *leading: int) -> Points:
        """Vectors of length one."""
        drawn = self.random.standard_normal((*(leading or (CASES,)), d))
        return np.asarray(drawn / np.linalg.norm(drawn, axis=-1, keepdims=True))

    def basis(self, d: int) -> Points:
        """The columns of a random orthogonal matrix."""
        return np.asarray(np.linalg.qr(self.random.standard_normal((d, d)))[0])

    def centred(self, outcomes: int, d: int, *leading: int) -> Points:
        """(leading, outcomes, d) of mean exactly zero: signs of vectors, so an even number of outcomes."""
        half = self.points(d, *leading, outcomes // 2)
        return np.concatenate([half, -half], axis=-2)

    def moved(self, x: Points, length: float) -> Points:
        """Points at most this far away; at just that distance where the family takes all that is allowed."""
        far = np.full((*x.shape[:-1], 1), length) * (1 - 1e-12)
        if self.family.share is None:
            far = far * self.random.random(far.shape)
        return np.asarray(x + far * self.directions(x.shape[-1], *x.shape[:-1]))
