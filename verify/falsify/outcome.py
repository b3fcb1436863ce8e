"""What an attempt to falsify a statement came to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from bounds.errors import Misuse


class NotAnInstance(Misuse):
    """A file describes no instance that this version can make."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """`left` and `right` of the judged instance; `refutes` only with certainty of the stated method.

    Where the right side is random too, `left` is less its random part, and there is no ratio. What is refuted
    for all instances at once has no sides.
    """

    refutes: bool
    left: float | None
    right: float | None
    ratio: float | None = None
    method: str
    sentence: str
    details: Mapping[str, Any]


def unconfirmed(why: str) -> Confirmation:
    return Confirmation(refutes=False, left=None, right=None, method="none", sentence=why, details={})


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """`ratio` and `excess` are those of the witness, or of the best point that the search saw.

    `searched` is false where there is no relation to search; `sentence` says why. `cut` where the cap on
    seconds ended the search, so that a repetition may end elsewhere. `half_refuted` is whether the best
    instance refutes the statement with half its right side: asked where the ratio exceeds 0.55, as a check of
    the search and of its certainty.
    """

    id: str
    variant: str
    searched: bool
    refuted: bool
    sentence: str
    ratio: float | None = None
    excess: float | None = None
    left: float | None = None
    right: float | None = None
    method: str = ""
    families: Mapping[str, float] | None = None
    evaluations: int = 0
    met: int = 0
    best: Mapping[str, Any] | None = None
    witness: Mapping[str, Any] | None = None
    half_refuted: bool | None = None
    cut: bool = False
    seconds: float = 0.0
    unconfirmed: tuple[str, ...] = ()
