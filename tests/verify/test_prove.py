"""The proofs on file replay, prove their statements and agree with the ledger; nothing false is certified."""

import copy
import json
import time
from dataclasses import replace
from typing import Any

import pytest

import bounds
from bounds.discovery import variants
from bounds.language.assumptions import CONVEX_CLIENTS, MINIMUM_ATTAINED
from bounds.language.finding import FindingClass
from bounds.language.part import constant, lower_constant
from bounds.language.proof.document import document, machine_form
from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import MachineForm, a_square, because
from bounds.language.quantity import Notation
from bounds.language.statement import Statement
from bounds.papers.textbook.notation import L
from verify.proofs import store, table
from verify.proofs.algebra import Rejected
from verify.proofs.checker import check
from verify.proofs.licensed import unlicensed
from verify.proofs.prove import REFUTED, prove
from verify.records.errata import our_errata
from verify.records.refuted import refuted

FORMS = [v for s in bounds.statements() for v in variants(s.id) if machine_form(v) is not None]
PROVED = {(form.id, form.variant) for form in FORMS if store.is_proved(form)}
BROKEN = {
    store.name_of(e.step, (e.display or 0) + 1)
    for e in our_errata()
    if e.step and e.grade is not FindingClass.LOOSE  # a loose finding breaks no step
}
TEXTBOOK = "textbook.gradient_descent_nonconvex"


def _concludes(statement: Statement) -> bool:
    """Whether the form proves its statement, and not printed steps alone."""
    form = machine_form(statement)
    return form is not None and any(step.get("name") == "conclusion" for step in form.steps)


def test_the_stored_answers_are_those_of_the_forms_that_conclude() -> None:
    concluding = {(form.id, form.variant) for form in FORMS if _concludes(form)}
    assert concluding == PROVED
    assert len(list(store.FOLDER.glob("*.json"))) == len(concluding)
    assert len(list(store.STEPS.glob("*.json"))) == len(FORMS) - len(concluding)


def test_what_is_on_file_is_what_the_forms_claim() -> None:
    """Every form: a changed claim or reason changes its document. What a search finds is found anew below."""
    for statement in FORMS:
        form, certificate = machine_form(statement), store.on_file(statement)
        assert form is not None
        assert certificate is not None
        expected = json.loads(json.dumps(store.with_form(document(form, statement), statement)))
        searched = {s["name"] for s in expected["steps"] if "claim" in s and s["by"]["rule"] == "search"}
        for step in (*expected["steps"], *certificate["steps"]):
            if step["name"] in searched:
                del step["by"]
        assert certificate == expected, f"{statement.id}: run python -m verify.proofs.make"


@pytest.mark.thinned(4)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.id}.{form.variant}")
def test_what_is_on_file_is_what_the_forms_prove(form: Statement) -> None:
    found = prove(form)
    assert found.document is not None
    file = (store.FOLDER if found.concluded else store.STEPS) / f"{store.name(form)}.json"
    assert store.as_text(found.document) == file.read_text(encoding="utf-8")


@pytest.mark.thinned(16)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.id}.{form.variant}")
def test_a_certificate_is_about_its_statement_and_certifies_no_broken_step(form: Statement) -> None:
    certificate = store.on_file(form)
    assert certificate is not None
    assert store.differs(form, certificate) == ""
    found = prove(form)
    assert found.document is not None
    # an amended form has more hypotheses, under which a printed step may be true
    if form.variant == "printed":
        assert not {s["name"] for s in found.document["steps"] if "claim" in s} & BROKEN
        shown = {step.locator for step in found.steps if step.status == REFUTED}
        assert shown == {s.locator for s in form.steps} & {name.partition(" ")[0] for name in BROKEN}


@pytest.mark.slow("replays every certificate")
def test_all_certificates_replay_in_20_seconds() -> None:
    started = time.process_time()
    for path in store.FOLDER.rglob("*.json"):
        check(store.read(path))
    assert time.process_time() - started < 20


def test_the_five_controls_are_proved() -> None:
    controls = {s.id for s in bounds.statements() if s.paper.key == "textbook"}
    assert controls <= {identity for identity, _ in PROVED}
    assert len(controls) == 5


def test_no_refuted_statement_has_a_certificate() -> None:
    assert not refuted() & {identity for identity, variant in PROVED if variant == "printed"}


def test_no_step_on_file_as_broken_is_certified_and_none_that_is_loose_is_refuted() -> None:
    """Both ways, for the printed forms: by the names of the claims on file, which are replayed elsewhere."""
    for form in FORMS:
        if form.variant == "printed":
            assert not BROKEN & store.found_before(form).keys(), form.id
    assert {"B.thm5.eq42", "A.lem3.s8"} <= set(store.found_before(bounds.get("dp_fedavg.theorem_2"))) | set(
        store.found_before(bounds.get("fed_norm_ec.lemma_3"))
    )


@pytest.mark.slow("replays every proof step by step")
def test_the_table_of_the_page_is_the_one_that_is_computed() -> None:
    text = table.PAGE.read_text(encoding="utf-8")
    assert table.page(table.table()) == text


def test_a_form_without_its_condition_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dropped hypotheses, one at a time: the conclusion of Lemma 1 needs each of them."""
    statement = bounds.get("dp_fedavg.lemma_1")
    form = machine_form(statement)
    assert form is not None
    whole = document(form, statement)
    for name, change in {
        "B.lem1": lambda e: e | {"assumed": "0"},
        "f": lambda e: e | {"properties": {k: v for k, v in e["properties"].items() if k != "convex"}},
    }.items():
        weaker = copy.deepcopy(whole)
        weaker["given"] = [change(e) if e.get("name") == name else e for e in weaker["given"]]
        with pytest.raises(Rejected):
            check(_filled(weaker))


def _filled(whole: dict[str, Any]) -> dict[str, Any]:
    """With the multipliers of the certificate in the place of the searches."""
    before = store.found_before(bounds.get(whole["id"], whole["variant"]))
    steps = [
        s | {"by": before[s["name"]]["by"]} if s.get("by", {}).get("rule") == "search" else s
        for s in whole["steps"]
    ]
    return whole | {"steps": steps}


# What a form may give itself.


def _form(**properties: Any) -> MachineForm:
    proof = MachineForm(TEXTBOOK)
    (smooth,) = proof.positive("L")
    proof.function("f", **dict.fromkeys(properties, smooth))
    return proof


def test_a_form_gives_itself_no_more_than_its_statement_has() -> None:
    statement = bounds.get(TEXTBOOK)
    assert unlicensed(_form(smooth=True), statement) == ()
    assert "given as convex" in unlicensed(_form(convex=True), statement)[0]
    proof = _form(smooth=True)
    proof.minimizer("star", "f", proof.vector("x"), Scalar("0"))
    assert "given as a minimizer" in unlicensed(proof, statement)[0]
    assert "a value that is not a real scalar" in unlicensed(proof, statement)[1]
    proof.known_point("flat", "f", proof.vector("y"), proof.vector("g"), proof.scalar("f_star"))
    assert "a gradient that is not 0" in unlicensed(proof, statement)[-1]
    proof = _form(smooth=True)
    client = proof.operator("i")
    proof.function("f_i", [client], smooth=Scalar("L"))
    proof.minimizer("star", "f_i", proof.vector("x"), proof.scalar("f_star"))
    assert [s.partition(" for every ")[0] for s in unlicensed(proof, statement)[1:]] == [
        "star is given one value", "star is given as one minimizer of every member of f_i"
    ]  # fmt: skip
    proof = _form(smooth=True)
    proof.assume("free", Scalar("-1"), source="I say so")
    assert "'I say so'" in unlicensed(proof, statement)[0]
    half = MachineForm(TEXTBOOK)
    half.function("f", smooth=half.positive("L")[0] / 2)
    assert "not declared as smoothness" in unlicensed(half, statement)[0]
    low = _form(smooth=True)
    low.function("h", lowest=Scalar("L"))
    assert "lowest value" in unlicensed(low, statement)[0]
    twice = _form(smooth=True)
    twice.reads = {L: Scalar("L") / 2}
    assert "under its own name too" in unlicensed(twice, statement)[0]
    proof = MachineForm(TEXTBOOK)
    proof.positive("N")
    assert "its domain is larger" in unlicensed(proof, statement)[0]


def test_a_mean_that_is_strongly_convex_makes_no_client_convex() -> None:
    """f_1 = x^2 and f_2 = -x^2/2 have a strongly convex mean."""
    statement = bounds.get("textbook.gradient_descent_strongly_convex")
    assert CONVEX_CLIENTS not in statement.assumptions

    def given(over: str, **properties: Scalar | bool) -> tuple[str, ...]:
        proof = MachineForm(statement.id)
        (strong,) = proof.positive("mu")
        operators = [proof.operator(over)] if over else []
        lowest = proof.scalar("f_inf", over=operators)
        values = {"strongly_convex": strong, "lowest": lowest, "convex": True}
        proof.function("f", operators, **{name: values[name] for name in properties})
        return unlicensed(proof, statement)

    for name in ("convex", "strongly_convex", "lowest"):
        assert given("", **{name: True}) == ()
        assert any(f"given as {name} for every i" in sentence for sentence in given("i", **{name: True}))
    mu = replace(statement.notation.quantities["mu"], part=lower_constant("client_strong_convexity"))
    notation = Notation(quantities={**statement.notation.quantities, "mu": mu})
    of_each = replace(statement, paper=replace(statement.paper, notation=notation))
    proof = MachineForm(statement.id)
    proof.function("f", [proof.operator("i")], strongly_convex=proof.positive("mu")[0])
    assert unlicensed(proof, of_each) == ()


def test_a_mean_with_a_minimizer_bounds_no_client_from_below() -> None:
    """f_1 = 2x^2 + x^3 and f_2 = -x^3 have none; who names an infimum gap speaks of clients that do."""
    statement = bounds.get("textbook.gradient_descent_convex")
    assert MINIMUM_ATTAINED.name in {a.name for a in statement.assumptions}
    gap = replace(statement.notation.quantities["L"], name="gap", part=constant("infimum_gap"))
    notation = Notation(quantities={**statement.notation.quantities, "gap": gap})
    with_gap = replace(statement, paper=replace(statement.paper, notation=notation))

    def given(over: str, of: Statement) -> tuple[str, ...]:
        proof = MachineForm(of.id)
        operators = [proof.operator(over)] if over else []
        proof.function("f", operators, lowest=proof.scalar("f_inf", over=operators))
        return unlicensed(proof, of)

    assert given("", statement) == given("i", with_gap) == ()
    assert any("given as lowest for every i" in sentence for sentence in given("i", statement))


def test_a_constant_is_given_on_the_side_on_which_it_is_known() -> None:
    """x^2 is not 1-smooth, though 1 is a lower bound of its smoothness; a mean of L_i bounds no L_i."""
    statement = bounds.get("textbook.gradient_descent_strongly_convex")

    def given(name: str, over: str = "", **changed: Any) -> tuple[str, ...]:
        quantity = statement.notation.quantities[name]
        assert quantity.part is not None
        own = replace(quantity, part=replace(quantity.part, **changed))
        notation = Notation(quantities={**statement.notation.quantities, name: own})
        proof = MachineForm(statement.id)
        (constant,) = proof.positive(name)
        operators = [proof.operator(over)] if over else []
        proof.function("f", operators, **{"smooth" if name == "L" else "strongly_convex": constant})
        return unlicensed(proof, replace(statement, paper=replace(statement.paper, notation=notation)))

    assert given("L") == given("L", "i") == given("mu") == given("L", mean=True) == ()
    assert "bounds the smoothness from below" in given("L", lower=True)[0]
    assert "bounds the strong_convexity from above" in given("mu", lower=False)[0]
    assert "a mean over the clients" in given("L", "i", mean=True)[0]


def test_the_infimum_of_the_mean_is_the_lowest_value_of_no_client() -> None:
    """(x - 1)^2 and (x + 1)^2 have the mean x^2 + 1, and both go below 1."""
    proof = MachineForm("fed_norm_ec.lemma_6")
    lowest, client = proof.scalar("f_inf"), proof.operator("i")
    proof.function("F", lowest=lowest)
    proof.function("f", [client], lowest=lowest)
    sentences = unlicensed(proof, bounds.get("fed_norm_ec.lemma_6"))
    assert "f is given one lowest value for every member" in sentences
    assert "f and F are given one lowest value" in sentences


def test_what_has_no_sign_or_another_reason_is_written_as_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of an expression of which the reason says nothing is open itself, not what uses it alone."""
    statement = bounds.get(TEXTBOOK)
    proof = MachineForm(TEXTBOOK)
    eta, smooth = proof.positive("eta", "L")
    proof.function("f", smooth=smooth)
    square = proof.claim("a square", smooth**2, a_square(smooth))
    proof.named("other", 1 - eta * smooth, square)
    proof.claim("no sign", eta, because(square, times=1 - eta * smooth))
    monkeypatch.setattr("verify.proofs.prove.machine_form", lambda statement: proof)
    steps = {step.locator: step for step in prove(statement).steps}
    assert (steps["other"].status, steps["other"].detail) == (
        "open",
        "the reason is about another expression",
    )
    assert steps["no sign"].detail == "a multiplier has no proven sign; `named` gives it one: 1 + -1 L eta"


def test_a_proof_that_gives_itself_more_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    statement = bounds.get(TEXTBOOK)
    form = machine_form(statement)
    assert form is not None
    given = [
        e | {"properties": e["properties"] | {"convex": "1"}} if e["kind"] == "function" else e
        for e in form.given
    ]
    monkeypatch.setattr(form, "given", given)
    found = prove(statement)
    assert not found.concluded
    assert "given as convex" in found.detail


def test_what_is_left_of_a_claim_is_written_as_one_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    statement, form = bounds.get(TEXTBOOK), machine_form(bounds.get(TEXTBOOK))
    assert form is not None
    step = next(s for s in form.steps if s["name"] == "T.gd.nonconvex.s2")
    changed = [s | {"claim": ["-", s["claim"], "L"]} if s is step else s for s in form.steps]
    monkeypatch.setattr(form, "steps", changed)
    open_steps = [s for s in prove(statement).steps if s.locator == step["name"]]
    assert open_steps[0].detail == "the claim and its reasons differ by 1 terms: -1 L"
