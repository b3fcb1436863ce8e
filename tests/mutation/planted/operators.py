"""What a mutant changes in a statement: one term, one condition or one summand of its left side.

The direction is that of the operator. Whether a mutant is false is another question: see planted.truth.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import final

from sympy import Add, Expr, Integer, Pow, Rational, Symbol
from sympy.logic.boolalg import Boolean

from bounds.language.condition import Condition
from bounds.language.statement import Kind, Statement, Term

GONE = Rational(1, 10**12)
EQUALITIES = (Kind.EQUALITY, Kind.DEFINITION, Kind.RULE)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    operator: str
    place: str
    original: Statement
    mutated: Statement

    @property
    def name(self) -> str:
        return f"{self.original.id}: {self.operator}, {self.place}"

    @property
    def defines(self) -> bool:
        """Of what gives a name or a number and speaks of no objects: another definition, not a false one."""
        return self.original.kind in (Kind.DEFINITION, Kind.RULE) and self.original.concrete is None


Changed = Iterator[tuple[str, Statement]]
Operator = Callable[[Statement], Changed]


# ---- terms


def with_term(statement: Statement, index: int, expression: Expr) -> Statement:
    terms = list(statement.terms)
    terms[index] = replace(terms[index], expression=expression, non_negative=False)
    return replace(statement, terms=tuple(terms))


def subtracts(term: Term) -> bool:
    return not term.non_negative and bool(term.expression.could_extract_minus_sign())


def scaled(factor: Rational) -> Operator:
    """A term that is added times the factor; one that is subtracted divided by it."""

    def change(statement: Statement) -> Changed:
        for i, term in enumerate(statement.terms):
            own = 1 / factor if subtracts(term) else factor
            yield f"term {term.name}", with_term(statement, i, term.expression * own)

    return change


def dropped(statement: Statement) -> Changed:
    for i, term in enumerate(statement.terms):
        if not subtracts(term):
            nearly = with_term(statement, i, term.expression * GONE)
            others = tuple(t for k, t in enumerate(statement.terms) if k != i)
            rest = replace(statement, terms=others) if others else nearly
            yield f"term {term.name}", rest if known(statement) == known(rest) else nearly


def known(statement: Statement) -> set[Symbol]:
    """Symbols that the relation and its conditions name. Without them no cell could be filled in.

    What alone names one is dropped but for a part in 10^12.
    """
    named = set(statement.symbols)
    for condition in statement.conditions:
        named |= condition.value.free_symbols | condition.limit.free_symbols
    return named


def nodes(expression: Expr) -> Iterator[Expr]:
    """Every part but those inside the condition of a case."""
    if not isinstance(expression, Boolean):
        yield expression
        for part in expression.args:
            yield from nodes(part)


def flipped(statement: Statement) -> Changed:
    """A summand inside a term; of a term without a sum, its own sign."""
    for i, term in enumerate(statement.terms):
        sums = [node for node in nodes(term.expression) if isinstance(node, Add)]
        for node in dict.fromkeys(sums):
            for part in node.args:
                changed = term.expression.xreplace({node: node - 2 * part})
                yield f"{part} in term {term.name}", with_term(statement, i, changed)
        if not sums:
            yield f"term {term.name}", with_term(statement, i, -term.expression)


def other_exponent(statement: Statement) -> Changed:
    for i, term in enumerate(statement.terms):
        found = list(dict.fromkeys(nodes(term.expression)))
        powers = [n for n in found if isinstance(n, Pow) and isinstance(n.base, Symbol)]
        bases = {power.base for power in powers}
        alone = [n for n in found if isinstance(n, Symbol) and n not in bases]
        for node in (*powers, *alone):
            base, exponent = (node.base, node.exp) if isinstance(node, Pow) else (node, Integer(1))
            for more in (Integer(1), Integer(-1), Rational(1, 2), Rational(-1, 2)):
                changed = base ** (exponent + more)
                whole = term.expression.xreplace({node: changed})
                yield f"{changed} for {node} in term {term.name}", with_term(statement, i, whole)


def added(statement: Statement) -> Changed:
    for term in statement.terms:
        if not subtracts(term):
            more = replace(term, name="added", expression=term.expression / 4)
            yield f"a quarter of term {term.name}", replace(statement, terms=(*statement.terms, more))


# ---- conditions and the left side


def with_conditions(statement: Statement, conditions: list[Condition]) -> Statement:
    return replace(statement, conditions=tuple(conditions))


def moved(condition: Condition, factor: Rational) -> Condition:
    """An upper limit times the factor, a lower one divided by it; a limit 0 stays where it is."""
    own = factor if condition.relation.upper else 1 / factor
    return replace(condition, limit=condition.limit * own, solved=None)


def with_condition(statement: Statement, index: int, changed: Condition | None) -> Statement:
    conditions = [changed if k == index else c for k, c in enumerate(statement.conditions)]
    return replace(statement, conditions=tuple(c for c in conditions if c is not None))


def without_condition(statement: Statement) -> Changed:
    """One that alone names a quantity has its limit so far away that it limits nothing."""
    for i, condition in enumerate(statement.conditions):
        rest = with_condition(statement, i, None)
        alone = condition.limit != 0 and known(statement) != known(rest)
        far = with_condition(statement, i, moved(condition, 1 / GONE))
        yield f"condition {condition.id}", far if alone else rest


def moved_limit(factor: Rational) -> Operator:
    def change(statement: Statement) -> Changed:
        for i, condition in enumerate(statement.conditions):
            if condition.limit != 0:
                yield f"condition {condition.id}", with_condition(statement, i, moved(condition, factor))

    return change


def larger_left(statement: Statement) -> Changed:
    """Of a left side with several summands, one that is added is doubled."""
    if isinstance(statement.left, Add):
        for part in statement.left.args:
            if not part.could_extract_minus_sign():
                yield f"summand {part} of the left side", replace(statement, left=statement.left + part)


STRENGTHENING: dict[str, Operator] = {
    "term halved": scaled(Rational(1, 2)),
    "term a tenth smaller": scaled(Rational(9, 10)),
    "term dropped": dropped,
    "sign flipped": flipped,
    "exponent changed": other_exponent,
    "condition dropped": without_condition,
    "condition widened": moved_limit(Rational(2)),
    "left side doubled": larger_left,
}
LOOSENING: dict[str, Operator] = {
    "term doubled": scaled(Rational(2)),
    "summand added": added,
    "condition narrowed": moved_limit(Rational(1, 2)),
}
