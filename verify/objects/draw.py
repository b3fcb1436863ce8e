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


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The special features of a family's cases; None and the defaults leave them to chance."""

    name: str
    dimension: int | None = None
    scale: float = 1.0
    share: float | None = None
    agents: str = ""
    curves: tuple[str, ...] = ()


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
# Beside these, for a lemma that declares its objects: what holds in three dimensions may fail in more.
WIDE: Final = Family(name="eight dimensions", dimension=8)


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
        return self.family.share or float(self.random.choice([0.01, 0.3, 1.0]))

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
        if self.family.agents == "zeros":
            drawn = drawn * (self.random.random((*drawn.shape[:-1], 1)) < 0.5)
        return np.asarray(drawn)

    def agents(self, n: int, d: int) -> Points:
        """(CASES, n, d): a vector for each of n clients, data points or outcomes."""
        return self._arranged(self.random.standard_normal((CASES, n, d)) * 3 * self.family.scale)

    def numbers(self, n: int) -> Points:
        """(CASES, n): numbers from 0 on, one for each of n."""
        return self._arranged(self.random.exponential(size=(CASES, n, 1)) * self.family.scale)[..., 0]

    def _arranged(self, drawn: Any) -> Points:
        """Along the axis before the last."""
        kind = self.family.agents
        if kind == "identical":
            drawn = np.broadcast_to(drawn[..., :1, :], drawn.shape).copy()
        elif kind == "one apart":
            drawn = drawn.copy()
            drawn[..., 1:, :] = drawn[..., -1:, :]
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
