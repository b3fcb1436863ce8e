"""(35): one round with one local step."""

from bounds.language.proof.form import MachineForm, because
from bounds.papers.fedavg_lojasiewicz.notation import gap, gradient_norm, mean_next_gap
from bounds.papers.fedavg_lojasiewicz.proofs import one_step


def _proof() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.equation_35")
    found = one_step.describe(proof)
    norm = proof.norm("gradient_norm", found.gradient)
    proof.reads = {gap: found.gap, mean_next_gap: found.next_gap, gradient_norm: norm}
    proof.conclude(because(found.recursion), search=True)
    return proof


PROOF = _proof()
