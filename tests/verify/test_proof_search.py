"""Reasons that a search finds: multipliers of named facts, and facts that no author named."""

from typing import Any

import pytest

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import Equality, MachineForm, a_square, because, fact
from verify.proofs import search
from verify.proofs.checker import Checker

TEXTBOOK = "textbook.gradient_descent_nonconvex"


def _started(*, factor: int) -> tuple[Checker, dict[str, Any]]:
    proof = MachineForm(TEXTBOOK)
    smooth, eta = proof.positive("L", "eta")
    f = proof.function("f", smooth=smooth)
    x = proof.point("x", f, proof.vector("at"))
    below = proof.point("below", f, x.at - eta * x.gradient)
    proof.assume("small", 1 - eta * smooth, source="definition")
    proof.assume("other", eta - smooth, "= 0", source="definition")
    proof.search(
        "descent",
        factor * (x.value - below.value) - eta * proof.square(x.gradient),
        because(fact("smooth", below, x)),
        a_square(x.gradient, "small"),
        Equality("other"),
    )
    checker = Checker()
    for entry in proof.given:
        checker.accept(entry, trusted=True)
    return checker, proof.steps[0]


def test_a_missing_multiplier_is_found_and_the_result_is_checked() -> None:
    checker, step = _started(factor=2)
    found = search.find(checker, step)
    assert found.by is not None
    checker.accept(step | {"by": found.by}, trusted=False)
    assert 0 < found.tried <= search.LARGEST


def test_a_false_claim_is_not_found() -> None:
    """With the factor 1 the claim is false: on x^2/2 with L = eta = 1 it asks for 1/2 - 1 >= 0."""
    checker, step = _started(factor=1)
    assert search.find(checker, step).by is None


def _co_coercivity(proof: MachineForm, factor: int) -> Scalar:
    (smooth,) = proof.positive("L")
    f = proof.function("f", smooth=smooth, convex=True)
    x, y = (proof.point(name, f, proof.vector(f"at.{name}")) for name in "xy")
    turn = x.gradient - y.gradient
    return smooth * proof.inner(turn, x.at - y.at) - factor * proof.square(turn)


def _young(proof: MachineForm, factor: int) -> Scalar:
    (weight,) = proof.positive("c")
    a, b = proof.vector("a"), proof.vector("b")
    return weight * proof.square(a) + proof.square(b) / weight - 2 * factor * proof.inner(a, b)


def _jensen(proof: MachineForm, factor: int) -> Scalar:
    mean = proof.operator("E")
    v = proof.vector("v", [mean])
    length = proof.over(mean, proof.norm("length", v))
    return proof.over(mean, proof.square(v)) - factor * length**2


def _mean_of_clients(proof: MachineForm, factor: int) -> Scalar:
    clients = proof.operator("i")
    v = proof.vector("v", [clients])
    return proof.over(clients, proof.square(v)) - factor * proof.square(proof.average("mean", clients, v))


def _descent(proof: MachineForm, factor: int) -> Scalar:
    smooth, eta = proof.positive("L", "eta")
    f = proof.function("f", smooth=smooth)
    proof.assume("step", 1 - eta * smooth, source="definition")
    x = proof.point("x", f, proof.vector("at"))
    below = proof.point("below", f, x.at - eta * x.gradient)
    return 2 * (x.value - below.value) - factor * eta * proof.square(x.gradient)


GUESSED = (_co_coercivity, _young, _jensen, _mean_of_clients, _descent)


@pytest.mark.slow("linear programs over all facts and squares")
@pytest.mark.parametrize("factor", [1, 2])
@pytest.mark.parametrize("lemma", GUESSED)
def test_a_reason_that_is_left_out_is_found_and_that_of_a_false_claim_is_not(lemma: Any, factor: int) -> None:
    """Textbook lemmas without any reason; with the factor 2 each of them is false."""
    proof = MachineForm(TEXTBOOK)
    proof.search("lemma", lemma(proof, factor))
    checker = Checker()
    for entry in proof.given:
        checker.accept(entry, trusted=True)
    found = search.find(checker, proof.steps[0])
    assert (found.by is not None) == (factor == 1)
    if found.by is not None:
        checker.accept(proof.steps[0] | {"by": found.by}, trusted=False)
