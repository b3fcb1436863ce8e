"""Corollary 2 as amended: Theorem 1 with powers of K + 1 for its numbers."""

from bounds.language.proof.form import Equality, MachineForm
from bounds.papers.fed_norm_ec.notation import Delta_inf
from bounds.papers.fed_norm_ec.proofs import gradient_pass, numbers
from bounds.papers.fed_norm_ec.proofs.numbers import SIXTH, L
from bounds.papers.fed_norm_ec.proofs.theorem import Case, prove_theorem


def _prove() -> MachineForm:
    proof = MachineForm("fed_norm_ec.corollary_2", "amended")
    powers = numbers.Powers("A.thm1.h2", 1 / (2 * L * SIXTH))
    last, above = prove_theorem(
        proof, Case("A.thm1.h1", Delta_inf, gradient_pass, powers.declare, powers.prove)
    )
    numbers.conclude_powers(proof, last, above, Equality("definition of T-1"))
    return proof


AMENDED = _prove()
