"""Witnesses: instances on which a printed statement is false, small enough to follow by hand.

A witness is measured again in a second, in float64. It refutes where every hypothesis holds and the left
side is above the right one by a million roundings; where the two are close, only exact arithmetic could
decide, and the instance is no witness.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

import bounds
from bounds.language.finding import FindingClass
from bounds.language.statement import Kind

# Of the larger side: float64 has 1e-16, and no witness takes more than a few hundred operations.
CLEAR = 1e-9


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Both sides of what is claimed; `equality` where it claims more than an upper bound."""

    left: float
    right: float
    applicable: bool
    equality: bool = False

    @property
    def refutes(self) -> bool:
        excess = abs(self.left - self.right) if self.equality else self.left - self.right
        return self.applicable and excess > CLEAR * max(abs(self.left), abs(self.right))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """`why` says in one sentence what happens, `right` what holds instead.

    A claim in words that is false under the reading taken here and true under another one is of class
    interpretation. `display` is the printed fragment of the statement that is refuted, None for all.

    With a `step` it is not the statement but a displayed relation of its proof that is false where what it is
    drawn from holds; `display` then counts the displays of that locator. Such a witness is of class proof
    broken, or a typo where the displays after it do without the mistake. With a `line` it is one line of a
    listing, carried out as it is printed, or one hypothesis or case of a statement, read as it is printed;
    without a `display` the hypothesis is a condition of the statement, which is quoted itself.
    """

    statement: str
    measure: Callable[[], Measured]
    why: str
    right: str
    grade: FindingClass = FindingClass.FALSE
    display: int | None = None
    step: str = ""
    line: str = ""

    @property
    def place(self) -> str:
        return self.step or " ".join(filter(None, (self.statement, self.line)))


def measured_on(identity: str, **objects: Any) -> Measured:
    """The statement's own two sides on these objects."""
    statement = bounds.get(identity)
    found = statement.on(**objects)
    return Measured(
        left=float(np.max(found.left)),
        right=float(np.min(found.right)),
        applicable=bool(np.all(found.evaluation.applicable)),
        equality=statement.kind is Kind.EQUALITY,
    )


def at_a_point(identity: str, left: float, **quantities: float) -> Measured:
    """A left side that was computed by hand, against the statement's right side."""
    evaluation = bounds.get(identity).evaluate(**quantities)
    return Measured(left=left, right=float(evaluation.value), applicable=evaluation.applicable is True)
