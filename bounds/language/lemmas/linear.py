"""Vectors and matrices: sums and multiples, which both have."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn, Self, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import Dimension
from bounds.language.lemmas.expressions import (
    Known,
    Node,
    Scalar,
    World,
    as_scalar,
    dimension_of,
    optional_scalar,
)

Sizes = tuple[str | None, ...]


class Linear(Node):
    """A vector or matrix: it has sums and multiples; `own` axes lie behind those of cases and indices."""

    own: ClassVar[int]
    noun: ClassVar[str]
    summed: ClassVar[Any]  # the class of its sums

    @property
    def sizes(self) -> Sizes:
        """How many coordinates, or rows and columns; None for the dimension d, which no lemma names."""
        return (None,) * self.own

    def _combined(self, *parts: tuple[Any, Any]) -> Self:
        """Sums inside sums are one sum; `sum([...])` starts from the number 0, which is left out."""
        out: list[tuple[Scalar, Any]] = []
        for number, thing in parts:
            if isinstance(thing, int) and thing == 0:
                continue
            factor, kind = as_scalar(number), self.summed
            inside = thing.parts if isinstance(thing, kind) else ((as_scalar(1), self._as_own(thing)),)
            out += [(factor * coefficient, part) for coefficient, part in inside]
        for _, part in out[1:]:
            check_sizes(out[0][1], part, out[0][1].sizes == part.sizes)
        alone = len(out) == 1 and out[0][0].formula == 1
        combined: Self = out[0][1] if alone else self.summed(tuple(out))
        return combined

    def _as_own(self, given: Any) -> Any:
        if not isinstance(given, Linear) or given.own != self.own:
            raise MalformedStatement(f"{getattr(given, 'text', given)} is no {self.noun}")
        return given

    def __add__(self, other: Any) -> Self:
        return self._combined((1, self), (1, other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Self:
        return self._combined((1, self), (-1, other))

    def __rsub__(self, other: Any) -> Self:
        return self._combined((1, other), (-1, self))

    def __neg__(self) -> Self:
        return self._combined((-1, self))

    def __mul__(self, number: Any) -> Self:
        return self._combined((number, self))

    __rmul__ = __mul__

    def __truediv__(self, number: Any) -> Self:
        return self._combined((1 / as_scalar(number), self))


def optional_size(name: str, given: Any) -> Scalar | None:
    """A number of coordinates, rows or columns."""
    size = optional_scalar(given)
    if size is not None and not (size.formula.is_integer and size.formula.is_positive):
        raise MalformedStatement(
            f"a size of {name} is a whole number from 1 on, not {size.text}: declare it with "
            'number("m", POSITIVE_INTEGER)'
        )
    return size


def shape_of(thing: Linear) -> str:
    return " x ".join(size or "d" for size in thing.sizes)


def check_sizes(first: Linear, second: Linear, fit: bool) -> None:
    """d is the dimension of what names no size."""
    if not fit:
        raise MalformedStatement(
            f"{first.text} is {shape_of(first)}, and {second.text} is {shape_of(second)}: they do not fit"
        )


class Vector(Linear):
    """A vector: `value` has one axis of its coordinates."""

    own = 1
    noun = "vector"
    numbers_of = ": of vectors there are norm(u), inner(u, v), and hadamard(u, v) of each coordinate"

    def __abs__(self) -> NoReturn:
        raise MalformedStatement(f"{self.text} is a vector: write norm({self.text}), its length")

    def __getitem__(self, place: Any) -> NoReturn:
        raise MalformedStatement(
            f"{self.text} has no entry [{place}]: a coordinate is inner({self.text}, u), with a unit u, "
            "and at(v, j) a vector over an index at another entry"
        )


class OfLinear(Linear):
    """What a vector or matrix gives, with as many coordinates and in its unit."""

    body: Any

    @property
    def sizes(self) -> Sizes:
        sizes: Sizes = self.body.sizes
        return sizes

    def dimension(self, known: Known) -> Dimension:
        unit: Dimension = self.body.dimension(known)
        return unit


def as_vector(given: Any) -> Vector:
    if not isinstance(given, Vector):
        raise MalformedStatement(f"{getattr(given, 'text', given)} is no vector")
    return given


def as_point(given: Any) -> Vector:
    """A vector in the space of the functions and sets of the lemma, whose dimension is no number of it."""
    if as_vector(given).sizes != (None,):
        raise MalformedStatement(
            f"{given.text} has {shape_of(given)} coordinates, and functions and sets are of points of d: "
            "leave out size="
        )
    return as_vector(given)


class Sum(Linear):
    """A sum of multiples."""

    parts: tuple[tuple[Scalar, Any], ...]

    @property
    def sizes(self) -> Sizes:
        known: Sizes = self.parts[0][1].sizes
        return known

    @property
    def text(self) -> str:
        return _sum_of(self, lambda part: part.text, "*", "({})")

    @property
    def latex(self) -> str:
        return _sum_of(self, lambda part: part.latex, " ", r"\left({}\right)")

    def dimension(self, known: Known) -> Dimension:
        coefficient, thing = self.parts[0]
        unit: Dimension = thing.dimension(known)
        return dimension_of(coefficient, known) * unit

    def value(self, world: World) -> Any:
        behind = (..., *[None] * self.own)
        return sum(world.number(c)[behind] * world.compute(thing) for c, thing in self.parts)


def _sum_of(total: Sum, shown: Callable[[Any], str], times: str, grouped: str) -> str:
    line = ""
    for coefficient, thing in total.parts:
        negative = coefficient.formula.could_extract_minus_sign()
        size = -coefficient if negative else coefficient
        sign = (" - " if negative else " + ") if line else ("-" if negative else "")
        factor = shown(size)
        if size.formula.is_Add:
            factor = grouped.format(factor)
        line += sign + (shown(thing) if size.formula == 1 else f"{factor}{times}{shown(thing)}")
    return line


@final
@dataclass(frozen=True, eq=False)
class Combination(Sum, Vector):
    """A sum of multiples of vectors."""

    parts: tuple[tuple[Scalar, Vector], ...]


Vector.summed = Combination
