"""The audit of units finds planted mismatches and nothing in the controls."""

from dataclasses import replace

import pytest
from sympy import Integer, log, sqrt

import bounds
from bounds.language.condition import at_most
from bounds.language.finding import FindingClass
from bounds.language.statement import Statement, Term, define
from bounds.papers.textbook import gradient_descent_convex
from bounds.papers.textbook.notation import D0, L, N, mu
from verify.audit.units import audit

CONTROL = replace(gradient_descent_convex.THEOREM, id="control")


def _with_term(expression: object) -> Statement:
    return replace(CONTROL, terms=(Term("initialization", expression, "planted"),))


@pytest.mark.parametrize("statement", bounds.statements("textbook"), ids=lambda s: s.id)
def test_controls_have_no_finding(statement: Statement) -> None:
    assert audit(statement) == ()


@pytest.mark.parametrize(
    "expression",
    [
        L * D0 / (4 * N + 2),  # distance instead of its square
        D0**2 / (4 * N + 2),  # the smoothness constant dropped
        L * D0**2 / (4 * N + 2) + L,  # a summand of another unit
        L * D0**2 / (4 * N + 2) + 1,  # a number is no objective value
        sqrt(L) * D0**2,  # a root too many
        L * D0**2 * log(L),  # a logarithm of something with a unit
        L * D0**2 * (1 + D0) ** N,  # a power of a sum of unlike things
        L * D0**2 * Integer(2) ** (L * D0),  # an exponent with a unit
    ],
)
def test_planted_term_is_found(expression: object) -> None:
    (finding,) = audit(_with_term(expression))
    assert finding.grade is FindingClass.INCONSISTENT
    assert finding.where == "term initialization"


def test_planted_condition_and_definition_are_found() -> None:
    condition = at_most(mu, 1 / L, locator="T.gd.convex", printed="planted")
    (found,) = audit(replace(CONTROL, conditions=(condition,)))
    assert found.where == "condition T.gd.convex"
    (found,) = audit(replace(CONTROL, where=(define(mu, L**2, locator="T.gd.convex"),)))
    assert found.where == "definition of mu"


def test_comparison_with_zero_is_no_finding() -> None:
    condition = at_most(-mu, 0, locator="T.gd.convex", printed="planted")
    assert audit(replace(CONTROL, conditions=(condition,))) == ()


def test_known_misprints_are_found() -> None:
    """The step-size condition of Theorem 1 has the unit of Delta where its proof needs the root."""
    found = {f.where for f in audit(bounds.get("fed_norm_ec.theorem_1.main"))}
    assert "condition A.thm1.h4.heterogeneity" in found
    floor = {f.where for f in audit(bounds.get("als_dpfl.theorem_2.theorem_omega"))}
    assert {"term floor", "definition of phi"} <= floor
    assert audit(bounds.get("dp_fedavg.theorem_2")) == ()
    assert audit(bounds.get("fedavg_lojasiewicz.lemma_f3")) == ()
