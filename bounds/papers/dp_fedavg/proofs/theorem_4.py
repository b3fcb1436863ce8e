"""Theorem 4 as amended: normalization, with the share 1 + s of independent sampling."""

from bounds.language.proof.form import MachineForm
from bounds.papers.dp_fedavg.proofs import frame, normalized_rounds

AMENDED = frame.prove_specific_form(
    normalized_rounds.conclude,
    MachineForm("dp_fedavg.theorem_4", "amended"),
    ("B.thm2.threshold", "B.thm2.local_steps"),
)
