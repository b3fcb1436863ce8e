"""Corollary 4 as amended: Theorem 1 with one local step and powers of K + 1 for its numbers."""

from bounds.language.proof.form import Equality, MachineForm
from bounds.papers.fed_norm_ec.notation import Delta_inf
from bounds.papers.fed_norm_ec.proofs import corollary_steps, gradient_pass, numbers
from bounds.papers.fed_norm_ec.proofs.local_pass import LESS, L
from bounds.papers.fed_norm_ec.proofs.rounds import ROOT_0
from bounds.papers.fed_norm_ec.proofs.theorem import Case, prove_theorem


def _prove() -> MachineForm:
    proof = MachineForm("fed_norm_ec.corollary_4", "amended")
    powers = numbers.Powers("A.thm1.h2", 1 / (2 * L), "A.cor4.h1")
    last, above = prove_theorem(
        proof, Case("A.cor4.h1", Delta_inf, gradient_pass, powers.declare, powers.prove)
    )
    rest = gradient_pass.OF_A_STEP * ROOT_0
    none = [Equality("definition of T-1", rest), Equality("one local step", rest)]
    drift = proof.claim("no drift", rest * LESS, *none, relation="= 0")
    numbers.conclude_powers(proof, last, above, Equality(drift))
    return proof


PRINTED = corollary_steps.certify_corollary_4()
AMENDED = _prove()
