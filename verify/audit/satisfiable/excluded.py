"""What conditions leave out at the ends of the range, with certificates.

A quantity that may be zero by its domain and by no condition; and what must be zero where a condition is an
equality. Where the bound is said to fall with the quantity, its best case is among what is left out: `where`
names it. Problems on which a constant is 0 are then spoken of by no choice of parameters, a defect of the
statement; who starts elsewhere leaves the case, so that of a quantity of the start only the reading is open,
and who takes lower bounds below the infima leaves it too, where the statement asks for lower bounds alone.
What a tight condition forces is printed there for everyone to see, and no defect, and so is what the
conditions and the class together forbid.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import final

from bounds.language.condition import Condition
from bounds.language.expression import condition_text
from bounds.language.statement import Statement
from verify.audit.satisfiable import class_facts
from verify.infeasibility.checker import NON_NEGATIVE, POSITIVE, Certificate, Constraint, System
from verify.infeasibility.finder import certify
from verify.infeasibility.system import Inequality, inequalities, signs_of, system

# The distance and the memory error at the start, by the names that all papers share.
OF_THE_START = ("D0", "R")
# What any lower bounds make of it, in Fed-alpha-NormEC: f^inf less the mean of the f_i^inf (A.asm1).
OF_LOWER_BOUNDS = ("Delta_inf",)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """`where` is empty where what is proved is no finding, `certificate` as long as nothing is proved."""

    kind: str
    quantity: str
    condition: str
    sentence: str
    where: str
    right: str
    system: System
    certificate: Certificate = ()


def excluded(statement: Statement) -> Iterator[Proved]:
    never = set()
    for name in _may_vanish(statement):
        claim = _zero(statement, name)
        proof = certify(claim.system)
        if proof is not None:
            never.add(name)
            yield replace(claim, certificate=proof)
    for condition, name in _may_be_forced(statement):
        if name in never:
            continue
        claim = _tight(statement, condition, name)
        proof = certify(claim.system)
        if proof is not None:
            yield replace(claim, certificate=proof)
    limit = class_facts.limit_of(statement)
    found = None if limit is None else class_facts.proof(statement, limit)
    if limit is not None and found is not None:
        yield replace(_prove_excluded_by_class(statement, limit), certificate=found[1])


def claimed(statement: Statement, kind: str, quantity: str, condition: str) -> Proved | None:
    """What `excluded` would say under these names, without its search; None where it asks no such thing."""
    if kind == "zero" and quantity in _may_vanish(statement):
        return _zero(statement, quantity)
    if kind == "tight":
        pairs = [(c, name) for c, name in _may_be_forced(statement) if (c.id, name) == (condition, quantity)]
        return _tight(statement, *pairs[0]) if pairs else None
    limit = class_facts.limit_of(statement) if kind == "class" else None
    return None if limit is None else _prove_excluded_by_class(statement, limit)


def _may_vanish(statement: Statement) -> list[str]:
    asked = asked_of(statement)
    spoken_of = {name for c in asked.constraints for monomial in c.polynomial for name, _ in monomial}
    signs = signs_of(statement) if statement.conditions else {}
    return [n for n, sign in signs.items() if sign == NON_NEGATIVE and _variable(asked, n) in spoken_of]


def _may_be_forced(statement: Statement) -> list[tuple[Condition, str]]:
    """What a condition may force to zero where it is an equality, unless that is what it says."""
    names = _may_vanish(statement)
    return [
        (condition, name)
        for condition in statement.conditions
        if not condition.relation.strict
        for name in names
        if name not in {s.name for e in (condition.value, condition.limit) for s in e.free_symbols}
    ]


def _zero(statement: Statement, name: str) -> Proved:
    best = {symbol.name for symbol in statement.increasing} - _bounded_by_a_condition(statement)
    return Proved(
        kind="zero",
        quantity=name,
        condition="",
        sentence=f"no parameters qualify where {name} = 0",
        where=f"the case {name} = 0" if name in best else "",
        right=f"conditions that {name} = 0 meets: the bound is said to be smallest there",
        system=where_zero(statement, name),
    )


def _prove_excluded_by_class(statement: Statement, limit: class_facts.Limit) -> Proved:
    return Proved(
        kind="class",
        quantity="sigma",
        condition="",
        sentence=class_facts.sentence(limit),
        where="",
        right="",
        system=class_facts.state_system(statement, limit),
    )


def _bounded_by_a_condition(statement: Statement) -> set[str]:
    """Quantities that a condition of their own bounds: what it excludes is printed."""
    alone = [{s.name for e in (c.value, c.limit) for s in e.free_symbols} for c in statement.conditions]
    return {name for own in alone if len(own) == 1 for name in own}


def _tight(statement: Statement, condition: Condition, name: str) -> Proved:
    return Proved(
        kind="tight",
        quantity=name,
        condition=condition.id,
        sentence=f"{name} = 0 wherever {condition_text(condition)} is an equality",
        where="",
        right="",
        system=where_tight(statement, condition.id, name),
    )


@lru_cache(maxsize=256)
def asked_of(statement: Statement) -> System:
    return system(inequalities(statement), signs_of(statement))


def where_zero(statement: Statement, name: str) -> System:
    """The system where the quantity is 0: what holds it as a factor is gone."""
    asked = asked_of(statement)
    variable = _variable(asked, name)
    constraints = [
        Constraint(c.name, {m: k for m, k in c.polynomial.items() if variable not in dict(m)}, c.strict)
        for c in asked.constraints
        if c.name != f"sign of {variable}"
    ]
    return System({n: s for n, s in asked.signs.items() if n != variable}, tuple(constraints))


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
