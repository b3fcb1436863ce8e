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
    eta, fallen = Scalar("eta"), 1 - Scalar("L") * Scalar("eta")
    noise = Scalar("L") * eta**2 * Scalar("sigma") ** 2 / Scalar("M")
    proof.claim(
        "D.F2.s2",
        (1 - eta * Scalar("mu_1") * fallen) * found.gap
        + eta * fallen * Scalar("zeta") ** 2
        + noise
        - found.next_gap,
        because(found.recursion),
        because(small, steep, times=eta),
    )
    proof.reads = {gap: found.gap, mean_next_gap: found.next_gap}
    proof.conclude(because("D.F2.s2"), search=True)
    return proof


F2_ONE_STEP = _one_step()
