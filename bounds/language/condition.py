"""Conditions: relations among quantities that a statement requires."""

from dataclasses import dataclass
from enum import Enum
from typing import Any, final

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

    @property
    def turned(self) -> "Relation":
        """What it becomes when the sides change places, or are multiplied by a negative number."""
        return {"<": Relation.ABOVE, "<=": Relation.AT_LEAST, ">": Relation.BELOW, ">=": Relation.AT_MOST}[
            self.value
        ]


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
    part: str = ""

    def __repr__(self) -> str:
        return f"<Condition {self.id}: {self.value} {self.relation.value} {self.limit}>"

    @property
    def id(self) -> str:
        """The locator, with the part where one printed hypothesis holds several relations."""
        return f"{self.locator}.{self.part}" if self.part else self.locator

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


def at_most(value: Expr, limit: Expr | int, *, locator: str, printed: str, **more: Any) -> Condition:
    return _condition(value, Relation.AT_MOST, limit, locator, printed, **more)


def below(value: Expr, limit: Expr | int, *, locator: str, printed: str, **more: Any) -> Condition:
    return _condition(value, Relation.BELOW, limit, locator, printed, **more)


def at_least(value: Expr, limit: Expr | int, *, locator: str, printed: str, **more: Any) -> Condition:
    return _condition(value, Relation.AT_LEAST, limit, locator, printed, **more)


def above(value: Expr, limit: Expr | int, *, locator: str, printed: str, **more: Any) -> Condition:
    return _condition(value, Relation.ABOVE, limit, locator, printed, **more)


def _condition(
    value: Expr,
    relation: Relation,
    limit: Expr | int,
    locator: str,
    printed: str,
    solved: Solved | None = None,
    part: str = "",
) -> Condition:
    return Condition(
        value=sympify(value),
        relation=relation,
        limit=sympify(limit),
        locator=locator,
        printed=printed,
        solved=solved,
        part=part,
    )


def solved_at_most(symbol: Symbol, limit: Expr | int) -> Solved:
    return Solved(symbol, Relation.AT_MOST, sympify(limit))


def solved_below(symbol: Symbol, limit: Expr | int) -> Solved:
    return Solved(symbol, Relation.BELOW, sympify(limit))


def solved_at_least(symbol: Symbol, limit: Expr | int) -> Solved:
    return Solved(symbol, Relation.AT_LEAST, sympify(limit))


def solved_above(symbol: Symbol, limit: Expr | int) -> Solved:
    return Solved(symbol, Relation.ABOVE, sympify(limit))
