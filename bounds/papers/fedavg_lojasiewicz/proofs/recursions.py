"""One round under the Lojasiewicz inequality with exponent 1: D.F2.s15."""

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import MachineForm, Summand, because
from bounds.papers.fedavg_lojasiewicz.notation import gap, mean_next_gap
from bounds.papers.fedavg_lojasiewicz.proofs import lojasiewicz_round, one_step


def _proof() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.recursions.f2")
    found = lojasiewicz_round.describe(proof)
    proof.reads = {gap: found.gap, mean_next_gap: found.next_gap}
    proof.conclude(because(lojasiewicz_round.prove_printed(proof, found)), search=True)
    return proof


F2 = _proof()


def _one_step() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.recursions.f2_one_step")
    found = one_step.describe(proof, with_steepness=True)
    steep = one_step.prove_steepness(proof, found)
    small = proof.search(
        "eta L <= 1", 1 - Scalar("eta") * Scalar("L"), because("D.F2", times=1 / Scalar("L")), Summand(1)
    )
    proof.reads = {gap: found.gap, mean_next_gap: found.next_gap}
    proof.conclude(because(found.recursion), because(small, steep, times=Scalar("eta")), search=True)
    return proof


F2_ONE_STEP = _one_step()
