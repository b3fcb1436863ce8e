"""Witnesses: instances on which a printed statement is false, small enough to follow by hand.

A witness is measured again in a second, in float64. It refutes where every hypothesis holds and the left
side is above the right one by a million roundings; where the two are close, only exact arithmetic could
decide, and the instance is no witness.

A witness is a function without arguments that returns what it measured; the errata file of its paper names it
and says what it shows. A claim in words that is false under the reading taken here and true under another one
is of class interpretation. For a step of a proof, the displayed relation is false where what it is drawn from
holds: its class is proof broken, or typo if the displays after it do without the mistake.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import Any, final

import numpy as np

import bounds
from bounds.errors import OutOfDomain
from bounds.language.statement import Kind, Statement
from verify.objects.members import why_outside

# Of the larger side: float64 has 1e-16, and no witness takes more than a few hundred operations.
CLEAR = 1e-9


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Both sides of what is claimed; `equality` where it claims more than an upper bound.

    `of` is the statement whose own formulas gave the numbers, and `again` measures the same instance on
    another form of it. Both are empty where the numbers were written by hand.
    """

    left: float
    right: float
    applicable: bool
    equality: bool = False
    of: str = field(default="", repr=False, compare=False)
    again: "Callable[[Statement], Measured] | None" = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse what is no number here, where the line of an author is named; "no" would count as true."""
        for name in ("left", "right"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Real) or not _fits(value):
                raise TypeError(f"{name} must be a number of float64, but is {value!r:.40}")
        for name in ("applicable", "equality"):
            value = getattr(self, name)
            if not isinstance(value, bool | np.bool_):
                raise TypeError(f"{name} must be True or False, but is {value!r:.40}")

    @property
    def refutes(self) -> bool:
        excess = abs(self.left - self.right) if self.equality else self.left - self.right
        return self.applicable and excess > CLEAR * max(abs(self.left), abs(self.right))


def _fits(value: Real) -> bool:
    try:
        float(value)
    except OverflowError:
        return False
    return True


def measured_on(identity: str, **objects: Any) -> Measured:
    """The statement's own two sides on these objects, which must be what it declares."""
    return _measure_on(objects, bounds.get(identity))


def _measure_on(objects: Mapping[str, Any], statement: Statement) -> Measured:
    found = statement.on(**objects)  # first, since it refuses objects of another shape
    if outside := why_outside(statement, objects):
        raise OutOfDomain(f"{statement.id} is measured on what it does not speak of: {outside}")
    equality = statement.kind is Kind.EQUALITY
    left, right, applicable = _find_worst(found.left, found.right, found.evaluation.applicable, equality)
    return Measured(
        left=left,
        right=right,
        applicable=applicable,
        equality=equality,
        of=statement.id,
        again=partial(_measure_on, objects),
    )


def _find_worst(left: Any, right: Any, applicable: Any, equality: bool) -> tuple[float, float, bool]:
    """Take both sides from one case: the one whose excess is the largest share of its larger side."""
    sides = np.broadcast_arrays(
        np.asarray(left, dtype=float), np.asarray(right, dtype=float), np.asarray(applicable, dtype=bool)
    )
    lefts, rights, met = (np.ravel(side) for side in sides)
    with np.errstate(all="ignore"):
        excess = (abs(lefts - rights) if equality else lefts - rights) / np.maximum(abs(lefts), abs(rights))
    worst = int(np.argmax(np.where(met & ~np.isnan(excess), excess, -np.inf)))
    return float(lefts[worst]), float(rights[worst]), bool(met[worst])


def at_a_point(identity: str, left: float, **quantities: float) -> Measured:
    """A left side that was computed by hand, against the statement's right side."""
    return _measure_at(left, quantities, bounds.get(identity))


def _measure_at(left: float, quantities: Mapping[str, float], statement: Statement) -> Measured:
    evaluation = statement.evaluate(**quantities)
    return Measured(
        left=left,
        right=float(evaluation.value),
        applicable=evaluation.applicable is True,
        of=statement.id,
        again=partial(_measure_at, left, quantities),
    )
