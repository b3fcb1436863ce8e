"""Claims about what a form reads, made of the formulas of the statement, so that fewer readings are trusted.

The scalar read for a root has its square and its sign; one read for a symbol that the statement prescribes
or defines is equal to that. They follow from what the form's own scalars stand for.
"""

from collections.abc import Iterator
from typing import Any

from sympy import Expr, Integer, Pow, Rational, Symbol

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import MachineForm
from bounds.language.proof.formulas import choose, list_unknown, name_of, translate
from bounds.language.statement import Statement

NOT_OF_SCALARS = {"inner", "square", "over"}


def claim_readings(form: MachineForm, statement: Statement) -> list[dict[str, Any]]:
    """The claims about every reading that the conclusion or a condition uses, and that has a definition."""
    claims = list[dict[str, Any]]()
    for symbol, value, stands_for, power in _list_defined(form, statement):
        if list_unknown(stands_for, statement, form):
            continue  # defined by what the form has no number for: nothing else is said of the symbol
        difference = translate(Symbol(name_of(value)) ** power - stands_for, statement, form).form
        equalities = [{"fact": name} for name in _list_definitions(form, difference)]
        # Without a definition it is an identity, or wrong.
        by = {"rule": "search", "equalities": equalities} if equalities else {"rule": "combination"}
        claims.append({"name": f"reads {symbol}", "claim": difference, "relation": "= 0", "by": by})
        if power > 1:
            by = {"rule": "combination", "terms": [{"times": value.form}]}
            claims.append({"name": f"sign of {symbol}", "claim": value.form, "relation": ">= 0", "by": by})
    return claims


def _list_defined(form: MachineForm, statement: Statement) -> Iterator[tuple[Expr, Scalar, Expr, int]]:
    """A symbol or a root, what is read for it, and which of its powers is which formula.

    Another root of the same number is a power of the finest that is read.
    """
    defined = {c.symbol: c.expression for c in statement.choices}
    defined |= {d.symbol: d.expression for d in statement.where}
    used, finest = _list_used(form, statement), dict[Expr, Rational]()
    for root in form.reads:
        if isinstance(root, Pow) and isinstance(root.exp, Rational) and root.exp > 0:
            finest[root.base] = min(finest.get(root.base, root.exp), root.exp)
    bases = {s.base for s, value in form.reads.items() if isinstance(s, Pow) and _names(value) & used}
    for symbol, value in form.reads.items():
        if isinstance(symbol, Pow) and isinstance(symbol.exp, Rational) and symbol.base in finest:
            least = finest[symbol.base]
            if symbol.exp == least and symbol.base in bases:
                yield symbol, value, symbol.base**least.p, least.q
            elif _names(value) & used:
                power, root = symbol.exp / least, Symbol(name_of(form.reads[symbol.base**least]))
                is_integer = isinstance(power, Integer)
                exact = (root**power, 1) if is_integer else (symbol.base**symbol.exp.p, symbol.exp.q)
                yield symbol, value, *exact
        elif symbol in defined and _names(value) & used:
            yield symbol, value, defined[symbol], 1


def _names(value: Scalar) -> set[str]:
    """What a formula says for a reading, and for one over it."""
    return {name_of(value), name_of(1 / value)}


def _list_used(form: MachineForm, statement: Statement) -> set[str]:
    """The names of what is read for the conclusion and for the conditions that the form is given."""
    own = {entry["name"] for entry in form.given if entry["kind"] == "condition"}
    formulas: list[Expr] = [c.value - c.limit for c in statement.conditions if c.id in own]
    if statement.left is not None and statement.terms:
        formulas.append(statement.right - statement.left)
    return {str(s) for formula in formulas for s in choose(formula, statement, form).free_symbols}


def _list_definitions(form: MachineForm, claim: Any) -> list[str]:
    """The equalities of scalars that share an atom with the claim, or with such an equality."""
    entries = form.given + form.steps
    equal = {
        f"definition of {e['name']}": [e["name"], e["stands_for"]]
        for e in entries
        if e.get("kind") == "named"
    }
    equal |= {e["name"]: e["assumed"] for e in entries if e.get("relation") == "= 0" and "assumed" in e}
    known, found = _list_names(claim, form), list[str]()
    while more := [
        name
        for name, value in equal.items()
        if name not in found and known & (atoms := _list_names(value, form)) and not atoms & NOT_OF_SCALARS
    ]:
        found += more
        known |= {atom for name in more for atom in _list_names(equal[name], form)}
    return found


def _list_names(value: Any, form: MachineForm) -> set[str]:
    """The atoms of an expression and its operations, abbreviations written out."""
    return set(_walk(value, form))


def _walk(value: Any, form: MachineForm) -> Iterator[str]:
    if isinstance(value, str) and value in form.abbreviations:
        yield from _walk(form.abbreviations[value], form)
    elif isinstance(value, str) and value[0].isalpha():
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _walk(part, form)
    elif isinstance(value, dict):
        yield from NOT_OF_SCALARS
