"""Dimensions in the base units F (objective value) and X (parameter distance).

A smoothness constant is `F / X**2`, a gradient norm `F / X`. Exponents are sympy expressions,
because a Lojasiewicz constant carries its exponent: `F**(2 - alpha) / X**2`.
The check that uses dimensions is `verify.audit.units`; here they are only stated.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from sympy import (
    Add,
    Expr,
    Integer,
    Max,
    Min,
    Mul,
    Piecewise,
    Pow,
    Sum,
    Symbol,
    cancel,
    cos,
    exp,
    log,
    nsimplify,
    sin,
    sympify,
)
from sympy.core.relational import Relational

from bounds.language.expression import text


@final
@dataclass(frozen=True, slots=True)
class Dimension:
    value: Expr
    distance: Expr

    def __mul__(self, other: "Dimension") -> "Dimension":
        return Dimension(self.value + other.value, self.distance + other.distance)

    def __truediv__(self, other: "Dimension") -> "Dimension":
        return Dimension(self.value - other.value, self.distance - other.distance)

    def __rtruediv__(self, one: object) -> "Dimension":
        """1 / F is a dimension; any other number before it is a mistake."""
        return ONE / self if one == 1 else NotImplemented

    def __pow__(self, exponent: "Expr | int | float") -> "Dimension":
        power = nsimplify(exponent) if isinstance(exponent, float) else sympify(exponent)
        return Dimension((self.value * power).expand(), (self.distance * power).expand())

    def __str__(self) -> str:
        above: list[str] = []
        below: list[str] = []
        for base, exponent in (("F", self.value), ("X", self.distance)):
            if exponent == 0:
                continue
            side, shown = (below, -exponent) if exponent.is_negative else (above, exponent)
            text = str(shown)
            side.append(base if shown == 1 else f"{base}^{text if text.isdigit() else f'({text})'}")
        if not above and not below:
            return "1"
        denominator = below[0] if len(below) == 1 else f"({' '.join(below)})"
        return " ".join(above) or "1" if not below else f"{' '.join(above) or '1'}/{denominator}"


ONE = Dimension(Integer(0), Integer(0))
F = Dimension(Integer(1), Integer(0))
X = Dimension(Integer(0), Integer(1))


@final
@dataclass(frozen=True, slots=True)
class Mismatch:
    """A place where quantities of different dimension are added, compared, or fed to log, exp or a power."""

    where: Expr
    found: tuple[tuple[Expr, Dimension], ...]

    @property
    def last(self) -> str:
        return self._operands()[-1]

    def _operands(self) -> list[str]:
        return [f"{text(part)} is {dimension}" for part, dimension in self.found]

    def __str__(self) -> str:
        return f"in {text(self.where)}: {'; '.join(self._operands())}"


def same(a: Dimension, b: Dimension) -> bool:
    # Exponents are rational functions of symbols such as alpha, so cancelling decides equality.
    return bool(cancel(a.value - b.value) == 0 and cancel(a.distance - b.distance) == 0)


def infer(expression: Expr, known: Mapping[str, Dimension]) -> tuple[Dimension, tuple[Mismatch, ...]]:
    """The dimension of an expression and every mismatch inside it."""
    found: list[Mismatch] = []
    return _infer(expression, known, found), tuple(found)


def _infer(e: Expr, known: Mapping[str, Dimension], found: list[Mismatch]) -> Dimension:
    if isinstance(e, Symbol):
        return known[e.name]
    if isinstance(e, Add | Max | Min):
        return _common(e, list(e.args), known, found)
    if isinstance(e, Mul):
        product = ONE
        for factor in e.args:
            product = product * _infer(factor, known, found)
        return product
    if isinstance(e, Pow):
        base, exponent = e.args
        _dimensionless(e, exponent, known, found)
        inner = _infer(base, known, found)
        if same(inner, ONE):
            return ONE
        return inner.__pow__(exponent)
    if isinstance(e, exp | log | cos | sin):
        _dimensionless(e, e.args[0], known, found)
        return ONE
    if isinstance(e, Piecewise):
        for _, condition in e.args:
            if isinstance(condition, Relational):
                _common(condition, [condition.lhs, condition.rhs], known, found)
        return _common(e, [value for value, _ in e.args], known, found)
    if isinstance(e, Sum):
        for index, low, high in reversed(e.limits):  # an end of an inner sum may name an outer index
            known = {**known, index.name: ONE}
            _dimensionless(e, low, known, found)
            _dimensionless(e, high, known, found)
        return _infer(e.function, known, found)
    return ONE


def _common(e: Expr, parts: list[Expr], known: Mapping[str, Dimension], found: list[Mismatch]) -> Dimension:
    # Zero fits every dimension; any other number is dimensionless.
    dimensions = [(part, _infer(part, known, found)) for part in parts if part != 0]
    if not dimensions:
        return ONE
    first = dimensions[0][1]
    if any(not same(first, other) for _, other in dimensions[1:]):
        found.append(Mismatch(e, tuple(dimensions)))
    return first


def _dimensionless(e: Expr, part: Expr, known: Mapping[str, Dimension], found: list[Mismatch]) -> None:
    dimension = _infer(part, known, found)
    if not same(dimension, ONE):
        found.append(Mismatch(e, ((part, dimension),)))
