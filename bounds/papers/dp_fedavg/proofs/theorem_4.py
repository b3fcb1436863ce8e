"""Theorem 4 as amended: normalization, with the share 1 + s of independent sampling."""

from bounds.language.proof.form import MachineForm
from bounds.papers.dp_fedavg.proofs import normalized_rounds

AMENDED = normalized_rounds.in_the_specific_form(
    MachineForm("dp_fedavg.theorem_4", "amended"), ("B.thm2.threshold", "B.thm2.local_steps")
)
