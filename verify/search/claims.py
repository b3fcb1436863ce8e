"""A claim in words as two exact sides on a small instance, and how the search tries it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from bounds.language.statement import Statement
from verify.search.trial import Trial

Coordinates = Sequence[float]
Floats = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """Both sides on one instance; `shown` is the instance for the reader."""

    left: Fraction
    right: Fraction
    shown: Mapping[str, Any]
    equality: bool = False

    @property
    def excess(self) -> Fraction:
        return abs(self.left - self.right) if self.equality else self.left - self.right


Sides = Callable[[Statement, Coordinates], Claimed | None]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """`sides` of a form at an instance; None where that does not meet what the claim supposes."""

    family: str
    size: int
    sides: Sides


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Small instances of a claim in words."""

    statement: Statement
    claim: Claim
    enough: None = None
    block: int = 8

    @property
    def name(self) -> str:
        return self.claim.family

    @property
    def dimension(self) -> int:
        return self.claim.size

    def trials(self, points: Floats) -> list[Trial | None]:
        return [_trial(self.claim.sides(self.statement, point.tolist())) for point in points]

    def instance(self, point: Floats) -> dict[str, Any]:
        return {"kind": "words", "coordinates": point.tolist()}


def _trial(found: Claimed | None) -> Trial | None:
    if found is None:
        return None
    left, right, size = float(found.left), float(found.right), abs(found.left) + abs(found.right)
    share = float(found.excess / size) if size else 0.0
    return Trial(
        left=left, right=right, share=share, equality=found.equality, positive=left >= 0 and right > 0
    )
