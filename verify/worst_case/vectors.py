"""Formal vectors of federated runs, their inner products and the constraints that they enter.

A vector of client i is a rational combination of basis vectors, kept as one table per block of the Gram
matrix. In the reduced program the blocks are the mean over the clients and the deviation from it, and `inner`
is the mean over the clients of their inner products (see docs/worst_case.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Self, final

from verify.worst_case.checker import Entry, Form

Rational = Fraction | int


@final
@dataclass(frozen=True, slots=True)
class Vector:
    """A combination of basis vectors: `parts[block][index]` is a coefficient."""

    parts: tuple[Mapping[int, Fraction], ...]

    def __add__(self, other: "Vector") -> "Vector":
        return self.plus(other, 1)

    def __sub__(self, other: "Vector") -> "Vector":
        return self.plus(other, -1)

    def __rmul__(self, factor: Rational) -> "Vector":
        return Vector(tuple({i: factor * a for i, a in part.items()} for part in self.parts))

    def plus(self, other: "Vector", factor: Rational) -> "Vector":
        """The sum with `factor` times the other; coefficients that cancel are dropped."""
        parts = []
        for mine, others in zip(self.parts, other.parts, strict=True):
            part = dict(mine)
            for index, coefficient in others.items():
                part[index] = part.get(index, Fraction(0)) + factor * coefficient
            parts.append({index: coefficient for index, coefficient in part.items() if coefficient})
        return Vector(tuple(parts))

    def part(self, block: int) -> "Vector":
        """The vector with every other block set to 0."""
        return Vector(tuple(part if b == block else {} for b, part in enumerate(self.parts)))


@final
@dataclass(slots=True)
class Sum:
    """A form under construction: start from a constant, add values and inner products, then freeze it."""

    constant: Fraction = Fraction(0)
    values: dict[int, Fraction] = field(default_factory=dict)
    entries: dict[Entry, Fraction] = field(default_factory=dict)

    def add_value(self, value: int | None, factor: Rational) -> Self:
        """Add a multiple of a free number; None is the reference value 0."""
        if value is not None:
            self.values[value] = self.values.get(value, Fraction(0)) + factor
        return self

    def add_inner(self, first: Vector, second: Vector, factor: Rational = 1) -> Self:
        for block, (left, right) in enumerate(zip(first.parts, second.parts, strict=True)):
            for i, a in left.items():
                scaled = factor * a
                for j, b in right.items():
                    entry = (block, i, j) if i <= j else (block, j, i)
                    self.entries[entry] = self.entries.get(entry, Fraction(0)) + scaled * b
        return self

    def form(self, name: str, *, is_equation: bool = False) -> Form:
        return Form(
            name=name,
            is_equation=is_equation,
            constant=Fraction(self.constant),
            values={number: a for number, a in self.values.items() if a},
            entries={entry: a for entry, a in self.entries.items() if a},
        )


def mean(sums: Sequence[Sum]) -> Sum:
    total, weight = Sum(), Fraction(1, len(sums))
    for one in sums:
        total.constant += weight * one.constant
        for number, a in one.values.items():
            total.values[number] = total.values.get(number, Fraction(0)) + weight * a
        for entry, a in one.entries.items():
            total.entries[entry] = total.entries.get(entry, Fraction(0)) + weight * a
    return total
