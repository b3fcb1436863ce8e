"""Probabilities of events: P(||V|| >= t), over all outcomes of the random vectors that the event names."""

from dataclasses import dataclass
from typing import Any, Final, final

from bounds.errors import MalformedStatement
from bounds.language.condition import Relation
from bounds.language.dimension import ONE, Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Atom, Comparison, Known, Scalar, World, as_comparison, measured
from bounds.language.lemmas.measures import expected

NEAR: Final = 2.0**-40  # of both sides: that they differ by so little may be a rounding


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
        left, right = np.broadcast_arrays(world.number(self.left), world.number(self.right))
        above = left - right if not self.relation.upper else right - left
        holds = above > 0 if self.relation.strict else above >= 0
        decided = (above == 0) | (np.abs(above) > NEAR * (np.abs(left) + np.abs(right)))
        return np.where(decided, holds, np.nan) * world.one
