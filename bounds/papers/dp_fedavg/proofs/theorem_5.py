"""Theorem 5: the specific form as printed, the general form as amended."""

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import MachineForm, because
from bounds.papers.dp_fedavg.proofs import clipped_rounds

SPECIFIC = clipped_rounds.in_the_specific_form(
    MachineForm("dp_fedavg.theorem_5.specific"), ("B.thm5.general.threshold", "B.thm5.specific.local_steps")
)


def _general() -> MachineForm:
    proof = MachineForm("dp_fedavg.theorem_5.general", "amended")
    L, gamma, ratio, E, C_hat, K = proof.positive("L", "gamma", "rho", "E", "C_hat", "K")
    rounds = "B.thm5.general.local_steps"

    def prove_small(small: Scalar) -> str:
        # K >= 4 gamma/(C_hat rho), cleared of its divisor
        return proof.search("eta L E <= 1/4", small, because(rounds, times=1 / (C_hat**2 * ratio**2 * K)))

    found = clipped_rounds.describe(
        proof, gamma / (C_hat * L * E * K * ratio), ("B.thm5.general.threshold", rounds), prove_small
    )
    clipped_rounds.conclude(proof, found)
    return proof


GENERAL_AMENDED = _general()
