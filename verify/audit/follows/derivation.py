"""What a statement says after the choices of another that is said to follow from it.

Both sides are brought to the inputs of the one that follows. What it chooses or defines itself counts; where
it is silent, the choice of the other is inherited. A prescription that absorbs an integer, K = 2 gamma/x,
says what K is where the follower has a gamma of its own and no K.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

from sympy import Expr, Integer, Symbol, expand

from bounds.discovery import variants
from bounds.evaluation.resolve import names_in, resolve, substitution, unfold
from bounds.language.condition import Condition, Relation
from bounds.language.quantity import Role
from bounds.language.statement import Choice, Definition, Kind, Statement


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """What both say about one thing, in inputs: `own` of the follower, `source` of what it follows from."""

    name: str
    locator: str
    own: Expr
    source: Expr


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    follower: Statement
    source: Statement
    prescribed: tuple[Pair, ...]
    left_free: tuple[Choice, ...]
    restricted: bool
    conditions: tuple[tuple[Condition, Expr, Expr], ...]
    asked: tuple[tuple[Relation, Expr, Expr], ...]
    left: Expr | None
    own_terms: Mapping[str, Expr]
    source_terms: Mapping[str, Expr]


def derive(statement: Statement) -> Derivation:
    """`statement` beside what it is said to follow from, in the special case that it names."""
    case = {d.symbol: d.expression for d in statement.in_the_case}
    follower = _specialize(statement, case)
    source = _specialize(_source(statement), case)
    inputs = resolve(follower).required | resolve(follower).optional
    narrowed = inputs ^ (resolve(statement).required | resolve(statement).optional)
    own = substitution(follower)
    used = own | _inherited(source, own, inputs)
    left = _quotient(source, follower, used)
    return Derivation(
        follower=follower,
        source=source,
        prescribed=tuple(_prescribed(source, own, used)),
        left_free=tuple(c for c in source.choices if c.symbol.name in inputs),
        restricted=bool(narrowed & {s.name for s in case}),
        conditions=tuple((c, unfold(c.value, used), unfold(c.limit, used)) for c in source.conditions),
        asked=tuple((c.relation, unfold(c.value, used), unfold(c.limit, used)) for c in follower.conditions),
        left=left,
        own_terms={t.name: unfold(t.expression, used) for t in follower.terms},
        source_terms=(
            {} if left is None else {t.name: unfold(t.expression, used) / left for t in source.terms}
        ),
    )


def _source(statement: Statement) -> Statement:
    """An amended form follows from the amended form of its source, where there is one."""
    forms = {form.variant: form for form in variants(statement.follows_from)}
    return forms.get(statement.variant, forms["printed"])


def _inherited(source: Statement, own: Mapping[Symbol, Expr], inputs: frozenset[str]) -> dict[Symbol, Expr]:
    """What the follower neither chooses, nor defines, nor leaves as an input."""
    found = {s: e for s, e in substitution(source).items() if s not in own and s.name not in inputs}
    for choice in source.choices:
        count = choice.absorbed
        if count is not None and choice.symbol in own and count not in own and count.name not in inputs:
            found[count] = own[choice.symbol] / (choice.expression / count)
    return found


def _prescribed(source: Statement, own: Mapping[Symbol, Expr], used: Mapping[Symbol, Expr]) -> list[Pair]:
    """Choices of the source that the follower makes too, and definitions that both have."""
    absorbed = {c.symbol for c in source.choices if c.absorbed is not None and c.absorbed in used}
    places: list[tuple[str, Symbol, Expr, str]] = [
        ("choice of", c.symbol, c.expression, c.locator) for c in source.choices if c.symbol not in absorbed
    ]
    places += [("definition of", d.symbol, d.expression, d.locator) for d in source.where if d.needed]
    return [
        Pair(
            name=f"{what} {symbol}",
            locator=locator,
            own=unfold(own[symbol], used),
            source=unfold(expression, used),
        )
        for what, symbol, expression, locator in places
        if symbol in own
    ]


def _quotient(source: Statement, own: Statement, used: Mapping[Symbol, Expr]) -> Expr | None:
    """The factor between the two left sides; None where they bound different things."""
    if source.left is None or own.left is None:
        return None
    # What is bounded is no input: its free bound may not enter here.
    observed = {s: e for s, e in used.items() if s.name not in own.notation.observables}
    above, below = unfold(source.left, observed), unfold(own.left, observed)
    quotient = Integer(1) if expand(above - below) == 0 else above / below
    return None if {s.name for s in quotient.free_symbols} & _bounded(own) else quotient


def _bounded(statement: Statement) -> set[str]:
    """Names that stand for what is bounded or defined, and for no number that is given."""
    left = names_in(statement.left or Integer(0))
    return {*statement.notation.observables, *(left - names_in(statement.right))}


def compared_by_value(derivation: Derivation) -> bool:
    """The constant of an O(.) on one side only leaves nothing to compare."""
    same_kind = (derivation.follower.kind is Kind.RATE) == (derivation.source.kind is Kind.RATE)
    shown = {s.name for e in derivation.own_terms.values() for s in e.free_symbols}
    return derivation.left is not None and (same_kind or not shown & order_constants(derivation.follower))


def order_constants(statement: Statement) -> set[str]:
    return {n for n, q in statement.notation.quantities.items() if q.role is Role.ORDER_CONSTANT}


def _specialize(statement: Statement, case: Mapping[Symbol, Expr]) -> Statement:
    """The statement with symbols replaced throughout; what they stood for is chosen or defined no longer."""
    if not case:
        return statement
    return replace(
        statement,
        left=None if statement.left is None else statement.left.xreplace(dict(case)),
        terms=tuple(replace(t, expression=t.expression.xreplace(dict(case))) for t in statement.terms),
        choices=tuple(
            replace(c, expression=c.expression.xreplace(dict(case)))
            for c in statement.choices
            if c.symbol not in case
        ),
        where=tuple(_defined_in_case(d, case) for d in statement.where if d.symbol not in case),
        conditions=tuple(_condition_in_case(c, case) for c in statement.conditions),
        example={n: v for n, v in statement.example.items() if n not in {s.name for s in case}},
    )


def _defined_in_case(definition: Definition, case: Mapping[Symbol, Expr]) -> Definition:
    return replace(definition, expression=definition.expression.xreplace(dict(case)))


def _condition_in_case(condition: Condition, case: Mapping[Symbol, Expr]) -> Condition:
    solved = condition.solved
    return replace(
        condition,
        value=condition.value.xreplace(dict(case)),
        limit=condition.limit.xreplace(dict(case)),
        solved=None if solved is None else replace(solved, limit=solved.limit.xreplace(dict(case))),
    )
