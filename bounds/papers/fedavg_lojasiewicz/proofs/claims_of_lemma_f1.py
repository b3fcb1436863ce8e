"""The sums of the numbers of local steps and of their squares."""

from sympy import Symbol

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import Equality, MachineForm, because
from bounds.papers.fedavg_lojasiewicz.notation import sum_of_squares, sum_of_steps
from bounds.papers.fedavg_lojasiewicz.proofs.lemma_f1 import COUNT, H, add_numbers


def _begin(member: str, symbol: Symbol, read: str) -> MachineForm:
    proof = MachineForm(f"fedavg_lojasiewicz.claims_of_lemma_f1.{member}")
    proof.index("h"), proof.positive("H")
    proof.sequence("h", proof.scalar("h_now", ">=", ["h"]), COUNT + 1, 0, H)
    proof.reads = {symbol: Scalar(read)}
    return proof


def _prove_sum() -> MachineForm:
    proof = _begin("sum", sum_of_steps, "numbers.last")
    add_numbers(proof)
    proof.conclude(Equality("sum of the numbers", -4))
    return proof


def _prove_squares() -> MachineForm:
    proof = _begin("sumsq", sum_of_squares, "squared.numbers.last")
    add_numbers(proof)
    proof.conclude(because("sum of the squares", times=4))
    return proof


SUM, SQUARES = _prove_sum(), _prove_squares()
