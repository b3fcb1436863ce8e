"""Claims in words: what tests them holds and can fail, and every claim has a test or a reason for none."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from sympy import Expr

import bounds
from bounds.language.statement import Kind
from verify.ledger import claims as prose
from verify.papers.several import claims_on_objects
from verify.papers.several.claims_on_formulas import ON_FORMULAS
from verify.papers.several.claims_on_objects import ON_OBJECTS, leaves_by, mean_product
from verify.records.errata import CONCLUSION, our_errata


def find_untested() -> list[str]:
    """Claims of which nothing says what tests them, or why nothing does."""
    return [s.id for s in bounds.statements() if s.kind is Kind.CLAIM and not prose.tested_by(s)]


@pytest.mark.parametrize("identity", ON_FORMULAS)
def test_a_claim_about_formulas_holds_on_them(identity: str) -> None:
    assert bounds.get(identity).kind is Kind.CLAIM
    assert ON_FORMULAS[identity]()


def test_a_changed_formula_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Term B with alpha in its numerator grows with it."""
    theorem = bounds.get("dp_fedavg.theorem_2")
    first, second = theorem.terms
    (alpha,) = (s for s in second.expression.free_symbols if s.name == "alpha")
    planted = replace(theorem, terms=(first, replace(second, expression=second.expression * alpha**2)))
    get = bounds.get
    monkeypatch.setattr(bounds, "get", lambda identity: planted if identity == theorem.id else get(identity))
    assert not ON_FORMULAS["dp_fedavg.claims.rounds_against_heterogeneity"]()


def test_every_claim_is_tested_or_listed() -> None:
    assert find_untested() == []


def test_a_claim_that_nothing_speaks_of_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    left_out = "als_dpfl.claims.trivial"
    monkeypatch.setattr(prose, "NOT_TESTED", {i: x for i, x in prose.NOT_TESTED.items() if i != left_out})
    assert find_untested() == [left_out]


@pytest.mark.parametrize("identity", prose.NOT_TESTED)
def test_what_is_said_not_to_be_tested_is_a_claim_that_nothing_else_tests(identity: str) -> None:
    assert bounds.get(identity).kind is Kind.CLAIM
    worded = {erratum.statement for erratum in our_errata() if erratum.where == CONCLUSION}
    assert identity not in {*ON_FORMULAS, *ON_OBJECTS, *worded}


@pytest.mark.parametrize("identity", ON_OBJECTS)
def test_a_claim_that_objects_decide_holds_on_them(identity: str) -> None:
    assert bounds.get(identity).kind is Kind.CLAIM
    assert ON_OBJECTS[identity]()


def test_objects_can_speak_against_a_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors of one sign are correlated, and a table in which a fixed tau is ahead is seen."""
    one = Fraction(1)
    assert mean_product([(one, one), (-one, -one)]) == 1
    assert abs(leaves_by(one / 64, constant=one)) > one / 65  # of first order: no step of that equation
    behind = {**claims_on_objects.FASHION, "scarce": (80.0, (81.64, 83.2, 82.6, 81.12, 82.25))}
    monkeypatch.setattr(claims_on_objects, "FASHION", behind)
    assert not ON_OBJECTS["als_dpfl.claims_from_experiments.adaptive_where_scarce"]()
    assert not ON_OBJECTS["als_dpfl.claims_from_experiments.any_allocation"]()


def test_the_tables_are_the_printed_ones() -> None:
    """Row by row in the transcription."""
    printed = (Path(__file__).parents[2] / "bounds/papers/als_dpfl/transcription.md").read_text(
        encoding="utf-8"
    )
    columns = ("equal", "scarce", "ample")
    for table, locator in ((claims_on_objects.FASHION, "C.tab2"), (claims_on_objects.CIFAR, "C.tab3")):
        (section,) = (part for part in printed.split("### ")[1:] if part.startswith(locator))
        rows = [
            line.split("|")[2:5] for line in section.splitlines() if line.startswith(("| ALS", "| $\\tau"))
        ]
        numbers = [[float(cell) for cell in row] for row in rows]
        assert numbers[0] == [table[c][0] for c in columns]
        assert numbers[1:] == [[table[c][1][tau] for c in columns] for tau in range(5)]


@pytest.mark.parametrize(
    ("identity", "term", "planted"),
    [
        ("fed_norm_ec.theorem_1.main", "memory", "fed_norm_ec.claims.parts"),
        ("fed_norm_ec.claims.util", "utility", "fed_norm_ec.claims.p1"),
    ],
)
def test_a_changed_formula_speaks_against_its_claim(
    identity: str, term: str, planted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A memory term that stays at R = 0; a utility with another power of M."""
    statement = bounds.get(identity)
    symbols = {s.name: s for t in statement.terms for s in t.expression.free_symbols}

    def changed(expression: Expr) -> Expr:
        return expression + 1 if term == "memory" else expression * symbols["M"]

    terms = tuple(
        replace(t, expression=changed(t.expression)) if t.name == term else t for t in statement.terms
    )
    get = bounds.get
    altered = replace(statement, terms=terms)
    monkeypatch.setattr(bounds, "get", lambda name: altered if name == identity else get(name))
    assert not ON_FORMULAS[planted]()
