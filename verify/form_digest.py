"""The digest of a form of a statement, by which a file tells of which form it is.

Where a side, a hypothesis, a reading or the meaning of a symbol is changed, the form is another one.
Findings, steps, titles and the name of the variant have no part in it.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Final

from sympy import Add, Expr, Mul, Rational, Symbol

from bounds.language.dimension import Dimension
from bounds.language.statement import Statement

LENGTH: Final = 16  # hexadecimal digits of a digest
Write = Callable[[Expr], str]


def digest(lines: Iterable[str]) -> str:
    """The same in every process."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:LENGTH]


def form_of(statement: Statement) -> str:
    """The digest of all that a proof is about; it takes a millisecond."""
    return digest([*see_formulas(statement, write_tree), *see_symbols(statement, write_tree)])


def write_tree(expression: Expr) -> str:
    """An expression as its tree, without the order of sums and products; sympy takes longer to print one."""
    if isinstance(expression, Symbol):
        return str(expression.name)
    if isinstance(expression, Rational):
        return f"{expression.p}/{expression.q}"
    if not expression.args:
        return str(expression)
    parts = [write_tree(part) for part in expression.args]
    if isinstance(expression, Add | Mul):
        parts.sort()
    return f"{type(expression).__name__}({','.join(parts)})"


@cache
def _say(dimension: Dimension) -> str:
    return str(dimension)


def see_formulas(statement: Statement, write: Write = str) -> Iterator[str]:
    """Both sides, hypotheses, choices, definitions, the reading and the objects."""
    yield f"{statement.id} {statement.kind.value} {statement.algorithm} {statement.explicit}"
    yield from statement.printed
    yield f"reading {statement.reading}"
    yield f"left {'None' if statement.left is None else write(statement.left)}"
    yield from (f"term {write(term.expression)} {term.non_negative}" for term in statement.terms)
    yield from (
        f"condition {write(c.value)} {c.relation.value} {write(c.limit)}" for c in statement.conditions
    )
    yield from (f"choice {c.symbol} {write(c.expression)} {c.absorbed}" for c in statement.choices)
    yield from (f"where {d.symbol} {write(d.expression)} {d.needed}" for d in statement.where)
    yield from sorted(f"assumption {a.name} {a.locator} {a.text}" for a in statement.assumptions)
    yield from (f"setting {s.locator} {s.text}" for s in statement.setting)
    if statement.concrete is not None:
        yield from sorted(f"object {name}: {what}" for name, what in statement.concrete.objects.items())


def see_symbols(statement: Statement, write: Write = str) -> Iterator[str]:
    """Every quantity that is named, and what is known of an observable without a run."""
    sides: list[Expr] = [statement.right] if statement.left is None else [statement.left, statement.right]
    sides += [e for c in statement.conditions for e in (c.value, c.limit)]
    sides += [e for c in statement.choices for e in (c.symbol, c.expression)]
    sides += [e for d in statement.where for e in (d.symbol, d.expression)]
    notation = statement.notation
    for name in sorted({s.name for e in sides for s in e.free_symbols}):
        if name in notation.quantities:
            q = notation.quantities[name]
            yield f"quantity {name} {q.domain} {_say(q.dimension)} {q.role.value} {q.meaning}, {q.detail}"
        if name in notation.observables:
            o = notation.observables[name]
            # nothing where an observable has no such end: its digest is that of before there were any
            ends = [write(e) for e in (o.highest, o.second_moment) if e is not None]
            free = "None" if o.free_bound is None else write(o.free_bound)
            known = " ".join([f"{o.lowest} {free} {o.moments}", *ends])
            yield f"observable {name} {_say(o.dimension)} {o.over.value} {known} {o.meaning}"
