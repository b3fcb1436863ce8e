"""The basis vectors and free numbers of a program."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

from verify.worst_case.vectors import Vector

MEAN, DEVIATION = 0, 1


@final
@dataclass(slots=True)
class Space:
    """Hands out basis vectors and free numbers, and remembers how many there are."""

    blocks: int
    sizes: list[int] = field(default_factory=lambda: [0, 0])
    values: int = 0

    def common(self) -> Vector:
        return Vector(tuple({self._next(b): Fraction(1)} if b == MEAN else {} for b in range(self.blocks)))

    def deviation(self) -> Vector:
        return Vector(
            tuple({self._next(b): Fraction(1)} if b == DEVIATION else {} for b in range(self.blocks))
        )

    def vector(self) -> Vector:
        """A vector that every client has its own of: a common part and a deviation."""
        return self.common() + self.deviation()

    @property
    def zero(self) -> Vector:
        return Vector(({},) * self.blocks)

    def value(self) -> int:
        self.values += 1
        return self.values - 1

    def _next(self, block: int) -> int:
        self.sizes[block] += 1
        return self.sizes[block] - 1
