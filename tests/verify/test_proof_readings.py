"""What a form reads for a root or for a defined symbol is proved; a wrong reading is refused."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from strangers import paper, state
from sympy import Expr, Max, Min, Rational, log, sqrt

import bounds
from bounds.language.condition import Condition, at_most
from bounds.language.dimension import ONE
from bounds.language.part import FREE
from bounds.language.proof.document import machine_form
from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because
from bounds.language.quantity import (
    OPEN_UNIT,
    POSITIVE,
    POSITIVE_INTEGER,
    PROBABILITY,
    REAL,
    Notation,
    Over,
)
from bounds.language.statement import Statement, Term
from bounds.papers.fed_norm_ec.notation import B_hat, K, M, alpha, beta_hat
from verify.proofs import search, store
from verify.proofs.algebra import Rejected
from verify.proofs.checker import Checker, check
from verify.proofs.intervals import enclose
from verify.proofs.misread import list_misread
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


# Forged readings: each would prove a false statement.


NUMBERS = Notation()
any_number, positive, other, whole = (
    NUMBERS.quantity(name, name, name, domain, ONE, FREE)
    for name, domain in (("t", REAL), ("a", POSITIVE), ("b", POSITIVE), ("K", POSITIVE_INTEGER))
)
chance = NUMBERS.quantity("p", "p", "p", PROBABILITY, ONE, FREE)
open_chance = NUMBERS.quantity("r", "r", "r", OPEN_UNIT, ONE, FREE)
observed = NUMBERS.observable("A", "A", "A", ONE, Over.ONE_STEP)
C, NONE = Scalar("c"), Scalar("0")
DIP = positive**2 - 3 * positive + 3


@pytest.mark.parametrize(
    ("right", "reads", "words"),
    [
        (any_number, {any_number: C}, "t is read as c, which is > 0"),
        (any_number, {any_number: C**2}, "which is > 0, and its domain is larger"),
        (other - 5, {other: Scalar("5")}, "less than any number of its domain"),
        (other - whole, {other: C, whole: C}, "b and K are read as one number"),
        (-1 / positive, {1 / positive: NONE}, "1/a is read as 0"),
        (-1 / sqrt(positive), {1 / sqrt(positive): NONE}, "1/sqrt\\(a\\) is read as 0"),
        (-sqrt(other), {sqrt(other): NONE}, "the form has no b"),
        (-positive * other, {-positive * other: C}, "no power with a letter in the exponent"),
        ((1 - positive) ** 3, {1 - positive: C}, "is no function and no power"),
        (log(positive), {log(positive): C}, "its domains do not give it that sign"),
        # positive at both ends of the domain, and log(3/4) at a = 3/2
        (log(DIP), {log(DIP): C}, "its domains do not give it that sign"),
        (log(1 + other) - 5, {log(1 + other): C + 5}, "no number that is given for it"),
        ((1 - positive) ** whole, {(1 - positive) ** whole: C}, "does not show that 1 - a > 0"),
        ((1 - positive) ** whole - 5, {(1 - positive) ** whole: Scalar("5")}, "no number of the power"),
        ((1 - positive) ** (2 * whole), {(1 - positive) ** (2 * whole): C}, "does not show that 1 - a > 0"),
        (
            (1 + positive) ** whole - 2**whole,
            {(1 + positive) ** whole: C, 2**whole: C},
            "is read as c: .* is read as c too",
        ),
        ((1 + positive) ** whole - other, {(1 + positive) ** whole: C, other: C}, "b is read as c too"),
        ((1 + positive) ** whole - positive, {(1 + positive) ** whole: Scalar("a")}, "another symbol"),
        (
            (1 + positive) ** (whole + 1) - 2 * (1 + positive) ** whole,
            {(1 + positive) ** whole: C, (1 + positive) ** (whole + 1): 2 * C},
            "no number of the power",
        ),
    ],
    ids=str,
)
def test_a_reading_of_more_than_the_statement_says_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, right: Expr, reads: dict[Expr, Scalar], words: str
) -> None:
    statement = state(paper("numbers", NUMBERS), observed, Term("right", right, "all"))
    form = MachineForm(statement.id)
    form.positive("a", "c")
    form.reads = {observed: NONE, **reads}
    form.conclude(search=True)
    monkeypatch.setattr("verify.proofs.prove.machine_form", lambda statement: form)
    found = prove(statement)
    assert not found.concluded
    assert re.search(words, found.detail)


@pytest.mark.parametrize("recursion", [True, False])
def test_a_quantity_is_not_read_as_a_number_that_the_form_makes(
    monkeypatch: pytest.MonkeyPatch, *, recursion: bool
) -> None:
    statement = state(paper("numbers", NUMBERS), observed, Term("right", other - 1, "all"))
    form = MachineForm(statement.id)
    if recursion:
        k = form.index("k")
        power, number = form.recursion("q", k, lambda q: q, 1)
        form.induct("above 1", k, power - 1)
    else:
        number = form.named("number", Scalar("1"))
    form.reads = {observed: NONE, other: number}
    found = _prove(monkeypatch, statement, form)
    assert {step.status for step in found.steps} == {CERTIFIED}
    assert "less than any number of its domain" in found.detail


def _state_power(
    base: Expr, exponent: Expr, sign: str, *conditions: Condition
) -> tuple[Statement, MachineForm]:
    """That a power is at least 0, and a form that reads it as a number c of this sign."""
    right = Term("right", base**exponent, "all")
    form = MachineForm("numbers")
    form.positive("a"), form.scalar("c", sign)
    form.reads = {observed: NONE, base**exponent: C}
    return state(paper("numbers", NUMBERS), observed, right, conditions=conditions), form


def _prove(monkeypatch: pytest.MonkeyPatch, statement: Statement, form: MachineForm) -> Proof:
    form.conclude(search=True)
    monkeypatch.setattr("verify.proofs.prove.machine_form", lambda statement: form)
    return prove(statement)


SMALL = at_most(positive, Rational(1, 2), locator="numbers.small", printed="x")


@pytest.mark.parametrize("claimed", [True, False])
def test_the_sign_of_a_power_comes_from_a_claim_about_its_base(
    monkeypatch: pytest.MonkeyPatch, *, claimed: bool
) -> None:
    statement, form = _state_power(1 - positive, whole, ">", SMALL)
    small = form.condition("numbers.small")
    if claimed:
        form.search("the base", 1 - Scalar("a"), because(small), Summand(1), relation="> 0")
    found = _prove(monkeypatch, statement, form)
    assert found.concluded == claimed
    assert claimed or "does not show that 1 - a > 0" in found.detail


def test_the_sign_of_a_power_does_not_prove_that_of_its_base(monkeypatch: pytest.MonkeyPatch) -> None:
    statement, form = _state_power(1 - positive, whole, ">=")
    same = form.assume("the power is its base", 1 - Scalar("a") - C, "= 0", source=DEFINITION)
    form.claim("the base", 1 - Scalar("a"), Summand(C), Equality(same))
    found = _prove(monkeypatch, statement, form)
    assert {step.status for step in found.steps} == {CERTIFIED}
    assert not found.concluded


def test_an_even_power_is_at_least_0(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _prove(monkeypatch, *_state_power(1 - positive, 2 * whole, ">=")).concluded


@pytest.mark.parametrize("right", [True, False])
def test_a_power_is_the_last_member_of_the_recursion_by_its_base_and_of_no_other(
    monkeypatch: pytest.MonkeyPatch, *, right: bool
) -> None:
    """The wrong recursion stays at 1, which no sign of a scalar shows."""
    rate = (1 + positive) if right else (1 - positive)
    statement = state(paper("numbers", NUMBERS), observed, Term("right", rate**whole - 1, "all"))
    form = MachineForm(statement.id)
    a, k = form.positive("a")[0], form.index("k")
    power, last = form.recursion("q", k, lambda q: (1 + a) * q if right else q, 1)
    _, above_1 = form.induct("above 1", k, power - 1, Summand(a if right else 0), times=1 + a if right else 1)
    form.reads = {observed: NONE, rate**whole: last}
    found = _prove(monkeypatch, statement, form)
    assert above_1 in _statuses(found)
    assert {step.status for step in found.steps} == {CERTIFIED}
    assert found.concluded == right


def test_a_logarithm_is_no_member_of_a_recursion(monkeypatch: pytest.MonkeyPatch) -> None:
    statement = state(paper("numbers", NUMBERS), observed, Term("right", log(positive) - 1, "all"))
    form = MachineForm(statement.id)
    k = form.index("k")
    power, last = form.recursion("q", k, lambda q: q, 1)
    form.induct("above 1", k, power - 1)
    form.reads = {observed: NONE, log(positive): last}
    found = _prove(monkeypatch, statement, form)
    assert {step.status for step in found.steps} == {CERTIFIED}
    assert not found.concluded


def test_a_power_is_read_as_a_product_of_another_and_the_base(monkeypatch: pytest.MonkeyPatch) -> None:
    more = (1 + positive) ** (whole + 1)
    statement = state(
        paper("numbers", NUMBERS), observed, Term("right", more - (1 + positive) ** whole, "all")
    )
    form = MachineForm(statement.id)
    a, c = form.positive("a", "c")
    form.reads = {observed: NONE, (1 + positive) ** whole: c, more: c * (1 + a)}
    assert _prove(monkeypatch, statement, form).concluded


@pytest.mark.parametrize(
    ("formula", "at_least_0", "above_0"),
    [
        (1 - chance, True, False),
        (1 - open_chance, True, True),
        (positive - other, False, False),
        (1 + any_number**2, True, True),
        (chance * other, True, True),
        (any_number * other, False, False),
        (1 / (1 + other) - 1, False, False),
        (1 - 1 / (1 + other), True, True),
        (1 - 1 / whole, True, False),
        ((1 - positive) ** whole, False, False),
        ((1 - chance) ** whole, True, False),
        (log(1 + chance), True, True),
        (log(1 + (1 - chance)), True, False),
        (log(1 + other), True, True),
        (log(DIP), False, False),
        (Max(any_number, chance), True, True),
        (Max(any_number, 1 - chance), True, False),
        (Min(other, 1 - chance), True, False),
        (Min(other, open_chance), True, True),
        (Min(any_number, other), False, False),
    ],
    ids=str,
)
def test_an_interval_holds_the_values_and_no_end_that_is_left_out(
    formula: Expr, *, at_least_0: bool, above_0: bool
) -> None:
    found = enclose(formula, NUMBERS.quantities)
    assert (found.is_at_least_0, found.is_above_0) == (at_least_0, above_0)


def test_a_number_of_the_domain_and_a_power_with_a_letter_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    right = positive * (1 + positive) ** whole + log(1 + other)
    statement = state(paper("numbers", NUMBERS), observed, Term("right", right, "all"))
    form = MachineForm(statement.id)
    one, power, logarithm = form.positive("one", "power", "logarithm")
    form.reads = {observed: NONE, positive: one, (1 + positive) ** whole: power, log(1 + other): logarithm}
    form.conclude(search=True)
    monkeypatch.setattr("verify.proofs.prove.machine_form", lambda statement: form)
    assert prove(statement).concluded


LEMMA_5 = bounds.get("fed_norm_ec.lemma_5")
EXPONENTIAL = {"kind": "exponential", "name": "exp.one"}


@pytest.mark.parametrize(
    "wrong",
    [EXPONENTIAL | {"of": ["*", "2", "b_1"]}, {"kind": "scalar", "name": "exp.one", "sign": ">", "over": []}],
    ids=["of another number", "no exponential"],
)
def test_a_power_of_e_is_read_as_so_many_powers_of_its_own_exponent(
    monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    """The claims are those of the certificate on file, so that what is refused is the reading."""
    form = machine_form(LEMMA_5)
    assert form is not None
    certificate = store.on_file(LEMMA_5)
    assert certificate is not None
    checker = check(certificate)
    assert not [s for s in list_misread(form, LEMMA_5, certificate, checker) if s.startswith("exp(")]
    given = [wrong if e.get("name") == "exp.one" else e for e in certificate["given"]]
    checker = Checker()
    for entry in given:
        checker.accept(entry, trusted=True)
    for entry in certificate["steps"]:
        if entry.get("kind") in ("recursion", "named"):
            with suppress(Rejected):
                checker.accept(entry, trusted=False)
    sentences = list_misread(form, LEMMA_5, certificate | {"given": given}, checker)
    assert [s for s in sentences if s.startswith("exp(")], sentences
