"""A digest of what a search sees of a statement, so that a row of an attempt tells of which form it is.

Where a side, a condition, a choice or an assumption is changed, the form is another one, and counts as not
attempted. What the code of a recipe or of an engine does has no part in it.
"""

import hashlib
from collections.abc import Iterator
from typing import Final

from sympy import Expr

from bounds.statement import Statement
from verify.falsify.for_all import growth_of
from verify.falsify.words import claim_of

LENGTH: Final = 16  # hexadecimal digits of a digest


def form_of(statement: Statement) -> str:
    """The same in every process; findings, steps, titles and readings have no part in it."""
    text = "\n".join(_seen(statement))
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]


def _seen(statement: Statement) -> Iterator[str]:
    """As sympy writes it: sums and products in an order of its own, whatever the order of hashes."""
    yield f"{statement.kind.value} {statement.algorithm} {statement.explicit}"
    yield from statement.printed
    yield f"left {statement.left}"
    yield from (f"term {term.expression}" for term in statement.terms)
    yield from (f"condition {c.value} {c.relation.value} {c.limit}" for c in statement.conditions)
    yield from (f"choice {c.symbol} {c.expression} {c.absorbed}" for c in statement.choices)
    yield from (f"where {d.symbol} {d.expression} {d.needed}" for d in statement.where)
    yield from sorted(f"assumption {a.name}" for a in statement.assumptions)
    claim = claim_of(statement)
    yield "" if claim is None else f"claim {claim.family} {claim.size}"
    yield "" if growth_of(statement) is None else "growth"
    yield from _domains(statement)


def _domains(statement: Statement) -> Iterator[str]:
    """Of every quantity that is named, and what is known of an observable without a run."""
    sides: list[Expr] = [statement.right] if statement.left is None else [statement.left, statement.right]
    sides += [e for c in statement.conditions for e in (c.value, c.limit)]
    sides += [e for c in statement.choices for e in (c.symbol, c.expression)]
    sides += [e for d in statement.where for e in (d.symbol, d.expression)]
    notation = statement.notation
    for name in sorted({s.name for e in sides for s in e.free_symbols}):
        if name in notation.quantities:
            yield f"domain {name} {notation.quantities[name].domain}"
        if name in notation.observables:
            observable = notation.observables[name]
            yield f"observable {name} {observable.over.value} {observable.lowest} {observable.free_bound}"
