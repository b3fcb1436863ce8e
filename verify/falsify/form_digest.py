"""A digest of what a search sees of a statement, so that a row of an attempt tells of which form it is.

Where a side, a hypothesis, a reading or the meaning of a symbol is changed, the form is another one, and
counts as not attempted. What the code of a recipe or of an engine does has no part in it.
"""

import hashlib
from collections.abc import Iterator
from typing import Final

from sympy import Expr

from bounds.language.statement import Statement
from verify.papers.als_dpfl.growth_certificates import growth_of
from verify.papers.several.claims_as_numbers import claim_of

LENGTH: Final = 16  # hexadecimal digits of a digest


def form_of(statement: Statement) -> str:
    """The same in every process; findings, steps, titles and the name of the variant have no part in it."""
    text = "\n".join(_seen(statement))
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]


def _seen(statement: Statement) -> Iterator[str]:
    """As sympy writes it: sums and products in an order of its own, whatever the order of hashes."""
    yield f"{statement.id} {statement.kind.value} {statement.algorithm} {statement.explicit}"
    yield from statement.printed
    yield f"reading {statement.reading}"
    yield f"left {statement.left}"
    yield from (f"term {term.expression} {term.non_negative}" for term in statement.terms)
    yield from (f"condition {c.value} {c.relation.value} {c.limit}" for c in statement.conditions)
    yield from (f"choice {c.symbol} {c.expression} {c.absorbed}" for c in statement.choices)
    yield from (f"where {d.symbol} {d.expression} {d.needed}" for d in statement.where)
    yield from sorted(f"assumption {a.name} {a.locator} {a.text}" for a in statement.assumptions)
    yield from (f"setting {s.locator} {s.text}" for s in statement.setting)
    if statement.concrete is not None:
        yield from sorted(f"object {name}: {what}" for name, what in statement.concrete.objects.items())
    yield from _claimed(statement)
    yield from _symbols(statement)


def _claimed(statement: Statement) -> Iterator[str]:
    """For a claim the name of the function that computes its sides, and what a certificate of growth starts
    from.

    The name without its module, so that a form stays the same when the function moves to another file.
    """
    claim, growth = claim_of(statement), growth_of(statement)
    if claim is not None:
        yield f"claim {claim.family} {claim.size} {claim.sides.__qualname__}"
    if growth is not None:
        for fact in growth.facts:
            parts = sorted(f"{coefficient} {monomial}" for monomial, coefficient in fact.polynomial.items())
            yield f"fact {fact.name} {parts} {fact.strict}"
        yield from (f"sign {name} {sign}" for name, sign in sorted(growth.signs.items()))
        yield from (f"grows {monomial}" for monomial in growth.grows)


def _symbols(statement: Statement) -> Iterator[str]:
    """Every quantity that is named, and what is known of an observable without a run."""
    sides: list[Expr] = [statement.right] if statement.left is None else [statement.left, statement.right]
    sides += [e for c in statement.conditions for e in (c.value, c.limit)]
    sides += [e for c in statement.choices for e in (c.symbol, c.expression)]
    sides += [e for d in statement.where for e in (d.symbol, d.expression)]
    notation = statement.notation
    for name in sorted({s.name for e in sides for s in e.free_symbols}):
        if name in notation.quantities:
            q = notation.quantities[name]
            yield f"quantity {name} {q.domain} {q.dimension} {q.role.value} {q.meaning}, {q.detail}"
        if name in notation.observables:
            o = notation.observables[name]
            # nothing where an observable has no such end: its digest is that of before there were any
            ends = [f"{e}" for e in (o.highest, o.second_moment) if e is not None]
            known = " ".join([f"{o.lowest} {o.free_bound} {o.moments}", *ends])
            yield f"observable {name} {o.dimension} {o.over.value} {known} {o.meaning}"
