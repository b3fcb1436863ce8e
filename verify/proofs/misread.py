"""Whether a form reads for a symbol or a formula of its statement what that may be.

A quantity is any number of its domain. What the form reads for it may not be more special: not a number, not
a formula of other quantities, not what is read for another quantity, and of no sign that the domain lacks.
A formula is read as a whole if it is a power with a letter in the exponent (`powers`) or a function such as a
minimum; sums and products are read by their symbols.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Expr, Function, Min, Pow, Rational, Symbol, exp
from sympy.functions.elementary.miscellaneous import MinMaxBase

from bounds.errors import MalformedStatement
from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import MachineForm
from bounds.language.proof.formulas import list_unknown, translate, translate_exactly
from bounds.language.proof.named_by_lemma import measured_by
from bounds.language.quantity import Domain
from bounds.language.statement import Statement
from verify.proofs.algebra import ANY, NON_NEGATIVE, POSITIVE, Rejected, number
from verify.proofs.checker import Checker
from verify.proofs.intervals import enclose
from verify.proofs.powers import Powers, is_lettered, list_taken


def list_misread(
    form: MachineForm, statement: Statement, document: Mapping[str, Any], checker: Checker
) -> tuple[str, ...]:
    """Return the readings that say more than the statement, in sentences; `checker` took the document."""
    quantities = statement.notation.quantities
    as_declared = measured_by(statement)  # `unlicensed` compares what is read for these with the lemma
    defined = list_defined(statement)
    found = list[str]()
    symbols = list_used(form, statement)
    used = {key: value for key, value in form.reads.items() if key.free_symbols <= symbols}
    for key, value in used.items():
        try:
            if isinstance(key, Pow) and isinstance(key.exp, Rational):
                found += _check_root(key, value, form, statement, checker)
            elif not (isinstance(key, Symbol) or is_lettered(key)):
                found += _check_formula(key, value, form, statement, document, checker)
            elif str(key) in quantities and key not in as_declared:
                parts = _list_parts(document) if str(key) not in defined else None
                found += _check_quantity(key, value, statement, checker, parts)
        except Rejected as error:
            found.append(f"{key} is read as {value.form}: {error}")
    found += Powers(form, statement, document, checker).list_misread(used)
    free = quantities.keys() - defined
    alike = {str(k): v for k, v in used.items() if str(k) in free or isinstance(k, Function | MinMaxBase)}
    return (*found, *_check_alike(alike))


def list_used(form: MachineForm, statement: Statement) -> set[Expr]:
    """The symbols of the conclusion and of the conditions that the form uses, and of their definitions."""
    own = {entry["name"] for entry in form.given if entry["kind"] == "condition"}
    formulas = [c.value - c.limit for c in statement.conditions if c.id in own]
    formulas += [statement.right - statement.left] if statement.left is not None and statement.terms else []
    symbols = set[Expr]().union(*(formula.free_symbols for formula in formulas))
    rules = _list_own_formulas(statement)
    for _ in rules:
        symbols = symbols.union(*(formula.free_symbols for symbol, formula in rules if symbol in symbols))
    return symbols


def _list_own_formulas(statement: Statement) -> list[tuple[Symbol, Expr]]:
    prescribed = [(choice.symbol, choice.expression) for choice in statement.choices]
    return prescribed + [(defined.symbol, defined.expression) for defined in statement.where]


def list_defined(statement: Statement) -> set[str]:
    """The symbols that the statement prescribes or defines: a claim of the proof says what they are."""
    return {str(symbol) for symbol, _ in _list_own_formulas(statement)}


def _list_parts(document: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The scalars that a form makes, each with the expressions that it is made of."""
    parts_of = dict[str, list[Any]]()
    for entry in (*document["given"], *document["steps"]):
        kind = entry.get("kind")
        if kind == "recursion" and entry["type"] == "scalar":
            parts = [entry["next"], entry["first"]]
            parts_of |= dict.fromkeys((entry["name"], entry["last"]), parts)
        elif kind in ("named", "root", "power", "exponential"):
            parts_of[entry["name"]] = [entry["stands_for" if kind == "named" else "of"]]
    return parts_of


def _list_free(names: set[str], parts_of: Mapping[str, list[Any]], checker: Checker) -> set[str]:
    """What these scalars and vectors are made of in the end."""
    seen, left = set[str](), set(names)
    while left:
        seen |= left
        parts = (checker.scalar(part) for name in left for part in parts_of.get(name, ()))
        left = set[str]().union(*map(checker.atoms, parts)) - seen
    return seen - parts_of.keys()


def _check_quantity(
    key: Symbol, value: Scalar, statement: Statement, checker: Checker, parts: Mapping[str, list[Any]] | None
) -> Iterator[str]:
    """One that the statement does not define is read as a number that is free; no sign is better than its."""
    name, read = str(key), checker.scalar(value.form)
    others = statement.notation.quantities.keys() - list_defined(statement) - {name}
    atoms = set[str]() if parts is None else _list_free(checker.atoms(read), parts, checker)
    if parts is not None and all(checker.kinds[atom] == "scalar" and atom in others for atom in atoms):
        yield f"{name} is read as {value.form}, which makes it less than any number of its domain"
    sign = checker.sign(read)
    weak = NON_NEGATIVE if sign == POSITIVE and _is_above_0(key, statement) else sign
    if not any(has_sign(domain, weak) for domain in _list_domains(name, statement)):
        yield f"{name} is read as {value.form}, which is {sign} 0, and its domain is larger"


def _is_above_0(key: Symbol, statement: Statement) -> bool:
    """Whether a condition of the statement says so."""
    strict = (c for c in statement.conditions if c.relation.strict)
    differences = (c.limit - c.value if c.relation.upper else c.value - c.limit for c in strict)
    return any((key - difference).is_nonnegative for difference in differences)


def _list_domains(name: str, statement: Statement) -> Iterator[Domain]:
    """The domains of a quantity and of what the statement prescribes as equal to it."""
    quantities = statement.notation.quantities
    equal = {str(symbol) for symbol, formula in _list_own_formulas(statement) if str(formula) == name}
    yield from (quantities[one].domain for one in {name, *equal} if one in quantities)


def _check_alike(reads: dict[str, Scalar]) -> Iterator[str]:
    """Two quantities that are read as one number are equal, which no statement says."""
    alike = dict[str, list[str]]()
    for name, value in reads.items():
        alike.setdefault(repr(value.form), []).append(name)
    yield from (f"{' and '.join(own)} are read as one number" for own in alike.values() if len(own) > 1)


def _check_root(
    key: Pow, value: Scalar, form: MachineForm, statement: Statement, checker: Checker
) -> Iterator[str]:
    """A claim of the proof says what a root is, unless the form has no number for what it is the root of."""
    above, below = abs(key.exp.p), key.exp.q
    if unknown := list_unknown(key.base, statement, form):
        yield f"{key} is read as {value.form}, and the form has no {', '.join(unknown)}"
    elif key.exp < 0:
        base = translate(key.base**above, statement, form)
        product = checker.scalar(["*", ["^", value.form, below], base.form])
        if product != number(1) or (below > 1 and checker.sign(checker.scalar(value.form)) == ANY):
            yield f"{key} is read as {value.form}, which is not shown to be that"


def _check_extreme(
    key: MinMaxBase, value: Scalar, statement: Statement, form: MachineForm, checker: Checker
) -> Iterator[str]:
    """The scalar is the largest, or the least, of just the numbers that the formula names."""
    try:
        said = [checker.scalar(translate_exactly(part, statement, form).form) for part in key.args]
    except MalformedStatement as error:
        yield f"{key} is read as {value.form}: {error}"
        return
    parts, least = checker.extremes[value.form]
    alike = len(said) == len(parts) and all(part in said for part in parts) and all(s in parts for s in said)
    if not alike or least != isinstance(key, Min):
        yield f"{key} is read as {value.form}, which is the largest or the least of other numbers"


def _check_formula(
    key: Expr, value: Scalar, form: MachineForm, statement: Statement, document: Any, checker: Checker
) -> Iterator[str]:
    """A function is read as a number that is given, or a power of one, with a sign that it has everywhere."""
    if not isinstance(key, Function | MinMaxBase):
        yield f"{key} is read as a whole, and is no function and no power with a letter in the exponent"
        return
    if isinstance(key, MinMaxBase) and isinstance(value.form, str) and value.form in checker.extremes:
        yield from _check_extreme(key, value, statement, form, checker)
        return
    read = checker.scalar(value.form)
    given = {e["name"] for e in document["given"] if e["kind"] == "scalar"} - list_taken(key, statement)
    one = len(read) == 1 and list(read.values()) == [1] and len(next(iter(read))) == 1
    if not (one and checker.atoms(read) <= given) and not _is_recursion_of_exp(
        key, value, form, statement, document, checker
    ):
        yield f"{key} is read as {value.form}, which is no number that is given for it"
    sign, values = checker.sign(read), enclose(key, statement.notation.quantities)
    if not (sign == ANY or values.is_above_0 or (values.is_at_least_0 and sign == NON_NEGATIVE)):
        yield f"{key} is read as {value.form}, which is {sign} 0, and its domains do not give it that sign"


def _is_recursion_of_exp(
    key: Expr, value: Scalar, form: MachineForm, statement: Statement, document: Any, checker: Checker
) -> bool:
    """Whether exp(n x) is the last of n members after 1 of a recursion by the exponential of x."""
    entries = [*document["given"], *document["steps"]]
    own = next((e for e in entries if e.get("kind") == "recursion" and e["last"] == value.form), None)
    if own is None or own["first"] != "1" or not isinstance(key, exp):
        return False
    rate = next((e for e in checker.exponentials if own["next"] == ["*", e, own["name"]]), None)
    counters = [e for e in entries if e.get("kind") == "sequence" and e["index"] == own["index"]]
    steps = [
        checker.scalar(e["last"])
        for e in counters
        if e["first"] == "0" and e["next"] == ["+", e["name"], "1"]
    ]
    if rate is None:
        return False
    exponent = checker.scalar(translate(key.args[0], statement, form).form)
    return any(checker.times(checker.exponentials[rate], number) == exponent for number in steps)


def has_sign(domain: Domain, sign: str) -> bool:
    """Whether every number of the domain has the sign."""
    if sign == ANY or domain.lower > 0:
        return True
    return domain.lower == 0 and (sign == NON_NEGATIVE or (sign == POSITIVE and not domain.lower_included))
