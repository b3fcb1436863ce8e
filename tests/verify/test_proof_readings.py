"""What a form reads for a root or for a defined symbol is proved; a wrong reading is refused."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from sympy import Expr, Rational, sqrt

import bounds
from bounds.language.proof.document import machine_form
from bounds.language.proof.expression import Scalar
from bounds.language.statement import Statement
from bounds.papers.fed_norm_ec.notation import B_hat, K, M, alpha, beta_hat
from verify.proofs import search
from verify.proofs.algebra import Rejected
from verify.proofs.checker import Checker
from verify.proofs.prove import CERTIFIED, OPEN, Proof, prove

STATEMENT = bounds.get("fed_norm_ec.lemma_2", "amended")
COROLLARY = bounds.get("fed_norm_ec.corollary_4", "amended")
UTILITY = bounds.get("fed_norm_ec.corollary_1.explicit", "amended")
ROOT_M, ROOT_N, TWELFTH = Scalar("root.M"), Scalar("root.n"), Scalar("twelfth")


@cache
def _is_proved(statement: Statement) -> bool:
    """Prove with the right readings, once for all wrong ones of a statement."""
    return prove(statement).concluded


def _only(claim: str) -> Callable[[Checker, dict[str, Any]], search.Searched]:
    """Search for the multipliers of this claim alone; those of others are searched in vain, for seconds."""
    find = search.find

    def only(checker: Checker, entry: dict[str, Any]) -> search.Searched:
        if entry["name"] != claim:
            raise Rejected(f"only {claim} is searched")
        return find(checker, entry)

    return only


def _statuses(found: Proof) -> dict[str, str]:
    return {step.locator: step.status for step in found.steps}


def test_the_right_readings_are_certified() -> None:
    statuses = _statuses(prove(STATEMENT))
    own = {name: status for name, status in statuses.items() if name.startswith(("reads", "sign of"))}
    assert own == dict.fromkeys(
        ("reads sqrt(M)", "sign of sqrt(M)", "reads sqrt(K + 1)", "sign of sqrt(K + 1)"), CERTIFIED
    )


@pytest.mark.parametrize(
    ("statement", "symbol", "wrong", "claim"),
    [
        (STATEMENT, sqrt(M), 2 * ROOT_M, "reads sqrt(M)"),
        (STATEMENT, sqrt(M), ROOT_N, "reads sqrt(M)"),
        (STATEMENT, sqrt(M), -ROOT_M, "sign of sqrt(M)"),
        (STATEMENT, sqrt(K + 1), ROOT_N + 1, "reads sqrt(K + 1)"),
        (COROLLARY, (K + 1) ** Rational(1, 12), TWELFTH**2, "reads (K + 1)**(1/12)"),
        (COROLLARY, (K + 1) ** Rational(5, 6), TWELFTH**11, "reads (K + 1)**(5/6)"),
        (UTILITY, beta_hat, 2 * Scalar("beta_hat"), "reads beta_hat"),
        (UTILITY, alpha, 2 * Scalar("root.a") ** 2, "reads alpha"),
    ],
    ids=str,
)
def test_a_wrong_reading_is_refused(
    monkeypatch: pytest.MonkeyPatch, statement: Statement, symbol: Expr, wrong: Scalar, claim: str
) -> None:
    form = machine_form(statement)
    assert form is not None
    assert _is_proved(statement)
    monkeypatch.setitem(form.reads, symbol, wrong)
    monkeypatch.setattr(search, "find", _only(claim))
    found = prove(statement)
    assert _statuses(found)[claim] == OPEN
    assert not found.concluded


def test_a_quantity_that_is_read_as_a_number_of_the_form_is_free() -> None:
    """B_hat is p M, where p is any number: what the choice p = B_hat/M says of it is no second condition."""
    form = machine_form(UTILITY)
    assert form is not None
    assert B_hat in form.reads
    assert "reads B_hat" not in _statuses(prove(UTILITY))
