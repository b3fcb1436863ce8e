"""Compare what a machine form is given with what its statement assumes.

The checker trusts what is given. A form may therefore not give itself more than its statement has: a property
of a function needs an assumption, a sign of a quantity its domain, and any other hypothesis a source in the
statement.
"""

from collections.abc import Iterator
from typing import Any

from sympy import Pow, Rational
from sympy.functions.elementary.miscellaneous import MinMaxBase

import bounds
from bounds.errors import MalformedStatement
from bounds.language.assumptions import (
    BOUNDED_BELOW,
    CONVEX_CLIENTS,
    LIPSCHITZ_CLIENTS,
    LOJASIEWICZ,
    MINIMUM_ATTAINED,
    SMOOTH_CLIENTS,
    STRONGLY_CONVEX,
)
from bounds.language.proof.form import DEFINITION, MachineForm
from bounds.language.proof.named_by_lemma import measured_by
from bounds.language.proof.of_lemma import LemmaForm
from bounds.language.proof.readings import NOT_OF_SCALARS
from bounds.language.statement import Statement
from verify.proofs.algebra import ANY
from verify.proofs.declarations import EQUAL
from verify.proofs.definitions import name_given
from verify.proofs.members import count_read
from verify.proofs.misread import has_sign, list_defined
from verify.proofs.powers import is_lettered, list_words
from verify.proofs.reader import NAME
from verify.proofs.shapes import names_in

LICENSES = {
    "convex": (CONVEX_CLIENTS, STRONGLY_CONVEX),
    "smooth": (SMOOTH_CLIENTS,),
    "strongly_convex": (STRONGLY_CONVEX,),
    "lowest": (BOUNDED_BELOW, MINIMUM_ATTAINED, STRONGLY_CONVEX, LOJASIEWICZ),  # its f* is a lower bound
    "lipschitz": (LIPSCHITZ_CLIENTS,),
    # a lemma alone declares these, and its form is compared with its declaration
    "weakly_convex": (),
    "lojasiewicz": (),
}
# The constants of a problem that a property of a function may name.
OF_EACH = "client_strong_convexity"
OF_MEAN = frozenset((STRONGLY_CONVEX.name, MINIMUM_ATTAINED.name))
# The mean of f_i at the minimizer less inf f_i: a statement that names it speaks of clients that have one.
INFIMUM_GAP = "infimum_gap"
CONSTANTS = {
    "smooth": ("smoothness",),
    "strongly_convex": ("strong_convexity", OF_EACH),
    "lipschitz": ("lipschitz",),
}

# What declares a scalar that may stand for a symbol of the statement; a point is no such thing.
OF_SCALARS = ("scalar", "root", "recursion", "named")

# What says more of the objects of a proof than that there are such.
RESTRICTING = ("function", "known point", "hypothesis", "mean", "sequence")


def unlicensed(form: MachineForm, statement: Statement) -> tuple[str, ...]:
    """What the form is given and the statement does not have, in sentences."""
    assumed = {assumption.name for assumption in statement.assumptions}
    declared = _form_of_lemma(statement)
    if declared is not None:
        return (*_beside_lemma(form, declared), *_read_otherwise(form, declared, statement))
    own = (s for entry in form.given for s in _list_unlicensed(entry, form, statement, assumed))
    return (*own, *_read_twice(form))


def list_read(form: MachineForm, statement: Statement) -> tuple[tuple[int, str], ...]:
    """How many of each kind a person compares with the listing; of a lemma none, which declares its own.

    They are hypotheses whose source is no definition, sequences, and what is read for an observable or for a
    quantity that the statement does not define.
    """
    if _form_of_lemma(statement):
        return ()
    names = [name for entry in form.given if (name := name_given(entry))]
    table = statement.notation.observables.keys() | statement.notation.quantities.keys()
    read = [key for key in form.reads if str(key) in table - list_defined(statement)]
    hypotheses = sum(form.sources[name] != DEFINITION for name in names)
    return (hypotheses, "hypothesis"), (count_read(form.given), "sequence"), (len(read), "reading")


def _form_of_lemma(statement: Statement) -> MachineForm | None:
    """What a statement made by `lemma(...)` declares, as a form is given it."""
    if statement.concrete is None or statement.concrete.declared is None:
        return None
    try:
        return LemmaForm(statement.id, statement).proof
    except MalformedStatement:  # it has objects without words
        return MachineForm(statement.id)


def _beside_lemma(form: MachineForm, declared: MachineForm) -> Iterator[str]:
    """The objects of a lemma are given as it declares them, and nothing that restricts them further."""
    for entry in declared.given:
        if entry not in form.given:
            yield f"{entry['name']} is not given as the lemma declares it: begin the form with LemmaForm"
    for entry in form.given:
        if entry["kind"] in RESTRICTING and entry not in declared.given:
            yield f"{_called(entry)} is given, and the lemma does not declare it"


def _called(entry: dict[str, Any]) -> str:
    return f"the {entry['kind']} {entry.get('name', '')}".strip()


def _read_otherwise(form: MachineForm, declared: MachineForm, statement: Statement) -> Iterator[str]:
    """What a lemma measures on its objects is read as its declaration has it, and as nothing else.

    Beside it a largest or a least number is read as the declaration makes it, and a root, of which claims
    are made.
    """
    measured_there = measured_by(statement)
    for symbol, atom in measured_there.items():
        own, declaration_reads = form.reads.get(symbol), declared.reads.get(symbol)
        if own is None or declaration_reads is None or own.form != declaration_reads.form:
            yield f"{atom.text} is read as something else than the declaration of the lemma says"
    for symbol in form.reads.keys() - measured_there.keys():
        if isinstance(symbol, MinMaxBase) and form.reads[symbol] == declared.reads.get(symbol):
            continue
        if is_lettered(symbol):
            yield from _power_of_lemma(symbol, form, declared, statement)
            continue
        if not (isinstance(symbol, Pow) and isinstance(symbol.exp, Rational) and symbol.exp.q > 1):
            yield f"{symbol} is read, and it is neither measured on the objects of the lemma nor a root"


def _power_of_lemma(
    power: Any, form: MachineForm, declared: MachineForm, statement: Statement
) -> Iterator[str]:
    """`powers` says what it may be read as: not as a number of the objects, which would tie them to it."""
    own = {str(e[key]) for e in declared.given for key in ("name", "value", "last") if key in e}
    own -= statement.notation.quantities.keys()
    for name in sorted(own & set(list_words(form.reads[power].form))):
        yield f"{power} is read as {form.reads[power].form}, and {name} is a number of the lemma's objects"


def _list_unlicensed(
    entry: dict[str, Any], form: MachineForm, statement: Statement, assumed: set[str]
) -> Iterator[str]:
    if entry["kind"] == "function":
        yield from _function(entry, form, statement, assumed)
    elif entry["kind"] == "known point":
        yield from _minimizer(entry, form, assumed)
    elif entry["kind"] == "scalar" and not _allows(statement, entry["name"], entry["sign"]):
        yield f"{entry['name']} is given as {entry['sign']} 0, and its domain is larger"
    elif name := name_given(entry):
        source = form.sources[name]
        if source in statement.notation.quantities or source in statement.notation.observables:
            yield from _says_more(entry, source, form, statement)
        elif source not in {DEFINITION, *assumed, *_settings(statement)}:
            yield f"{name} has the source {source!r}, which the statement does not name"


def _says_more(entry: dict[str, Any], source: str, form: MachineForm, statement: Statement) -> Iterator[str]:
    """What a symbol of the statement is: nothing of another one, and not of what is no number of its own."""
    read = next((value for key, value in form.reads.items() if str(key) == source), None)
    own = _list_atoms(source if read is None else read.form, form)
    about = _list_atoms(entry.get("assumed"), form)
    scalars = {e["name"] for e in (*form.given, *form.steps) if e.get("kind") in OF_SCALARS}
    stray = sorted((about - own) & statement.notation.quantities.keys())
    if not own <= scalars or not own & about:
        yield f"{name_given(entry)} has the source {source!r}, and no number of its own is read for that"
    elif stray and entry["relation"] != EQUAL:
        yield f"{name_given(entry)} has the source {source!r}, and speaks of {', '.join(stray)} too"


def _list_atoms(expression: Any, form: MachineForm) -> set[str]:
    """The scalars and vectors of an expression, abbreviations written out."""
    names = {name for name in names_in(expression) if NAME.fullmatch(name)} - NOT_OF_SCALARS
    short = names & form.abbreviations.keys()
    return (names - short).union(*(_list_atoms(form.abbreviations[name], form) for name in short))


def _function(
    entry: dict[str, Any], form: MachineForm, statement: Statement, assumed: set[str]
) -> Iterator[str]:
    """An assumption on the mean objective is no property of every client."""
    properties = entry["properties"]
    of_each = _is_declared_as(properties.get("strongly_convex"), (OF_EACH,), statement)
    for name, constant in properties.items():
        yield from _constant(entry, name, constant, form, statement)
        licenses = {license.name for license in LICENSES[name]} & assumed
        if not licenses:
            yield f"{entry['name']} is given as {name}, which the statement does not assume"
        elif entry["over"] and licenses <= OF_MEAN and not of_each:
            if name == "lowest" and licenses == {MINIMUM_ATTAINED.name} and _names_infimum_gap(statement):
                continue
            of = ", ".join(entry["over"])
            given = f"{entry['name']} is given as {name} for every {of}"
            yield f"{given}, and the statement assumes it of their mean alone"


def _names_infimum_gap(statement: Statement) -> bool:
    parts = (quantity.part for quantity in statement.notation.quantities.values())
    return any(part is not None and INFIMUM_GAP in (part.name, part.or_else) for part in parts)


def _settings(statement: Statement) -> Iterator[str]:
    """The settings of the statement and of the one that it follows from: a corollary repeats none."""
    yield from (setting.locator for setting in statement.setting)
    if statement.follows_from:
        yield from _settings(bounds.get(statement.follows_from))


def _minimizer(entry: dict[str, Any], form: MachineForm, assumed: set[str]) -> Iterator[str]:
    """A point with a known gradient is the minimizer of its own function, and its value an unknown number."""
    name, over = entry["name"], {e.get("name"): set(e.get("over", ())) for e in form.given}
    if not assumed & {MINIMUM_ATTAINED.name, STRONGLY_CONVEX.name}:
        yield f"{name} is given as a minimizer, and the statement does not say that one exists"
    if entry["known_gradient"]:
        yield f"{name} is given with a gradient that is not 0, which only `point` may name"
    if entry["known_value"] not in _unknown_numbers(form):
        yield f"{name} is given a value that is not a real scalar of the form"
    elif over[entry["function"]] - over[entry["known_value"]]:
        yield f"{name} is given one value for every member of {entry['function']}"
    if over[entry["function"]] - set().union(*(over.get(vector, set()) for vector in entry["at"])):
        yield f"{name} is given as one minimizer of every member of {entry['function']}"


def _unknown_numbers(form: MachineForm) -> list[str]:
    return [e["name"] for e in form.given if e["kind"] == "scalar" and e["sign"] == ANY]


def _constant(
    entry: dict[str, Any], name: str, constant: Any, form: MachineForm, statement: Statement
) -> Iterator[str]:
    """The constant of a property is the quantity of that name; a lowest value is a scalar of its own."""
    function = entry["name"]
    if name == "lowest":
        yield from _lowest(entry, constant, form)
    elif name in CONSTANTS:
        declared = CONSTANTS[name][0]
        if not _is_declared_as(constant, CONSTANTS[name], statement):
            yield f"{function} is given as {name} with a constant that is not declared as {declared}"
            return
        part = statement.notation.quantities[constant].part
        assert part is not None
        if part.lower != (name == "strongly_convex") and not part.within:
            side = "from below" if part.lower else "from above"
            yield f"{function} is given as {name} with {constant}, which bounds the {declared} {side}"
        if part.mean and entry["over"]:
            yield f"{function} is given as {name} with {constant}, which is a mean over the clients"


def _lowest(entry: dict[str, Any], constant: Any, form: MachineForm) -> Iterator[str]:
    """A lowest value is a number of one function: the infimum of the mean is no bound of a client."""
    function, over = entry["name"], {e.get("name"): set(e.get("over", ())) for e in form.given}
    if constant not in _unknown_numbers(form):
        yield f"{function} is given a lowest value that is not a real scalar of the form"
    elif over[function] - over[constant]:
        yield f"{function} is given one lowest value for every member"
    others = (e for e in form.given if e["kind"] == "function" and e["name"] != function)
    for other in others:
        if other["properties"].get("lowest") == constant:
            yield f"{function} and {other['name']} are given one lowest value"


def _is_declared_as(constant: Any, names: tuple[str, ...], statement: Statement) -> bool:
    """Whether it is the quantity that is this constant of the problem, and no multiple or root of it."""
    quantity = statement.notation.quantities.get(constant) if isinstance(constant, str) else None
    part = quantity.part if quantity is not None else None
    if part is None or part.times != 1 or part.root:
        return False
    return part.name in names or part.or_else in names


def _read_twice(form: MachineForm) -> Iterator[str]:
    """A symbol may not be read as one thing in the formulas of the statement and as another in the form."""
    declared = {entry.get("name") for entry in form.given}
    for symbol, value in form.reads.items():
        if str(symbol) in declared and value.form != str(symbol):
            yield f"{symbol} is read as {value.form} and declared under its own name too"


def _allows(statement: Statement, name: str, sign: str) -> bool:
    """Whether the domain of the quantity of this name has the sign; other scalars are definitions."""
    quantity = statement.notation.quantities.get(name)
    return quantity is None or has_sign(quantity.domain, sign)
