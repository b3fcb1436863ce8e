"""A machine form and its statement, joined to the document that a checker reads.

The conditions and the conclusion come from the formulas of the statement. A formula n/d becomes n d, which
has its sign wherever it has a value.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from math import isfinite
from typing import Any

from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, fraction, together

from bounds.errors import MalformedStatement
from bounds.language.condition import Condition
from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import CONCLUSION, MachineForm
from bounds.language.statement import Kind, Statement

SCHEMA = "fedbounds/proof/1"


def machine_form(statement: Statement) -> MachineForm | None:
    """The machine form of a proof of the statement, from the package `proofs` beside it, if it has one."""
    inside = statement.id.partition(".")[2] or statement.id
    module = f"{statement.paper.package}.proofs.{inside.partition('.')[0]}"
    try:
        if find_spec(module) is None:
            return None
    except ModuleNotFoundError:
        return None
    forms = {id(v): v for v in vars(import_module(module)).values() if isinstance(v, MachineForm)}
    own = [f for f in forms.values() if (f.statement, f.variant) == (statement.id, statement.variant)]
    if len(own) > 1:
        raise MalformedStatement(f"{module} has {len(own)} proofs of {statement.id}, {statement.variant}")
    return own[0] if own else None


def document(form: MachineForm, statement: Statement) -> dict[str, Any]:
    """The whole proof, with the conditions and the conclusion of the statement."""
    given = [_condition(entry, form, statement) for entry in form.given]
    relation = "= 0" if statement.kind is Kind.EQUALITY else ">= 0"
    steps = [
        entry | {"claim": conclusion(form, statement).form, "relation": relation}
        if entry.get("claim") == CONCLUSION
        else entry
        for entry in form.steps
    ]
    head = {"schema": SCHEMA, "id": statement.id, "variant": statement.variant}
    return head | {"given": given, "steps": steps}


def conclusion(form: MachineForm, statement: Statement) -> Scalar:
    """The right side minus the left side, times the square of the divisor."""
    if statement.left is None or not statement.terms:
        raise MalformedStatement(f"{statement.id} has no two sides, so it has no conclusion to prove")
    sides = _chosen(statement.right - statement.left, statement, form)
    known = {_key(value) for value in _reads(form).values()} | {
        e.get("name") for e in form.given + form.steps
    }
    for symbol in sorted(map(str, sides.free_symbols - form.reads.keys())):
        if symbol not in known:
            raise MalformedStatement(
                f"the proof of {statement.id} does not say what {symbol} is: set it in `reads`, or declare it"
            )
    return _cleared(sides, form)


def _chosen(expression: Expr, statement: Statement, form: MachineForm) -> Expr:
    """What the statement prescribes and derives is replaced, unless the form reads the symbol itself."""
    rules: dict[Symbol, Expr] = {c.symbol: c.expression for c in statement.choices}
    rules |= {c.symbol: c.expression for c in statement.where}
    reads = {key: Symbol(_key(value)) for key, value in _reads(form).items()}
    rules = {symbol: value for symbol, value in rules.items() if symbol not in form.reads}
    expression = expression.xreplace(reads)
    for _ in range(len(rules) + 1):
        expression = expression.xreplace(rules)
    return expression.xreplace(reads)


def _condition(entry: dict[str, Any], form: MachineForm, statement: Statement) -> dict[str, Any]:
    if entry["kind"] == "domain":
        return _domain(entry, statement)
    if entry["kind"] != "condition":
        return entry
    found = [c for c in statement.conditions if c.id == entry["name"]]
    if len(found) != 1:
        raise MalformedStatement(f"{statement.id} has no condition {entry['name']}, which its proof uses")
    condition: Condition = found[0]
    difference = (
        condition.limit - condition.value if condition.relation.upper else condition.value - condition.limit
    )
    assumed = _cleared(_chosen(difference, statement, form), form)
    relation = "> 0" if condition.relation.strict else ">= 0"
    return {"kind": "hypothesis", "name": condition.id, "assumed": assumed.form, "relation": relation}


def _domain(entry: dict[str, Any], statement: Statement) -> dict[str, Any]:
    domain = statement.notation.quantities[entry["quantity"]].domain
    upper = entry["upper"]
    end, included = (domain.upper, domain.upper_included) if upper else (domain.lower, domain.lower_included)
    if not isfinite(end):
        raise MalformedStatement(
            f"{entry['quantity']} has no {'upper' if upper else 'lower'} end, which a proof of "
            f"{statement.id} uses"
        )
    difference = Scalar(entry["quantity"]) - Fraction(end)
    assumed = -difference if upper else difference
    relation = ">= 0" if included else "> 0"
    return {"kind": "hypothesis", "name": entry["name"], "assumed": assumed.form, "relation": relation}


def _cleared(expression: Expr, form: MachineForm) -> Scalar:
    above, below = fraction(together(expression))
    table = {_key(value): value for value in _reads(form).values()}
    return _translated(above, table) * _translated(below, table)


def _reads(form: MachineForm) -> dict[Expr, Scalar]:
    """What the form reads, and one over each root that it reads."""
    below = {1 / key: 1 / value for key, value in form.reads.items() if isinstance(key, Pow)}
    return below | form.reads


def _key(value: Scalar) -> str:
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
