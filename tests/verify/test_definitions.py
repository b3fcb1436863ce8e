"""What a form calls a definition restricts no problem: right shapes pass, and what says more is named."""

from collections.abc import Callable
from dataclasses import replace

import pytest

import bounds
from bounds.language.proof.document import document
from bounds.language.proof.expression import Scalar, over, square
from bounds.language.proof.form import DEFINITION, MachineForm, Point, Relation, Summand, because, fact
from bounds.language.statement import Statement
from bounds.papers.textbook.notation import f0_gap, min_squared_gradient
from verify.proofs import store
from verify.proofs.definitions import list_unchecked
from verify.proofs.licensed import unlicensed
from verify.proofs.prove import prove

STATEMENT = bounds.get("textbook.gradient_descent_nonconvex")
S, T, E, L = (Scalar(name) for name in ("s", "t", "e", "L"))
K = Scalar("k_now")


def _begin() -> tuple[MachineForm, Point]:
    proof = MachineForm(STATEMENT.id)
    proof.index("k"), proof.operator("i")
    proof.positive("L", "e"), proof.scalar("real"), proof.scalar("of_i", ">=", ["i"])
    proof.scalar("of_k", ">=", ["k"])
    proof.sequence("k", proof.scalar("k_now", ">=", ["k"]), K + 1, 0, Scalar("L"))
    f = proof.function("f", smooth=L, lowest=proof.scalar("f_inf"))
    return proof, proof.point("x", f, proof.vector("at"))


def _left(state: Callable[[MachineForm, Point], object]) -> tuple[str, ...]:
    proof, x = _begin()
    state(proof, x)
    return list_unchecked(proof, STATEMENT, document(proof, STATEMENT)["given"])


def _say(proof: MachineForm, name: str, expression: Scalar, relation: Relation = ">= 0") -> None:
    proof.assume(name, expression, relation, source=DEFINITION)


def a_formula(proof: MachineForm, x: Point) -> None:
    proof.scalar("s")
    _say(proof, "one", S - x.value + 2 * E, "= 0")


def a_mean_with_its_sign(proof: MachineForm, x: Point) -> None:
    proof.scalar("s", ">=")
    _say(proof, "one", S - over("i", Scalar("of_i")), "= 0")


def a_root(proof: MachineForm, x: Point) -> None:
    proof.scalar("s", ">")
    _say(proof, "one", S**3 - E, "= 0")


def a_power_by_a_letter(proof: MachineForm, x: Point) -> None:
    proof.scalar("s", ">")
    proof.power("s^e", S, E)
    _say(proof, "one", 2 * S * Scalar("s^e") - E, "= 0")


def a_part_above_0(proof: MachineForm, x: Point) -> None:
    proof.scalar("s", ">=")
    _say(proof, "bound", S - x.value)
    _say(proof, "or none", S * (S - x.value), "= 0")


def both_parts(proof: MachineForm, x: Point) -> None:
    proof.scalar("s", ">="), proof.scalar("t", ">=")
    _say(proof, "parts", S - T - x.value, "= 0")
    _say(proof, "one of them", S * T, "= 0")


def a_minimum(proof: MachineForm, x: Point) -> None:
    proof.scalar("s")
    _say(proof, "first", x.value - S)
    _say(proof, "second", E - S)
    _say(proof, "one of both", (x.value - S) * (E - S), "= 0")


def an_index(proof: MachineForm, x: Point) -> None:
    _say(proof, "another step", L - K - 1)


def a_smallest_member(proof: MachineForm, x: Point) -> None:
    proof.scalar("s", ">=")
    _say(proof, "smallest", Scalar("of_k") - S)


def an_indicator(proof: MachineForm, x: Point) -> None:
    proof.scalar("s", ">=")
    _say(proof, "at most 1", 1 - S)
    _say(proof, "longer", (1 - S) * (x.value - E))


def one_that_may_vanish(proof: MachineForm, x: Point) -> None:
    first, second = proof.non_negative("first", "second")
    proof.scalar("s", ">")
    _say(proof, "sum, or any", (S - first - second) * (first - second), "= 0")


RIGHT = (
    a_formula, a_mean_with_its_sign, a_root, a_power_by_a_letter, a_part_above_0, both_parts, a_minimum,
    an_index, a_smallest_member, an_indicator, one_that_may_vanish,
)  # fmt: skip


@pytest.mark.parametrize("state", RIGHT, ids=lambda state: state.__name__)
def test_a_definition_that_restricts_nothing_is_left_out(state: Callable[[MachineForm, Point], None]) -> None:
    assert _left(state) == ()


def what_a_value_is(proof: MachineForm, x: Point) -> None:
    _say(proof, "wrong", x.value - Scalar("f_inf") - E * square(x.gradient))


def a_constant_of_the_function(proof: MachineForm, x: Point) -> None:
    _say(proof, "wrong", L - E * square(x.gradient), "= 0")


def a_symbol_of_the_statement(proof: MachineForm, x: Point) -> None:
    proof.non_negative("N")
    proof.reads = {min_squared_gradient: Scalar("real"), f0_gap: E}
    _say(proof, "wrong", Scalar("N") - 7, "= 0")


def one_that_is_defined_twice(proof: MachineForm, x: Point) -> None:
    proof.scalar("s")
    _say(proof, "once", S - x.value, "= 0")
    _say(proof, "wrong", S - E, "= 0")


def two_that_define_each_other(proof: MachineForm, x: Point) -> None:
    proof.scalar("s"), proof.scalar("t")
    _say(proof, "one", S - T - 1, "= 0")
    _say(proof, "wrong", S - 2 * T - x.value, "= 0")


def one_that_is_made_of_itself(proof: MachineForm, x: Point) -> None:
    proof.scalar("s")
    _say(proof, "wrong", S - proof.named("more", S + 1), "= 0")


def one_made_of_itself_by_way_of_another(proof: MachineForm, x: Point) -> None:
    proof.scalar("s"), proof.scalar("t")
    _say(proof, "one", S - T - 1, "= 0")
    _say(proof, "wrong", T - proof.named("more", Scalar("s") + 0), "= 0")


def a_sign_that_is_not_shown(proof: MachineForm, x: Point) -> None:
    proof.scalar("s", ">=")
    _say(proof, "wrong", S - x.value, "= 0")


def what_depends_on_less(proof: MachineForm, x: Point) -> None:
    proof.scalar("s")
    _say(proof, "wrong", S - Scalar("of_i"), "= 0")


def a_bound_of_every_draw(proof: MachineForm, x: Point) -> None:
    proof.scalar("s")
    _say(proof, "wrong", S - Scalar("of_i"))


def a_bound_of_what_is_read(proof: MachineForm, x: Point) -> None:
    """The smallest gradient is no more than each of them, and is not said to be larger."""
    proof.scalar("s")
    proof.reads = {min_squared_gradient: S, f0_gap: E}
    proof.positive("N")
    _say(proof, "wrong", S - E)


def a_bound_of_what_is_assumed_elsewhere(proof: MachineForm, x: Point) -> None:
    proof.scalar("s")
    _say(proof, "wrong", x.value - S)
    proof.assume("listing", S - E * square(x.gradient), source="some setting")


def an_index_too_far(proof: MachineForm, x: Point) -> None:
    _say(proof, "wrong", L - K - 2)


def a_root_of_what_may_be_below_0(proof: MachineForm, x: Point) -> None:
    proof.scalar("s", ">=")
    _say(proof, "wrong", S**2 - x.value, "= 0")


def a_minimum_with_a_sign(proof: MachineForm, x: Point) -> None:
    proof.scalar("s", ">=")
    _say(proof, "wrong", x.value - S)
    _say(proof, "one of both", (x.value - S) * (E - S), "= 0")


WRONG = (
    what_a_value_is, a_constant_of_the_function, a_symbol_of_the_statement, one_that_is_defined_twice,
    two_that_define_each_other, one_that_is_made_of_itself, one_made_of_itself_by_way_of_another,
    a_sign_that_is_not_shown, what_depends_on_less, a_bound_of_every_draw, a_bound_of_what_is_read,
    a_bound_of_what_is_assumed_elsewhere, an_index_too_far, a_root_of_what_may_be_below_0,
    a_minimum_with_a_sign,
)  # fmt: skip


@pytest.mark.parametrize("state", WRONG, ids=lambda state: state.__name__)
def test_a_definition_that_says_more_is_named(state: Callable[[MachineForm, Point], None]) -> None:
    assert "wrong" in _left(state)


def _prove_false(source: str) -> MachineForm:
    """The conclusion of the statement from nothing: no gradient is larger than what is to be shown."""
    proof, x = _begin()
    proof.non_negative("N")
    gap, smallest = x.value - Scalar("f_inf"), square(x.gradient)
    proof.reads = {min_squared_gradient: smallest, f0_gap: gap}
    wrong = proof.assume("wrong", 4 * L * gap - (3 * Scalar("N") + 2) * smallest, source=source)
    proof.conclude(because(wrong), because(fact("lowest_value", x)), search=True)
    return proof


def test_a_falsehood_that_is_called_a_definition_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    form = _prove_false(DEFINITION)
    monkeypatch.setattr("verify.proofs.prove.machine_form", lambda _: form)
    found = prove(STATEMENT)
    assert {step.status for step in found.steps if step.locator == "conclusion"} == {"certified"}
    assert not found.concluded
    assert found.document is None
    assert found.detail.endswith("given 1 hypothesis that nothing checks: wrong")
    monkeypatch.setattr(store, "machine_form", lambda _: form)
    assert "nothing checks" in store.differs(STATEMENT, document(form, STATEMENT))


def test_steps_alone_say_too_what_nothing_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    form = _prove_false(DEFINITION)
    form.steps = [step for step in form.steps if step.get("name") != "conclusion"]
    form.claim("a step", Scalar("L"), Summand(Scalar("L")))
    monkeypatch.setattr("verify.proofs.prove.machine_form", lambda _: form)
    found = prove(STATEMENT)
    assert found.document is None
    assert found.detail.endswith("given 1 hypothesis that nothing checks: wrong")


@pytest.mark.parametrize(
    ("source", "said"),
    [("f0_gap", "no number of its own"), ("N", "speaks of"), ("I say so", "does not name")],
)
def test_a_falsehood_about_a_symbol_has_no_licence(source: str, said: str) -> None:
    sentences = unlicensed(_prove_false(source), STATEMENT)
    assert any(said in sentence for sentence in sentences), sentences


def _change_form(statement: Statement) -> Statement:
    terms = tuple(replace(term, expression=term.expression / 9) for term in statement.terms)
    return replace(statement, terms=terms)


def test_a_certificate_counts_for_the_form_that_it_is_of() -> None:
    lemma = bounds.get("fed_norm_ec.lemma_6")
    certificate = store.on_file(lemma)
    assert certificate is not None
    assert store.is_proved(lemma)
    changed = _change_form(lemma)
    assert not store.is_proved(changed)
    assert store.differs(changed, certificate) == "the certificate is of another form of the statement"
    assert not any(store.certified_steps(changed))
