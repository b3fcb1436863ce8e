"""Conditions: relations among quantities that a statement requires."""

from dataclasses import dataclass
from enum import Enum
from typing import final

from sympy import Expr, Symbol, sympify


class Relation(Enum):
    AT_MOST = "<="
    BELOW = "<"
    AT_LEAST = ">="
    ABOVE = ">"

    @property
    def strict(self) -> bool:
        return self in (Relation.BELOW, Relation.ABOVE)

    @property
    def upper(self) -> bool:
        """Whether the limit bounds the value from above."""
        return self in (Relation.AT_MOST, Relation.BELOW)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """`value relation limit`; `solved` is the same condition as a limit on one symbol.

    `solved` lets a generator construct parameters that meet the condition instead of rejecting
    those that do not; a test checks that the two forms agree.
    """

    value: Expr
    relation: Relation
    limit: Expr
    locator: str
    printed: str
    solved: "Solved | None" = None

    @property
    def id(self) -> str:
        return self.locator

    @property
    def constructive(self) -> "Solved | None":
        if self.solved is not None:
            return self.solved
        if isinstance(self.value, Symbol):
            return Solved(self.value, self.relation, self.limit)
        return None


@final
@dataclass(frozen=True, slots=True)
class Solved:
    symbol: Symbol
    relation: Relation
    limit: Expr


def _condition(
    value: Expr,
    relation: Relation,
    limit: Expr | int,
    locator: str,
    printed: str,
    solved: Solved | None,
) -> Condition:
    return Condition(
        value=sympify(value),
        relation=relation,
        limit=sympify(limit),
        locator=locator,
        printed=printed,
        solved=solved,
    )


def at_most(
    value: Expr, limit: Expr | int, *, locator: str, printed: str, solved: Solved | None = None
) -> Condition:
    return _condition(value, Relation.AT_MOST, limit, locator, printed, solved)


def below(
    value: Expr, limit: Expr | int, *, locator: str, printed: str, solved: Solved | None = None
) -> Condition:
    return _condition(value, Relation.BELOW, limit, locator, printed, solved)


def at_least(
    value: Expr, limit: Expr | int, *, locator: str, printed: str, solved: Solved | None = None
) -> Condition:
    return _condition(value, Relation.AT_LEAST, limit, locator, printed, solved)


def above(
    value: Expr, limit: Expr | int, *, locator: str, printed: str, solved: Solved | None = None
) -> Condition:
    return _condition(value, Relation.ABOVE, limit, locator, printed, solved)


def solved_at_most(symbol: Symbol, limit: Expr | int) -> Solved:
    return Solved(symbol, Relation.AT_MOST, sympify(limit))


def solved_below(symbol: Symbol, limit: Expr | int) -> Solved:
    return Solved(symbol, Relation.BELOW, sympify(limit))


def solved_at_least(symbol: Symbol, limit: Expr | int) -> Solved:
    return Solved(symbol, Relation.AT_LEAST, sympify(limit))


def solved_above(symbol: Symbol, limit: Expr | int) -> Solved:
    return Solved(symbol, Relation.ABOVE, sympify(limit))
