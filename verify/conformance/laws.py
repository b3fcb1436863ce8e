"""Tests of a mean between known limits, from both sides, at a stated level: see docs/error_level.md."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

import numpy as np

from synthetic.engine.randomness import Floats
from verify.statistics.betting import rejects_above, rejects_below

LEVEL = 1e-6  # of all tests of one conformance check together
TESTS = 250  # more than there are; each has an equal share, on each of its two sides


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mean:
    """The claim that independent samples between low and high have this mean; slip: what it means if not."""

    name: str
    samples: Floats
    mean: float
    low: float
    high: float
    slip: str

    def measured(self) -> float:
        return float(self.samples.mean())

    def is_rejected(self, among: int = 1) -> bool:
        """`among`: the number of claims that share the level of one."""
        share = LEVEL / (2 * TESTS * among)
        above = rejects_above(self.samples, self.mean, self.low, share)
        return above or rejects_below(self.samples, self.mean, self.high, share)


def first_rejected(claims: Iterable[Mean]) -> Mean | None:
    return next((claim for claim in claims if claim.is_rejected()), None)


def successive(table: Floats) -> tuple[Floats, Floats]:
    """Rows 0, 2, 4, ... and the rows after them: pairs that share no row, hence independent."""
    even = len(table) // 2 * 2
    return np.asarray(table[0:even:2]), np.asarray(table[1:even:2])
