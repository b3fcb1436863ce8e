"""Proofs of lemmas in the words that drew them: true ones are proved, and nothing forged proves a twin."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import forms_of_lemmas
import pytest
from sympy import Rational

from bounds.errors import MalformedStatement
from bounds.language.proof.expression import Scalar, atom
from bounds.language.quantity import Notation
from bounds.language.statement import Paper, Statement
from fedbounds import (
    NON_NEGATIVE,
    POSITIVE,
    Equality,
    F,
    LemmaForm,
    MachineForm,
    X,
    a_square,
    because,
    cauchy_schwarz,
    equals,
    expected,
    fact,
    function,
    index,
    inner,
    lemma,
    matrix,
    mean,
    norm,
    number,
    prox,
    random_vector,
    size,
    total,
    vector,
)
from verify.proofs.prove import prove

HALF = Rational(1, 2)
L, mu, G, a, rho = (number(name, POSITIVE) for name in ("L", "mu", "G", "a", "rho"))
eta = number("eta", POSITIVE, X**2 / F)
s = number("s", NON_NEGATIVE, F / X)
x, y = vector("x"), vector("y")
i = index("i")
v, p = vector("v", over=i), number("p", NON_NEGATIVE, over=i, weights=True)
V = random_vector("V", deviation=s, dimension=F / X)
f, g = function("f", smooth=L), function("g", over=i, convex=True, smooth=L)
h, k = function("h", convex=True, lipschitz=G, bounded_below=True), function("k", strongly_convex=mu)
w, steep = function("w", weakly_convex=rho), function("q", lojasiewicz=mu, smooth=L)
short = [eta <= 1 / L]
Claim = Callable[[Any], Any]
Reasons = Callable[[LemmaForm, Statement], list[Any]]


def step(c: Any) -> Any:
    return f(x - eta * f.gradient(x)) <= f(x) - c * eta * norm(f.gradient(x)) ** 2


def noisy(c: Any) -> Any:
    slope = f.gradient(x)
    return expected(f(x - eta * (slope + V))) <= f(x) - eta / 2 * norm(slope) ** 2 + c * L * eta**2 * s**2


def subgradient(c: Any) -> Any:
    moved = norm(x - eta * h.gradient(x) - h.minimizer) ** 2
    return moved <= norm(x - h.minimizer) ** 2 - 2 * eta * (h(x) - h.lowest) + c * eta**2 * G**2


def apart(c: Any) -> Any:
    bregman = g(x) - g(y) - inner(g.gradient(y), x - y)
    return mean(norm(g.gradient(x) - g.gradient(y)) ** 2) <= c * L * mean(bregman)


def spread(c: Any) -> Any:
    return equals(mean(norm(v - y) ** 2), mean(norm(v - c * mean(v, i)) ** 2) + norm(mean(v, i) - y) ** 2)


def nearest(c: Any) -> Any:
    near = prox(w, x, eta) - prox(w, y, eta)
    return (1 - c * eta * rho) * norm(near) ** 2 <= inner(near, x - y)


def faster(c: Any) -> Any:
    gap = steep(x) - steep.lowest
    return steep(x - eta * steep.gradient(x)) - steep.lowest <= (1 - c * eta * mu) * gap


def explain_descent(own: LemmaForm, statement: Statement) -> list[Any]:
    before, after = own.point(steep, x), own.point(steep, x - eta * steep.gradient(x))
    room = own.proof.condition(statement.conditions[0].id)
    smooth, dominated = fact("smooth", after, before), fact("lojasiewicz", before)
    return [because(smooth), a_square(before.gradient, room), because(dominated, times=own.scalar(eta))]


def both_ways(first: Any, second: Any) -> Reasons:
    def reasons(own: LemmaForm, _: Statement) -> list[Any]:
        p, q = own.point(w, first), own.point(w, second)
        return [because(fact("weakly_convex", p, q)), because(fact("weakly_convex", q, p))]

    return reasons


def of_step(own: LemmaForm, statement: Statement) -> list[Any]:
    before, after = own.point(f, x), own.point(f, x - eta * f.gradient(x))
    room = own.proof.condition(statement.conditions[0].id)
    return [because(fact("smooth", after, before)), a_square(before.gradient, room)]


def of_noisy(own: LemmaForm, statement: Statement) -> list[Any]:
    before, after = own.point(f, x), own.point(f, x - eta * (f.gradient(x) + V))
    room = own.proof.condition(statement.conditions[0].id)
    smooth = because(fact("smooth", after, before), over=["outcomes_of_V"])
    return [smooth, because("variance of V"), a_square(before.gradient, room)]


def of_weights(own: LemmaForm, _: Statement) -> list[Any]:
    middle = own.vector(total(p * v, i))
    around = a_square(own.vector(v) - middle, times=own.scalar(p), over=["i"])
    return [around, Equality("p add up to one", own.proof.square(middle))]


def of_gap(own: LemmaForm, _: Statement) -> list[Any]:
    at, best = own.point(k, x), own.minimizer(k)
    turned = at.gradient + own.scalar(mu) * (best.at - at.at)
    return [because(fact("strongly_convex", best, at)), a_square(turned)]


LEMMAS: dict[str, tuple[Claim, Any, Any, Reasons, list[Any]]] = {
    "step": (step, HALF, 3 * HALF / 2, of_step, short),
    "noisy": (noisy, HALF, HALF / 2, of_noisy, short),
    "young": (
        lambda c: norm(x + y) ** 2 <= (1 + a) * norm(x) ** 2 + (c + 1 / a) * norm(y) ** 2,
        *(1, HALF, lambda own, _: [a_square(own.scalar(a) * own.vector(x) - own.vector(y))], []),
    ),
    "subgradient": (
        subgradient,
        *(1, HALF),
        lambda own, _: [
            because(fact("convex", own.minimizer(h), own.point(h, x))),
            because(fact("bounded_gradient", own.point(h, x))),
        ],
        [],
    ),
    "apart": (
        apart,
        *(2, 1),
        lambda own, _: [because(fact("co_coercive", own.point(g, x), own.point(g, y)), over=["i"])],
        [],
    ),
    "spread": (spread, 1, 0, lambda *_: [], []),
    "summed": (
        lambda c: norm(total(v)) ** 2 <= c * size(i) * total(norm(v) ** 2),
        *(1, HALF, lambda own, _: [a_square(own.vector(v) - own.vector(mean(v, i)), over=["i"])], []),
    ),
    "weighted": (
        lambda c: norm(total(p * v, i)) ** 2 <= c * total(p * norm(v) ** 2, i),
        *(1, HALF, of_weights, []),
    ),
    "cauchy": (
        lambda c: inner(x, y) <= c * norm(x) * norm(y),
        *(1, HALF),
        lambda own, _: [
            because(cauchy_schwarz(own.vector(x), own.scalar(norm(x)), own.vector(y), own.scalar(norm(y))))
        ],
        [],
    ),
    "turned": (
        lambda c: inner(w.gradient(x) - w.gradient(y), x - y) >= -c * rho * norm(x - y) ** 2,
        *(1, HALF, both_ways(x, y), []),
    ),
    "nearest": (nearest, 1, HALF, both_ways(prox(w, x, eta), prox(w, y, eta)), [eta < 1 / rho]),
    "faster": (faster, 1, 3 * HALF, explain_descent, short),
    "gap": (
        lambda c: c * mu * (k(x) - k.lowest) <= norm(k.gradient(x)) ** 2,
        *(2, 4, of_gap, []),
    ),
}


def stated(name: str, constant: Any) -> Statement:
    paper = Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())
    claim, *_, conditions = LEMMAS[name]
    return replace(lemma(paper, name, claim(constant), conditions=conditions), id=f"k.{name}")


def proved(monkeypatch: pytest.MonkeyPatch, form: MachineForm, statement: Statement) -> Any:
    monkeypatch.setattr("verify.proofs.prove.machine_form", lambda _: form)
    return prove(statement)


@pytest.mark.parametrize("name", LEMMAS)
def test_a_lemma_is_proved_in_the_words_that_drew_it_and_its_twin_is_not(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, true, false, reasons, _ = LEMMAS[name]
    for constant in (true, false):
        statement = stated(name, constant)
        own = LemmaForm(statement.id, statement)
        own.proof.conclude(*reasons(own, statement), search=name != "spread")
        found = proved(monkeypatch, own.proof, statement)
        assert found.concluded == (constant == true), found.detail
        assert constant == true or "the conclusion is open" in found.detail


def concluded(own: LemmaForm, statement: Statement, *more: Any) -> None:
    own.proof.conclude(*of_step(own, statement), *more, search=True)


def a_claim_of_that_name(own: LemmaForm, _: Statement) -> None:
    own.proof.claim("conclusion", Scalar("0"))


def a_definition_that_is_a_hypothesis(own: LemmaForm, statement: Statement) -> None:
    own.proof.assume("flat", -own.proof.square(own.point(f, x).gradient), source="definition")
    concluded(own, statement, because("flat"))


def other_sides(own: LemmaForm, _: Statement) -> None:
    own.proof.reads = dict.fromkeys(own.proof.reads, Scalar("0"))
    own.proof.conclude()


def a_smaller_constant(own: LemmaForm, statement: Statement) -> None:
    for entry in own.proof.given:
        if entry["kind"] == "function":
            entry["properties"] = {"smooth": ["/", "L", "4"]}
    concluded(own, statement)


def another_class(own: LemmaForm, statement: Statement) -> None:
    for entry in own.proof.given:
        if entry["kind"] == "function":
            entry["properties"] = entry["properties"] | {"convex": "1"}
    concluded(own, statement)


def another_step(own: LemmaForm, statement: Statement) -> None:
    (symbol,) = (symbol for symbol in statement.right.free_symbols if symbol.name == "eta")
    own.proof.reads[symbol] = Scalar("0")
    own.proof.conclude()


def a_point_elsewhere(own: LemmaForm, _: Statement) -> None:
    for entry in own.proof.given:
        if entry["kind"] == "point" and "eta" in str(entry["at"]):
            entry["at"] = {"x": "1"}
    own.proof.conclude()


def a_sequence_that_falls_below_zero(own: LemmaForm, statement: Statement) -> None:
    counter = own.proof.index("n")
    falls, end = own.proof.scalar("falls", ">=", [counter]), own.proof.scalar("end", ">=")
    own.proof.sequence(counter, falls, falls - 1, 0, end)
    concluded(own, statement)


def a_gradient_that_is_zero(own: LemmaForm, statement: Statement) -> None:
    flat = own.proof.minimizer("flat", "f", atom("x"), own.proof.scalar("low"))
    known = because(fact("lipschitz_gradient", own.point(f, x), flat))
    concluded(own, statement, known)


def another_condition_of_its_name(own: LemmaForm, statement: Statement) -> None:
    name = statement.conditions[0].id
    own.proof.assume(name, 1 - 2 * Scalar("L") * Scalar("eta"), source="definition")
    smooth = fact("smooth", own.point(f, x - eta * f.gradient(x)), own.point(f, x))
    own.proof.conclude(because(smooth), a_square(own.point(f, x).gradient, name), search=True)


def a_power_read_as_nothing(own: LemmaForm, statement: Statement) -> None:
    (symbol,) = (symbol for symbol in own.proof.reads if str(symbol).startswith("norm"))
    own.proof.reads[symbol**2] = Scalar("0")
    concluded(own, statement)


FORGED = (
    *(a_claim_of_that_name, a_definition_that_is_a_hypothesis, other_sides, a_smaller_constant),
    *(another_class, another_step, a_point_elsewhere, a_sequence_that_falls_below_zero),
    *(a_gradient_that_is_zero, another_condition_of_its_name, a_power_read_as_nothing),
)


@pytest.mark.parametrize("forge", FORGED)
def test_a_forged_proof_of_a_false_twin_is_refused(
    forge: Callable[[LemmaForm, Statement], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    statement = stated("step", 3 * HALF / 2)
    own = LemmaForm(statement.id, statement)
    forge(own, statement)
    if forge is a_claim_of_that_name:
        with pytest.raises(MalformedStatement, match="calls a claim of its own conclusion"):
            proved(monkeypatch, own.proof, statement)
        return
    found = proved(monkeypatch, own.proof, statement)
    assert not found.concluded
    assert "the form takes more than the statement has" in found.detail


def test_of_a_lojasiewicz_function_with_kinks_no_fact_is_known() -> None:
    """At a kink a subgradient that a step takes may be shorter than those around it."""
    kinked = function("r", lojasiewicz=mu)
    own = LemmaForm("k.it", forms_of_lemmas.state("it", norm(kinked.gradient(x)) >= 0))
    (given,) = (entry for entry in own.proof.given if entry["kind"] == "function")
    assert given["properties"].keys() == {"lowest"}


def test_a_lemma_on_matrices_has_no_form_and_says_so() -> None:
    paper = Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())
    A = matrix("A")
    statement = lemma(paper, "it", norm(A @ x) <= norm(A) * norm(x))
    with pytest.raises(MalformedStatement, match="a machine form has no words for A"):
        LemmaForm("k.it", statement)


def test_a_proof_of_no_statement_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """An author who mistypes an id is told of it, and not that there is no proof."""
    monkeypatch.setattr("verify.proofs.prove.forms_beside", lambda _: ["k.stepp", "textbook"])
    monkeypatch.setattr("verify.proofs.prove.machine_form", lambda _: None)
    found = prove(stated("step", HALF))
    assert "the file of its proof names k.stepp, textbook, which is no statement" in found.detail


def test_a_file_of_a_proof_without_a_form_in_a_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """An author who leaves the form inside `own` is told what to write."""
    statement = stated("step", HALF)
    monkeypatch.setattr("bounds.language.proof.document._is_there", lambda _: True)
    monkeypatch.setattr("bounds.language.proof.document.import_module", lambda _: LemmaForm)
    assert "no variable of k.proofs.step is one, as `proof = own.proof`" in prove(statement).detail
