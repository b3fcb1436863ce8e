"""Numbers of a lemma that an index numbers, such as the weight of each client."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, Dimension
from bounds.language.lemmas.expressions import Atom, Known, World
from bounds.language.lemmas.indices import Index, about
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, REAL, Domain


@final
@dataclass(frozen=True, eq=False)
class NumbersObject:
    """A number for each entry of an index, such as the weight of each client."""

    is_object: ClassVar[bool] = True
    name: str
    over: Index
    domain: Domain
    weights: bool
    increasing: bool
    dimensions: Dimension


def number_each(
    name: str, domain: Domain, over: Index | None, weights: bool, increasing: bool, dimension: Dimension
) -> NumbersObject:
    if over is None:
        what = "weights" if weights else "increasing numbers"
        raise MalformedStatement(f"{what} are numbered: say by which index, as number({name!r}, over=i)")
    domain = NON_NEGATIVE if weights and domain == REAL else domain
    if domain not in (REAL, NON_NEGATIVE, POSITIVE) or (weights and dimension != ONE):
        raise MalformedStatement(
            f"{name} of each {over.name} is REAL, NON_NEGATIVE or POSITIVE, and weights have no dimension"
        )
    return NumbersObject(name, over, domain, weights, increasing, dimension)


@final
@dataclass(frozen=True, eq=False)
class Entry(Atom):
    """The number of one entry of the index."""

    numbers: NumbersObject

    @property
    def non_negative(self) -> bool:  # type: ignore[override]  # the base stores it
        return self.numbers.domain != REAL

    @property
    def text(self) -> str:
        return about(self.numbers.name, self.numbers.over)

    @property
    def latex(self) -> str:
        return f"{self.numbers.name}_{{{self.numbers.over.name}}}"

    def dimension(self, known: Known) -> Dimension:
        return self.numbers.dimensions

    def value(self, world: World) -> Any:
        numbers, index = self.numbers, self.numbers.over.name
        given = world.given(numbers.name, index)
        # Floats add up to one up to their roundings alone: divided by their sum they do in any arithmetic.
        return given / given.sum(axis=world.position(index), keepdims=True) if numbers.weights else given
