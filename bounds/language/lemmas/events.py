"""Probabilities of events: P(||V|| >= t), over all outcomes of the random vectors that the event names."""

from dataclasses import dataclass
from typing import Any, final

from bounds.errors import MalformedStatement
from bounds.language.condition import Relation
from bounds.language.dimension import ONE, Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Atom, Comparison, Known, Scalar, World, as_comparison, measured
from bounds.language.lemmas.magnitudes import is_sure, magnitude_of
from bounds.language.lemmas.measures import expected


def probability(event: Any) -> Scalar:
    """The probability of a relation such as norm(V) >= t.

    A case in which an outcome meets the relation almost with equality, and not exactly, is not counted.
    """
    relation = as_comparison(event)
    if relation.relation is None:
        raise MalformedStatement(f"the event {relation.text} is an equation, of which roundings decide")
    total: Scalar = expected(measured(Happens(relation.left, relation.relation, relation.right)))
    return total


@final
@dataclass(frozen=True, eq=False)
class Happens(Atom):
    """One where the relation holds, and zero elsewhere."""

    left: Scalar
    relation: Relation
    right: Scalar
    non_negative = True

    @property
    def text(self) -> str:
        return f"1[{Comparison(self.left, self.relation, self.right).text}]"

    @property
    def latex(self) -> str:
        return rf"1\left[{Comparison(self.left, self.relation, self.right).latex}\right]"

    def dimension(self, known: Known) -> Dimension:
        return ONE

    def value(self, world: World) -> Any:
        """Not a number where a rounding may decide: summands that cancel but for next to nothing."""
        above = self.right - self.left if self.relation.upper else self.left - self.right
        value = world.number(self.left) - world.number(self.right)
        value = -value if self.relation.upper else value
        holds = value > 0 if self.relation.strict else value >= 0
        alike = (value == 0) & _are_plain(self.left, self.right)
        sure = alike | is_sure(value, magnitude_of(world, above))
        return np.where(sure, holds, np.nan) * world.one


def _are_plain(left: Scalar, right: Scalar) -> bool:
    """Whether no side has a sum: of numbers that are not rounded, equal ones are equal."""
    return not any(side.formula.is_Add for side in (left, right))
