"""Random vectors of finitely many outcomes, one or independent ones for an index, and random subsets."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, Dimension, X
from bounds.language.lemmas.expressions import (
    Atom,
    Known,
    Scalar,
    World,
    as_scalar,
    measured,
    optional_scalar,
)
from bounds.language.lemmas.indices import Index
from bounds.language.lemmas.linear import Vector, optional_size
from bounds.language.lemmas.objects import VectorObject

MOST_DRAWN: Final = 8  # independent random vectors, of which all outcomes together are gone through


def random_vector(
    name: str,
    *,
    over: Index | None = None,
    centered: bool = False,
    deviation: Any = None,
    size: Any = None,
    dimension: Dimension = X,
) -> Vector:
    """Finitely many outcomes with probabilities; of mean zero, of total variance at most deviation^2.

    With `over`, one for each entry of the index; they are independent.
    """
    if over is not None and over.low > MOST_DRAWN:
        raise MalformedStatement(
            f"{name} is drawn for at most {MOST_DRAWN} entries of {over.name}, which has {over.low} or more"
        )
    outcomes = Index(f"outcomes_of_{name}", 2, 6, weighted=True)
    spread = optional_scalar(deviation)
    zero, coordinates = centered or spread is not None, optional_size(name, size)
    return VectorObject(name, outcomes, False, None, zero, spread, dimension, over, coordinates)


@final
@dataclass(frozen=True, eq=False)
class SubsetObject:
    """So many entries of an index, any ones with the same probability: drawn without replacement."""

    is_object: ClassVar[bool] = True
    name: str
    over: Index
    each: Index
    members: Scalar


def random_subset(name: str, of: Any, members: Any) -> Scalar:
    """A number for each entry of the index: one for a member of the subset, zero for the others."""
    if not isinstance(of, Index) or of.low > MOST_DRAWN:
        raise MalformedStatement(f"{name} is a subset of an index with {MOST_DRAWN} entries at most")
    count = as_scalar(members)
    if not (count.formula.is_integer and count.formula.is_positive):
        raise MalformedStatement(f"members of {name} is a whole number from 1 on: declare POSITIVE_INTEGER")
    outcomes = Index(f"outcomes_of_{name}", 1, 1, weighted=True)
    return measured(Member(SubsetObject(name, outcomes, of, count)))


@final
@dataclass(frozen=True, eq=False)
class Member(Atom):
    subset: SubsetObject
    non_negative = True

    @property
    def text(self) -> str:
        return f"{self.subset.name}_{self.subset.each.name}"

    @property
    def latex(self) -> str:
        return rf"1_{{{self.subset.each.name}\in {self.subset.name}}}"

    def dimension(self, known: Known) -> Dimension:
        return ONE

    def value(self, world: World) -> Any:
        return world.given(self.subset.name, self.subset.over.name, self.subset.each.name)
