"""What tests a claim: a witness, objects, a cell, its own formula, or nothing.

A claim in words that is about printed formulas is checked on these formulas, exactly. What is left is listed:
nothing here tests it, and `not_checkable` says where nothing could.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from sympy import Expr

import bounds
from bounds.evaluate import definitions
from bounds.statement import Kind, Statement


def _moves(expression: Expr, name: str) -> int:
    """The sign of the derivative on the whole domain: 0 where the quantity is absent, 2 where unknown."""
    found = [symbol for symbol in expression.free_symbols if symbol.name == name]
    if not found:
        return 0
    slope = expression.diff(found[0])
    return 1 if slope.is_nonnegative else -1 if slope.is_nonpositive else 2


def _term(identity: str, name: str) -> Expr:
    """As printed, with the free bound for what is random on the right."""
    statement = bounds.get(identity)
    (expression,) = (term.expression for term in statement.terms if term.name == name)
    return expression.xreplace(dict(definitions(replace(statement, where=()))))


def _rounds_against_heterogeneity() -> bool:
    """Of eq. (6): alpha is not in term A, and term B falls with it to 0."""
    first, second = (_term("dp_fedavg.theorem_2", name) for name in ("initialization", "heterogeneity"))
    return _moves(first, "alpha") == 0 and _moves(second, "alpha") == -1


def _initialization_for_heterogeneity() -> bool:
    """The threshold of Proposition 1 falls with E, and term B of eq. (6) grows with it."""
    choices = {c.symbol.name: c.expression for c in bounds.get("dp_fedavg.proposition_1").choices}
    return (
        _moves(choices["C_hat"], "E") == -1
        and _moves(_term("dp_fedavg.theorem_2", "initialization"), "C_hat") == 1
        and _moves(_term("dp_fedavg.theorem_2", "heterogeneity"), "E") == 1
    )


def _noise_in_the_variance() -> bool:
    """2 sigma_DP^2/p with sigma_DP = p beta, over p beta^2: the same at every p and beta."""

    def share(p: int, beta: int) -> int:
        return 2 * (p * beta) ** 2 // p // (p * beta**2)

    return {share(p, beta) for p in range(1, 5) for beta in range(1, 5)} == {2}


# The printed formulas that the claim speaks of, and what must be so.
ON_FORMULAS: Mapping[str, Callable[[], bool]] = {
    "dp_fedavg.claims.rounds_against_heterogeneity": _rounds_against_heterogeneity,
    "dp_fedavg.claims.initialization_for_heterogeneity": _initialization_for_heterogeneity,
    "fed_norm_ec.claims.expb": _noise_in_the_variance,
}


def tested_by(statement: Statement) -> str:
    """In words; empty where nothing tests the claim and something could."""
    from verify import ledger
    from verify.run import standard_cells

    if statement.id in ledger.refuted() or statement.id in ledger.measured():
        return "a witness or a cell against it"
    if statement.not_checkable:
        return f"nothing could: {statement.not_checkable}"
    if statement.id in ON_FORMULAS:
        return "its formula"
    if statement.concrete is not None:
        return "objects"
    if standard_cells([statement]):
        return "cells"
    return "its formula at points" if statement.evaluable else ""


def untested() -> tuple[str, ...]:
    """Claims that nothing tests, though something could."""
    return tuple(s.id for s in bounds.statements() if s.kind is Kind.CLAIM and not tested_by(s))
