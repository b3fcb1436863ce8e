"""One round under the Lojasiewicz inequality with exponent 1: D.F2.s15."""

from bounds.language.proof.form import MachineForm, because
from bounds.papers.fedavg_lojasiewicz.notation import gap, mean_next_gap
from bounds.papers.fedavg_lojasiewicz.proofs import lojasiewicz_round


def _proof() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.recursions.f2")
    found = lojasiewicz_round.describe(proof)
    proof.reads = {gap: found.gap, mean_next_gap: found.next_gap}
    proof.conclude(because(found.recursion), search=True)
    return proof


F2 = _proof()
