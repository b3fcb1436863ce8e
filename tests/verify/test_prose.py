"""Claims in words: those about formulas hold on them, a changed formula is seen, and the rest is listed."""

from dataclasses import replace

import pytest

import bounds
from bounds.statement import Kind
from verify import prose

UNTESTED = prose.untested()


@pytest.mark.parametrize("identity", prose.ON_FORMULAS)
def test_a_claim_about_formulas_holds_on_them(identity: str) -> None:
    assert bounds.get(identity).kind is Kind.CLAIM
    assert prose.ON_FORMULAS[identity]()


def test_a_changed_formula_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Term B with alpha in its numerator grows with it."""
    theorem = bounds.get("dp_fedavg.theorem_2")
    first, second = theorem.terms
    (alpha,) = (s for s in second.expression.free_symbols if s.name == "alpha")
    planted = replace(theorem, terms=(first, replace(second, expression=second.expression * alpha**2)))
    get = bounds.get
    monkeypatch.setattr(bounds, "get", lambda identity: planted if identity == theorem.id else get(identity))
    assert not prose.ON_FORMULAS["dp_fedavg.claims.rounds_against_heterogeneity"]()


def test_every_claim_is_tested_or_listed() -> None:
    claims = [s for s in bounds.statements() if s.kind is Kind.CLAIM]
    assert {s.id for s in claims if not prose.tested_by(s)} == {*UNTESTED}
    # The list may only shrink: whoever adds a claim says what tests it.
    assert len(UNTESTED) <= 28
