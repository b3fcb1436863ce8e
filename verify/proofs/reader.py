"""Read the expressions of a proof; nothing of it is executed.

A scalar is a number such as "-3/4", a name, or ["+", a, ...], ["-", a, ...], ["*", a, ...], ["/", a, ...],
["^", a, 2], ["inner", u, v], ["square", u], ["over", operator, a]. A vector is a name or {name: coefficient}.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from verify.proofs.algebra import ANY, NON_NEGATIVE, POSITIVE, Algebra, Polynomial, Vector, add, need, number

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.'^()+-]{0,60}")
NUMBER = re.compile(r"-?[0-9]{1,40}(/[1-9][0-9]{0,39})?")
Kind = Literal["scalar", "vector", "abbreviation", "operator", "function", "point"]
# Elsewhere: at another member of a sequence (index, where), or for another vector (None, name, vector).
At = tuple[str, str] | tuple[None, str, Any] | None


@dataclass(slots=True)
class Reader(Algebra):
    """Everything that is declared so far."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    abbreviations: dict[str, Any] = field(default_factory=dict)  # of scalars and of vectors
    sequences: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)

    def fresh(self, name: Any, kind: Kind) -> str:
        need(isinstance(name, str) and NAME.fullmatch(name) is not None, f"{str(name)[:80]!r} is not a name")
        need(name not in self.kinds, f"{name} is declared twice")
        self.kinds[name] = kind
        return str(name)

    def declared(self, name: Any, kind: Kind) -> str:
        found = isinstance(name, str) and self.kinds.get(name) == kind
        need(found, f"{str(name)[:80]!r} is not declared as a {kind}")
        return str(name)

    def declare_scalar(self, name: Any, sign: str, over: Any = ()) -> Polynomial:
        need(sign in (POSITIVE, NON_NEGATIVE, ANY), f"{sign!r} is not a sign")
        self._new(name, "scalar", over)
        self.signs[name] = sign
        return self.symbol("scalar", name)

    def declare_vector(self, name: Any, over: Any = ()) -> Vector:
        self._new(name, "vector", over)
        return {name: number(1)}

    def _new(self, name: Any, kind: Kind, over: Any) -> None:
        depends = frozenset(over)
        need(depends <= self.masses.keys(), f"{name} depends on an operator that is not declared")
        self.depends[self.fresh(name, kind)] = depends

    def scalar(self, expression: Any, at: At = None) -> Polynomial:
        self.spend(1)
        if isinstance(expression, str):
            return self._name(expression, at)
        need(type(expression) is list and len(expression) >= 2, "an expression is a text or a list")
        head, *rest = expression
        if head in ("over", "inner", "square", "^"):
            return self._applied_to(head, rest, at)
        need(head in ("+", "-", "*", "/"), f"{str(head)[:80]!r} is not an operation here")
        total, *others = [self.scalar(part, at) for part in rest]
        if head == "-" and not others:
            return add({}, total, -1)
        for value in others:
            if head in ("+", "-"):
                total = add(total, value, 1 if head == "+" else -1)
            else:
                total = self.times(total, value if head == "*" else self.inverse(value))
        return total

    def _name(self, text: str, at: At) -> Polynomial:
        if NUMBER.fullmatch(text):
            return number(Fraction(text))
        if text in self.abbreviations:
            return self.scalar(self.abbreviations[text], at)
        moved = self._moved(self.declared(text, "scalar"), at)
        return self.symbol("scalar", text) if moved is None else self.scalar(moved)

    def _applied_to(self, head: str, rest: list[Any], at: At) -> Polynomial:
        need(len(rest) == (1 if head == "square" else 2), f"{head} has another number of arguments")
        if head == "over":
            operator = self.declared(rest[0], "operator")
            need(operator not in self._moving(at), f"{operator} is bound and does not move")
            return self.over(operator, self.scalar(rest[1], at))
        if head == "^":
            need(type(rest[1]) is int, "an exponent is a small whole number")
            return self.power(self.scalar(rest[0], at), rest[1])
        return self.inner(self.vector(rest[0], at), self.vector(rest[-1], at))

    def vector(self, expression: Any, at: At = None) -> Vector:
        self.spend(1)
        if isinstance(expression, str):
            if expression in self.abbreviations:
                return self.vector(self.abbreviations[expression], at)
            moved = self._moved(self.declared(expression, "vector"), at)
            return {expression: number(1)} if moved is None else self.vector(moved)
        need(type(expression) is dict, "a vector is a name or an object of coefficients")
        total: Vector = {}
        for name, coefficient in expression.items():
            total = self.combined(total, self.vector(name, at), self.scalar(coefficient, at))
        return total

    def _moving(self, at: At) -> frozenset[str]:
        """The operators that must not bind what is put in: an index that moves, what a vector depends on."""
        if at is None:
            return frozenset()
        return frozenset({at[0]}) if at[0] is not None else self.of_vector(self.vector(at[2]))

    def _moved(self, name: str, at: At) -> Any:
        """What stands for an atom elsewhere; None if it is the same there."""
        if at is None:
            return None
        if at[0] is None:
            return at[2] if name == at[1] else None
        if at[0] not in self.depends[name]:
            return None
        need((at[0], name) in self.sequences, f"{name} depends on {at[0]}, and its sequence is not declared")
        return self.sequences[at[0], name][at[1]]
