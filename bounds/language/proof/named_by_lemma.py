"""What a lemma's declaration names for a machine form: numbers, maxima, and the indices of its sequences."""

import re
from typing import Final

from sympy import Expr, Max, Min, Symbol

from bounds.errors import MalformedStatement
from bounds.language.lemmas.declaration import Declaration
from bounds.language.lemmas.expressions import Atom, measured
from bounds.language.lemmas.sequences import SequenceObject
from bounds.language.lemmas.values import Numbers
from bounds.language.statement import Statement

PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def measured_by(statement: Statement) -> dict[Symbol, Atom]:
    """What a lemma measures on its objects, by the symbols of its two sides and conditions."""
    numbers = None if statement.concrete is None else statement.concrete.numbers
    return {measured(a).formula: a for a in numbers.atoms} if isinstance(numbers, Numbers) else {}


def extremes_of(statement: Statement) -> list[Expr]:
    """The largest and the least of several numbers in the two sides of a lemma and in its conditions."""
    sides = [statement.left, *(term.expression for term in statement.terms)]
    sides += [side for c in statement.conditions for side in (c.value, c.limit)]
    return sorted({e for side in sides if side is not None for e in side.atoms(Max, Min)}, key=str)


def rounds_of(thing: SequenceObject) -> str:
    """The index that counts the members of the sequences with one end."""
    return f"rounds.{re.sub(r'[^A-Za-z0-9_+-]', '', thing.last.text)}"


def count_rounds(statement: Statement) -> dict[str, Expr]:
    """How many steps each index of the sequences of a lemma counts."""
    declared = None if statement.concrete is None else statement.concrete.declared
    things = () if declared is None else declared.objects
    return {rounds_of(a): a.last.formula for a in things if isinstance(a, SequenceObject)}


def check_names(declared: Declaration) -> None:
    """A form knows what it made by its text: two texts are one thing only where every name is a plain one."""
    numbered = [index.name for index in declared.indices]
    called = [getattr(thing, "text", thing.name) for thing in declared.objects] + list(declared.constants)
    for name in (*called, *numbered):
        if not PLAIN.fullmatch(name):
            raise MalformedStatement(
                f"a machine form has no words for {name!r}: let a name be letters and digits"
            )
    for name in called:
        if called.count(name) > 1:
            raise MalformedStatement(f"two things of the lemma are written {name}: rename one for a proof")
