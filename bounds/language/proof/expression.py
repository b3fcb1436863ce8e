"""Scalars and formal vectors of a machine form; they render as the lists that the checker of proofs reads."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final, overload

Number = int | Fraction


@final
@dataclass(frozen=True, slots=True)
class Scalar:
    """A number, an atom, or an operation on scalars and vectors."""

    form: Any

    def __add__(self, other: "Scalar | Number") -> "Scalar":
        return Scalar(["+", self.form, scalar(other).form])

    def __radd__(self, other: Number) -> "Scalar":
        return scalar(other) + self

    def __sub__(self, other: "Scalar | Number") -> "Scalar":
        return Scalar(["-", self.form, scalar(other).form])

    def __rsub__(self, other: Number) -> "Scalar":
        return scalar(other) - self

    def __neg__(self) -> "Scalar":
        return Scalar(["-", self.form])

    @overload
    def __mul__(self, other: "Vector") -> "Vector": ...
    @overload
    def __mul__(self, other: "Scalar | Number") -> "Scalar": ...
    def __mul__(self, other: "Scalar | Number | Vector") -> "Scalar | Vector":
        if isinstance(other, Vector):
            return Vector(tuple((name, self * coefficient) for name, coefficient in other.parts))
        return Scalar(["*", self.form, scalar(other).form])

    def __rmul__(self, other: Number) -> "Scalar":
        return Scalar(["*", scalar(other).form, self.form])

    def __truediv__(self, other: "Scalar | Number") -> "Scalar":
        return Scalar(["/", self.form, scalar(other).form])

    def __rtruediv__(self, other: Number) -> "Scalar":
        return scalar(other) / self

    def __pow__(self, exponent: int) -> "Scalar":
        return Scalar(["^", self.form, exponent])


def scalar(value: object) -> Scalar:
    """A whole number or a fraction as a scalar; a float is refused, because it is not exact."""
    if isinstance(value, Scalar):
        return value
    if isinstance(value, Vector):
        raise TypeError("a scalar is needed, and not a vector: take its `square`, `inner` or `norm`")
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise TypeError(f"{value!r} is not exact: write a whole number, a Fraction or a scalar of the proof")
    return Scalar(str(value))


ONE = Scalar("1")


@final
@dataclass(frozen=True, slots=True)
class Vector:
    """A formal linear combination of atomic vectors."""

    parts: tuple[tuple[str, Scalar], ...]

    def __add__(self, other: "Vector") -> "Vector":
        total = dict(self.parts)
        for name, coefficient in other.parts:
            total[name] = total[name] + coefficient if name in total else coefficient
        return Vector(tuple(total.items()))

    def __sub__(self, other: "Vector") -> "Vector":
        return self + (-other)

    def __neg__(self) -> "Vector":
        return scalar(-1) * self

    def __rmul__(self, other: Number) -> "Vector":
        return scalar(other) * self

    def __truediv__(self, other: Scalar | Number) -> "Vector":
        return (ONE / scalar(other)) * self

    @property
    def form(self) -> dict[str, Any]:
        return {name: coefficient.form for name, coefficient in self.parts}


def atom(name: str) -> Vector:
    return Vector(((name, ONE),))


ZERO = Vector(())


def inner(u: Vector, v: Vector) -> Scalar:
    return Scalar(["inner", u.form, v.form])


def square(u: Vector) -> Scalar:
    """The square of the norm."""
    return Scalar(["square", u.form])


def over(operator: str, value: Scalar) -> Scalar:
    """A mean, a sum or an expectation of the value."""
    return Scalar(["over", operator, value.form])
