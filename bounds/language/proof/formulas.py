"""Formulas of a statement in the symbols of a machine form.

What the statement prescribes and defines is put in, and `reads` says what stands for the rest. A formula n/d
becomes n d, which has its sign wherever it has a value.
"""

import re
from collections.abc import Mapping

from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, fraction, together

from bounds.errors import MalformedStatement
from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import MachineForm
from bounds.language.statement import Statement


def translate(expression: Expr, statement: Statement, form: MachineForm) -> Scalar:
    """The formula of the form, cleared of its divisor."""
    above, below = fraction(together(choose(expression, statement, form)))
    table = {name_of(value): value for value in read(form).values()}
    return _translated(above, table) * _translated(below, table)


def translate_exactly(expression: Expr, statement: Statement, form: MachineForm) -> Scalar:
    """The formula of the form with its divisors, each of them a product of scalars above 0."""
    return _translated(
        choose(expression, statement, form), {name_of(value): value for value in read(form).values()}
    )


def choose(expression: Expr, statement: Statement, form: MachineForm) -> Expr:
    """What the statement prescribes and derives is replaced, unless the form reads the symbol itself."""
    rules: dict[Symbol, Expr] = {c.symbol: c.expression for c in statement.choices}
    rules |= {c.symbol: c.expression for c in statement.where}
    reads = {symbol: Symbol(name_of(value)) for symbol, value in read(form).items()}
    rules = {symbol: value for symbol, value in rules.items() if symbol not in form.reads}
    expression = expression.xreplace(reads)
    for _ in range(len(rules) + 1):
        expression = expression.xreplace(rules)
    return expression.xreplace(reads)


def list_unknown(expression: Expr, statement: Statement, form: MachineForm) -> list[str]:
    """The symbols of the formula that the form neither reads nor declares."""
    known = {name_of(value) for value in read(form).values()} | {
        e.get("name") for e in form.given + form.steps
    }
    return sorted({str(s) for s in choose(expression, statement, form).free_symbols} - known)


def read(form: MachineForm) -> dict[Expr, Scalar]:
    """What the form reads, and one over each root that it reads."""
    below = {1 / root: 1 / value for root, value in form.reads.items() if isinstance(root, Pow)}
    return below | form.reads


def name_of(value: Scalar) -> str:
    return f"<{value.form}>"


def _translated(expression: Expr, table: Mapping[str, Scalar]) -> Scalar:
    """Sums, products and whole powers of symbols; anything else must be in `reads`."""
    if isinstance(expression, Rational):
        return Scalar(str(expression))
    if isinstance(expression, Symbol):
        if expression.name in table:
            return table[expression.name]
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", expression.name):
            raise MalformedStatement(f"a proof has to say in `reads` what {expression} is")
        return Scalar(expression.name)
    if isinstance(expression, Add | Mul):
        parts = [_translated(part, table) for part in expression.args]
        total = parts[0]
        for part in parts[1:]:
            total = total + part if isinstance(expression, Add) else total * part
        return total
    if isinstance(expression, Pow) and isinstance(expression.exp, Integer):
        return _translated(expression.base, table) ** int(expression.exp)
    raise MalformedStatement(f"a proof has to say in `reads` what {expression} is")
