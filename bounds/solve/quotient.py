"""A bound divided by what its left side multiplies the measured quantity by.

Of `a(x) O + ... <= R(x)` with a coefficient that takes the choice x, the smallest R is not the most that can
be said of O: that is the smallest R/a where a > 0. With a = m - f, a monomial m less a log-convex f, the set
a > 0 is f < m, which is convex in the logarithms, and there 1/a = 1/(m (1 - f/m)) is log-convex: f/m is
convex in them, so 1 - f/m is concave and has a concave logarithm. R/a of a geometric program is one again.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import final

from sympy import Add, Expr, expand

from bounds.evaluation.resolve import names_in, substitution, unfold
from bounds.language.condition import Condition, above, below
from bounds.language.dimension import ONE, infer
from bounds.language.statement import Statement


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Quotient:
    """`statement` bounds the observable alone where the rest of the left side is not negative."""

    statement: Statement
    observable: str
    coefficient: Expr
    unit: str


def find_coefficients(statement: Statement) -> dict[str, Expr]:
    """What the left side multiplies each of its observables by; empty where it is not linear in them."""
    if statement.left is None:
        return {}
    observables = statement.notation.observables
    measured = [symbol for symbol in statement.left.free_symbols if symbol.name in observables]
    found = {symbol.name: statement.left.diff(symbol) for symbol in measured}
    linear = not any(coefficient.free_symbols & {*measured} for coefficient in found.values())
    return found if linear else {}


def list_weighing(statement: Statement, given: Collection[str], chosen: Collection[str]) -> list[str]:
    """The chosen parameters that coefficients of the left side take."""
    used = substitution(statement, frozenset(given))
    taken = names_in(*(unfold(c, used) for c in find_coefficients(statement).values()))
    return [name for name in chosen if name in taken]


@lru_cache(maxsize=256)
def divide(statement: Statement, given: frozenset[str], chosen: tuple[str, ...]) -> Quotient | None:
    """None where no coefficient takes what is chosen, or no observable is the one that the bound is on.

    It is the only one, or the only one in the unit of the bound: the coefficient has none.
    """
    coefficients = find_coefficients(statement)
    dimensions = {name: q.dimension for name, q in statement.notation.quantities.items()}
    plain = {n: c for n, c in coefficients.items() if infer(c, dimensions)[0] == ONE}
    candidates = coefficients if len(coefficients) == 1 else plain
    if len(candidates) != 1 or statement.left is None:
        return None
    ((name, coefficient),) = candidates.items()
    used = substitution(statement, frozenset(given))
    if not names_in(unfold(coefficient, used)) & {*chosen}:
        return None
    divided = tuple(replace(term, expression=term.expression / coefficient) for term in statement.terms)
    positive = _require_positive(coefficient, statement.locator)
    return Quotient(
        statement=replace(statement, terms=divided, conditions=(*statement.conditions, *positive)),
        observable=name,
        coefficient=coefficient,
        unit=str(statement.notation.observables[name].dimension),
    )


def _require_positive(coefficient: Expr, locator: str) -> tuple[Condition, ...]:
    """As f < m, so that the conditions of a geometric program have one more of their kind."""
    if coefficient.is_positive:
        return ()
    summands = Add.make_args(expand(coefficient))
    lowering = [-summand for summand in summands if (-summand).is_nonnegative]
    rest = [summand for summand in summands if not (-summand).is_nonnegative]
    asked = {"locator": locator, "printed": "", "part": "coefficient"}
    if not lowering:
        return (above(coefficient, 0, **asked),)
    return (below(Add(*lowering), Add(*rest), **asked),)
