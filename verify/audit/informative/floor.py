"""A number below which a bound never falls, with a certificate: a constant term, and nothing negative."""

from collections.abc import Iterator
from dataclasses import replace

from bounds.evaluation.resolve import resolve
from bounds.language.expression import text
from bounds.language.statement import Statement
from verify.audit.satisfiable.excluded import Proved
from verify.infeasibility.checker import System
from verify.infeasibility.finder import certify
from verify.infeasibility.system import Inequality, inequalities, signs_of, system


def floors(statement: Statement) -> Iterator[Proved]:
    for claim in claims(statement):
        proof = certify(claim.system)
        if proof is not None:
            yield replace(claim, certificate=proof)


def claims(statement: Statement) -> Iterator[Proved]:
    """What `floors` says where its search finds a proof."""
    if not statement.evaluable:
        return
    for printed, term in zip(statement.terms, resolve(statement).terms, strict=True):
        if term.free_symbols or not term.is_positive or len(statement.terms) == 1:
            continue
        yield Proved(
            kind="floor",
            quantity=printed.name,
            condition="",
            sentence=f"the bound is never below {text(term)}",
            where="",
            right="",
            system=below_its_floor(statement, printed.name),
        )


def below_its_floor(statement: Statement, name: str) -> System:
    """The conditions, and that the other terms sum to less than 0."""
    terms = resolve(statement).terms
    rest = sum(e for t, e in zip(statement.terms, terms, strict=True) if t.name != name)
    return system((*inequalities(statement), Inequality("below its floor", -rest, True)), signs_of(statement))
