"""(39): one round of FedAVG, given theta_r."""

from bounds.language.proof.form import MachineForm, because
from bounds.papers.fedavg_lojasiewicz.notation import gap, gradient_norm, mean_next_gap
from bounds.papers.fedavg_lojasiewicz.proofs import one_round


def _proof() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.equation_39")
    found = one_round.describe(proof)
    lowest = proof.scalar("F_star")
    norm = proof.norm("gradient_norm", found.gradient)
    proof.reads = {gap: found.value - lowest, mean_next_gap: found.next_value - lowest, gradient_norm: norm}
    proof.conclude(because(one_round.prove_eq39(proof, found)), search=True)
    return proof


PROOF = _proof()
