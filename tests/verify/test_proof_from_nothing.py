"""Anything follows from conditions that contradict each other: such a proof leaves its statement vacuous."""

from dataclasses import replace
from typing import Any

import pytest
from forms_of_lemmas import prove_by
from forms_of_lemmas import state as of_lemma
from strangers import paper, state
from sympy import Rational

from bounds.language.condition import at_least, at_most
from bounds.language.dimension import ONE
from bounds.language.finding import Status
from bounds.language.part import FREE
from bounds.language.proof.form import MachineForm, Summand, because
from bounds.language.quantity import OPEN_UNIT, POSITIVE, Notation, Over
from bounds.language.statement import Paper, Statement, Term
from fedbounds import LemmaForm, fact, function, inner, lemma, norm, number, vector
from verify.objects.both_sides import on_objects
from verify.objects.conditions_met import meets_for_certain
from verify.proofs.on_objects import why_none_meets
from verify.proofs.prove import CERTIFIED, Proof, prove

NOTATION = Notation()
p = NOTATION.quantity("p", "p", "a number", POSITIVE, ONE, part=FREE)
observed = NOTATION.observable("observed", "o", "a square", ONE, Over.LAST)


def _state(least: Any, **more: Any) -> Statement:
    conditions = (
        at_most(p, 1, locator="nothing", printed=r"p\leq1", part="upper"),
        at_least(p, least, locator="nothing", printed="p", part="lower"),
    )
    return state(paper("nothing", NOTATION), observed, Term("right", p, "all"), conditions=conditions, **more)


def _prove(monkeypatch: pytest.MonkeyPatch, statement: Statement) -> Proof:
    form = MachineForm(statement.id)
    (own,), u = form.positive("p"), form.vector("u")
    ends = [form.condition(condition.id) for condition in statement.conditions]
    nothing = form.search("less than 0", own * 0 - 1, *map(because, ends))
    form.reads = {observed: form.square(u)}
    form.conclude(Summand(1, (nothing,), (u,)), Summand(own))
    monkeypatch.setattr("verify.proofs.prove.machine_form", lambda _: form)
    return prove(statement)


def test_a_proof_from_a_contradiction_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _prove(monkeypatch, _state(2, example={"p": 1}))
    assert {step.status for step in found.steps} == {CERTIFIED}
    assert (found.concluded, found.standing, found.document) == (False, Status.VACUOUS, None)
    assert found.detail == "the conditions contradict each other, and anything follows from them"


def test_conditions_that_leave_one_point_contradict_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _prove(monkeypatch, _state(1, example={"p": 1}))
    assert "contradict" not in found.detail
    assert found.standing is Status.UNCHECKED


def test_hypotheses_that_no_object_meets_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below its lowest value a function is nowhere: whatever is claimed there follows."""
    f, x = function("f", convex=True, bounded_below=True), vector("x")
    for condition, met in ((f(x) <= f.lowest, True), (f(x) < f.lowest, False)):
        made = lemma(_lemma_paper(), f"below {met}", f(x) <= f.lowest, conditions=[condition])
        statement = replace(made, id="k.below")
        own = LemmaForm(statement.id, statement)
        own.proof.conclude(because(own.proof.condition(statement.conditions[0].id)), search=True)
        found = prove_by(monkeypatch, own, statement)
        assert {step.status for step in found.steps} == {CERTIFIED}
        assert found.concluded == met
        assert met or "no objects are drawn that meet what the lemma asks" in found.detail


def test_conditions_that_a_rounding_alone_meets_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """1 + 1e-18 is 1 in float64, and a drawn unit vector is one up to a rounding."""
    q, x, y = number("r", OPEN_UNIT), vector("x", unit=True), vector("y", unit=True)
    more = 1 + Rational(1, 10**18)
    assert not _meets(lemma(_lemma_paper(), "unit", inner(x, y) <= 1, conditions=[inner(x, y) >= more]))
    assert _meets(lemma(_lemma_paper(), "end", inner(x, y) <= 1, conditions=[inner(x, y) >= 1]))
    assert _meets(lemma(_lemma_paper(), "close", q <= 1, conditions=[q >= 1 - Rational(1, 10**12)]))
    half = lemma(_lemma_paper(), "half", q <= 1, conditions=[2 * q >= more, 2 * q <= 1])
    tried = on_objects(half, "by hand", {"r": 0.5})
    assert tried is not None
    assert (tried.counted, meets_for_certain(half, tried)) == (1, False)


def _lemma_paper() -> Paper:
    return Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())


def _meets(statement: Statement) -> bool:
    return not why_none_meets(replace(statement, id=f"k.{statement.locator}"))


def test_a_class_of_which_nothing_is_drawn_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strongly convex function that is Lipschitz everywhere: there is none, and the sentence names it."""
    G, mu = number("G", POSITIVE), number("mu", POSITIVE)
    f, x = function("f", strongly_convex=mu, lipschitz=G), vector("x")
    statement = of_lemma("both", norm(f.gradient(x)) ** 2 <= G**2)
    own = LemmaForm(statement.id, statement)
    own.proof.conclude(because(fact("bounded_gradient", own.point(f, x))), search=True)
    found = prove_by(monkeypatch, own, statement)
    assert not found.concluded
    assert "no function is drawn for f, which is strongly convex and Lipschitz everywhere" in found.detail
