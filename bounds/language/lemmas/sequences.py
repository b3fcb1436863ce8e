"""Sequences of numbers that a recursion bounds."""

from dataclasses import dataclass
from inspect import signature
from typing import Any, ClassVar, final

from sympy import Symbol

from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, Dimension
from bounds.language.lemmas.expressions import Atom, Known, Scalar, World, as_scalar, measured


@final
@dataclass(frozen=True, eq=False)
class SequenceObject:
    """Numbers a[0], a[1], ..., a[K] with a[k+1] <= next(a[k], k); `last` is the quantity K."""

    is_object: ClassVar[bool] = True
    name: str
    last: Scalar
    this: Symbol
    place: Symbol | None
    next_at_most: Scalar
    non_negative: bool
    dimensions: Dimension

    def __getitem__(self, place: Any) -> Scalar:
        if isinstance(place, Scalar) and place.formula == self.last.formula:
            return measured(Entry(self, -1))
        if isinstance(place, int) and not isinstance(place, bool) and place in (0, -1):
            return measured(Entry(self, place))
        raise MalformedStatement(
            f"{self.name}[0] and {self.name}[{self.last.text}] can be named; total({self.name}) sums them all"
        )


def sequence(
    name: str, *, last: Scalar, next_at_most: Any, non_negative: bool = True, dimension: Dimension = ONE
) -> SequenceObject:
    """Numbers up to index `last`; `next_at_most` takes a[k], or a[k] and k, and returns the most that a[k+1]
    may be."""
    names = list(signature(next_at_most).parameters)
    if len(names) not in (1, 2):
        raise MalformedStatement(f"next_at_most of {name} takes {name}_k, or {name}_k and k")
    this = Symbol(f"{name}_k", real=True, **({"nonnegative": True} if non_negative else {}))
    place = Symbol(names[1], integer=True, nonnegative=True) if len(names) == 2 else None
    most = next_at_most(*(Scalar(symbol, {}) for symbol in (this, place) if symbol is not None))
    return SequenceObject(name, as_scalar(last), this, place, as_scalar(most), non_negative, dimension)


@final
@dataclass(frozen=True, eq=False)
class Entry(Atom):
    sequence: SequenceObject
    place: int

    @property
    def non_negative(self) -> bool:  # type: ignore[override]  # the base stores it
        return self.sequence.non_negative

    @property
    def text(self) -> str:
        return f"{self.sequence.name}[{self.sequence.last.text if self.place else 0}]"

    @property
    def latex(self) -> str:
        return f"{self.sequence.name}_{{{self.sequence.last.latex if self.place else 0}}}"

    def dimension(self, known: Known) -> Dimension:
        return self.sequence.dimensions

    def value(self, world: World) -> Any:
        return world.given(self.sequence.name, own=1)[..., self.place]


@final
@dataclass(frozen=True, eq=False)
class SequenceSum(Atom):
    sequence: SequenceObject

    @property
    def non_negative(self) -> bool:  # type: ignore[override]  # the base stores it
        return self.sequence.non_negative

    @property
    def text(self) -> str:
        return f"sum_k {self.sequence.name}[k]"

    @property
    def latex(self) -> str:
        return rf"\sum_{{k=0}}^{{{self.sequence.last.latex}}}{self.sequence.name}_{{k}}"

    def dimension(self, known: Known) -> Dimension:
        return self.sequence.dimensions

    def value(self, world: World) -> Any:
        return world.given(self.sequence.name, own=1).sum(axis=-1)
