"""What conditions leave out at the ends of the range, with certificates.

A quantity that may be zero by its domain and by no condition; and what must be zero where a condition is an
equality. Where the bound is said to fall with the quantity, its best case is among what is left out: `where`
names it. Problems on which a constant is 0 are then spoken of by no choice of parameters, a defect of the
statement; who starts elsewhere leaves the case, so that of a quantity of the start only the reading is open.
What a tight condition forces is printed there for everyone to see, and no defect, and so is what the
conditions and the class together forbid.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import final

from bounds.expression import condition_text
from bounds.statement import Statement
from verify.certificate import NON_NEGATIVE, POSITIVE, Certificate, Constraint, System
from verify.satisfiability import of_the_class
from verify.satisfiability.certify import certify
from verify.satisfiability.system import Inequality, inequalities, signs_of, system

# The distance and the memory error at the start, by the names that all papers share.
OF_THE_START = ("D0", "R")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """`where` is empty where what is proved is no finding."""

    kind: str
    quantity: str
    condition: str
    sentence: str
    where: str
    right: str
    system: System
    certificate: Certificate


def excluded(statement: Statement) -> Iterator[Proved]:
    asked = asked_of(statement)
    spoken_of = {name for c in asked.constraints for monomial in c.polynomial for name, _ in monomial}
    signs = signs_of(statement)
    may_vanish = [n for n, sign in signs.items() if sign == NON_NEGATIVE and _variable(asked, n) in spoken_of]
    if not statement.conditions:
        return
    best = {symbol.name for symbol in statement.increasing} - _said_by_a_condition(statement)
    never = set()
    for name in may_vanish:
        there = where_zero(statement, name)
        proof = certify(there)
        if proof is not None:
            never.add(name)
            yield Proved(
                kind="zero",
                quantity=name,
                condition="",
                sentence=f"no parameters qualify where {name} = 0",
                where=f"the case {name} = 0" if name in best else "",
                right=f"conditions that {name} = 0 meets: the bound is said to be smallest there",
                system=there,
                certificate=proof,
            )
    yield from _tight(statement, [name for name in may_vanish if name not in never])
    yield from _of_the_class(statement)


def _of_the_class(statement: Statement) -> Iterator[Proved]:
    limit = of_the_class.limit_of(statement)
    found = None if limit is None else of_the_class.proof(statement, limit)
    if limit is not None and found is not None:
        yield Proved(
            kind="class",
            quantity="sigma",
            condition="",
            sentence=of_the_class.sentence(limit),
            where="",
            right="",
            system=found[0],
            certificate=found[1],
        )


def _said_by_a_condition(statement: Statement) -> set[str]:
    """Quantities that a condition of their own bounds: what it excludes is printed."""
    alone = [{s.name for e in (c.value, c.limit) for s in e.free_symbols} for c in statement.conditions]
    return {name for own in alone if len(own) == 1 for name in own}


def _tight(statement: Statement, names: list[str]) -> Iterator[Proved]:
    """What a condition forces to zero where it is an equality, unless that is what it says."""
    for condition in statement.conditions:
        own = {s.name for e in (condition.value, condition.limit) for s in e.free_symbols}
        if condition.relation.strict:
            continue
        for name in (n for n in names if n not in own):
            larger = where_tight(statement, condition.id, name)
            proof = certify(larger)
            if proof is not None:
                at = f"{condition_text(condition)} is an equality"
                yield Proved(
                    kind="tight",
                    quantity=name,
                    condition=condition.id,
                    sentence=f"{name} = 0 wherever {at}",
                    where="",
                    right="",
                    system=larger,
                    certificate=proof,
                )


@lru_cache(maxsize=256)
def asked_of(statement: Statement) -> System:
    return system(inequalities(statement), signs_of(statement))


def where_zero(statement: Statement, name: str) -> System:
    """The system where the quantity is 0: what holds it as a factor is gone."""
    asked = asked_of(statement)
    variable = _variable(asked, name)
    kept = [
        Constraint(c.name, {m: k for m, k in c.polynomial.items() if variable not in dict(m)}, c.strict)
        for c in asked.constraints
        if c.name != f"sign of {variable}"
    ]
    return System({n: s for n, s in asked.signs.items() if n != variable}, tuple(kept))


def where_tight(statement: Statement, condition: str, name: str) -> System:
    """The system with one condition turned round as well, and the quantity above 0."""
    asked = _tight_at(statement, condition)
    variable = _variable(asked, name)
    above = Constraint(f"{name} > 0", {((variable, 1),): Fraction(1)}, True)
    return System({**asked.signs, variable: POSITIVE}, (*asked.constraints, above))


@lru_cache(maxsize=256)
def _tight_at(statement: Statement, condition: str) -> System:
    items = inequalities(statement)
    turned = [Inequality(f"{i.name}, tight", -i.difference, False) for i in items if i.name == condition]
    return system((*items, *turned), signs_of(statement))


def _variable(asked: System, name: str) -> str:
    """The quantity itself, or the root of it that stands for it."""
    return next((v for v in asked.signs if v.startswith(f"{name}^(1/")), name)
