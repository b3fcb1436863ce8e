"""Read the expressions and the declarations of a proof; nothing of it is executed.

A scalar is a number such as "-3/4", a name, or ["+", a, ...], ["-", a, b], ["*", a, ...], ["/", a, b], ["^",
a, 2], ["inner", u, v], ["square", u], ["over", operator, a]. A vector is a name or {name: coefficient, ...}.

What a proof is `given` describes the problem and is trusted: the replay compares it with the statement. What
a proof declares on its way may only name something that exists: an abbreviation, a root of what is at least
0, the average of a vector, a point of a function, a sequence by its recursion.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, final

from verify.proofs.algebra import (
    ANY,
    LARGEST_EXPONENT,
    NON_NEGATIVE,
    POSITIVE,
    Algebra,
    Polynomial,
    Vector,
    add,
    need,
    number,
)

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.'^()+-]{0,60}")
NUMBER = re.compile(r"-?[0-9]{1,40}(/[1-9][0-9]{0,39})?")
DEEPEST = 60
Where = Literal["next", "first", "last"]
# Elsewhere: at another member of a sequence (index, where), or for another vector (None, name, vector).
At = tuple[str, str] | tuple[None, str, Any] | None


@final
@dataclass(frozen=True, slots=True)
class Point:
    """A function at a point, with its gradient and its value there."""

    function: str
    at: Vector
    gradient: Vector
    value: Polynomial


@final
@dataclass(slots=True)
class Reader:
    """Everything that is declared so far."""

    algebra: Algebra = field(default_factory=Algebra)
    scalars: set[str] = field(default_factory=set)
    vectors: set[str] = field(default_factory=set)
    abbreviations: dict[str, Any] = field(default_factory=dict)
    abbreviated_vectors: dict[str, Any] = field(default_factory=dict)
    functions: dict[str, dict[str, Any]] = field(default_factory=dict)
    points: dict[str, Point] = field(default_factory=dict)
    root_expressions: dict[str, Any] = field(default_factory=dict)
    sequences: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    before: dict[str, frozenset[str]] = field(default_factory=dict)  # of an arbitrary vector: the older atoms
    depth: int = 0

    def scalar(self, expression: Any, at: At = None) -> Polynomial:
        self.algebra.spend(1)
        self.depth += 1
        need(self.depth <= DEEPEST, "an expression is too deep")
        try:
            return self._name(expression, at) if isinstance(expression, str) else self._list(expression, at)
        finally:
            self.depth -= 1

    def _name(self, text: str, at: At) -> Polynomial:
        if NUMBER.fullmatch(text):
            return number(Fraction(text))
        if text in self.abbreviations:
            return self.scalar(self.abbreviations[text], at)
        need(text in self.scalars, f"{text[:80]!r} is not declared as a scalar")
        moved = self._moved(text, at)
        return self.algebra.scalar(text) if moved is None else self.scalar(moved)

    def _moved(self, name: str, at: At) -> Any:
        """What stands for an atom elsewhere; None if it is the same there."""
        if at is None:
            return None
        if at[0] is None:
            return at[2] if name == at[1] else None
        if at[0] not in self.algebra.depends[name]:
            return None
        need((at[0], name) in self.sequences, f"{name} depends on {at[0]}, and its sequence is not declared")
        return self.sequences[at[0], name][at[1]]

    def _list(self, expression: Any, at: At) -> Polynomial:
        need(type(expression) is list and len(expression) >= 2, "an expression is a text or a list")
        head, *rest = expression
        algebra = self.algebra
        if head == "over" and len(rest) == 2:
            need(type(rest[0]) is str and rest[0] in algebra.masses, f"{rest[0]!r} is not an operator")
            moved = (
                () if at is None else (at[0],) if at[0] is not None else algebra.of_vector(self.vector(at[2]))
            )
            need(rest[0] not in moved, f"{rest[0]} is bound and does not move")
            return algebra.over(rest[0], self.scalar(rest[1], at))
        if head == "inner" and len(rest) == 2:
            return algebra.inner(self.vector(rest[0], at), self.vector(rest[1], at))
        if head == "square" and len(rest) == 1:
            vector = self.vector(rest[0], at)
            return algebra.inner(vector, vector)
        if head == "^" and len(rest) == 2:
            need(
                type(rest[1]) is int and abs(rest[1]) <= LARGEST_EXPONENT,
                "an exponent is a small whole number",
            )
            return algebra.power(self.scalar(rest[0], at), rest[1])
        need(head in ("+", "-", "*", "/"), f"{str(head)[:80]!r} is not an operation here")
        values = [self.scalar(part, at) for part in rest]
        if head == "-" and len(values) == 1:
            return add({}, values[0], -1)
        need(head in ("+", "*") or len(values) == 2, f"{head} takes two arguments")
        total = values[0]
        for value in values[1:]:
            if head in ("+", "-"):
                total = add(total, value, 1 if head == "+" else -1)
            else:
                total = algebra.times(total, value if head == "*" else algebra.inverse(value))
        return total

    def vector(self, expression: Any, at: At = None) -> Vector:
        self.algebra.spend(1)
        self.depth += 1
        need(self.depth <= DEEPEST, "an expression is too deep")
        try:
            return self._vector(expression, at)
        finally:
            self.depth -= 1

    def _vector(self, expression: Any, at: At) -> Vector:
        if isinstance(expression, str):
            if expression in self.abbreviated_vectors:
                return self.vector(self.abbreviated_vectors[expression], at)
            need(expression in self.vectors, f"{expression[:80]!r} is not declared as a vector")
            moved = self._moved(expression, at)
            return {expression: number(1)} if moved is None else self.vector(moved)
        need(type(expression) is dict, "a vector is a name or an object of coefficients")
        total: Vector = {}
        for name, coefficient in expression.items():
            total = self.algebra.combined(total, self.vector(name, at), self.scalar(coefficient, at))
        return total

    def fresh(self, name: Any) -> str:
        taken = self.scalars | self.vectors | set(self.abbreviations) | set(self.abbreviated_vectors)
        taken |= set(self.algebra.masses) | set(self.functions) | set(self.points)
        need(isinstance(name, str) and NAME.fullmatch(name) is not None, f"{str(name)[:80]!r} is not a name")
        need(name not in taken, f"{name} is declared twice")
        return str(name)

    def new_scalar(self, name: Any, sign: str, depends: frozenset[str]) -> Polynomial:
        need(sign in (POSITIVE, NON_NEGATIVE, ANY), f"{sign!r} is not a sign")
        need(depends <= set(self.algebra.masses), "a scalar depends on an operator that is not declared")
        self.scalars.add(self.fresh(name))
        self.algebra.signs[name], self.algebra.depends[name] = sign, depends
        return self.algebra.scalar(name)

    def new_vector(self, name: Any, depends: frozenset[str]) -> Vector:
        need(depends <= set(self.algebra.masses), "a vector depends on an operator that is not declared")
        self.vectors.add(self.fresh(name))
        self.algebra.depends[name] = depends
        return {name: number(1)}
