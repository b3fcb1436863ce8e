"""Corollary 5 as amended: Theorem 2 with powers of K + 1 for its numbers."""

from bounds.language.proof.form import MachineForm
from bounds.papers.fed_norm_ec.notation import Delta_i_inf_mean
from bounds.papers.fed_norm_ec.proofs import data_pass, numbers
from bounds.papers.fed_norm_ec.proofs.numbers import SIXTH, L
from bounds.papers.fed_norm_ec.proofs.theorem import Case, prove_theorem


def _prove() -> MachineForm:
    proof = MachineForm("fed_norm_ec.corollary_5", "amended")
    powers = numbers.Powers("A.thm2.h3", 1 / (2 * L * SIXTH))
    last, above = prove_theorem(
        proof, Case("A.thm2.h1", Delta_i_inf_mean, data_pass, powers.declare, powers.prove)
    )
    numbers.conclude_powers(proof, last, above)
    return proof


AMENDED = _prove()
