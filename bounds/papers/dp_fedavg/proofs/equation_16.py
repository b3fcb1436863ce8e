"""(16) as amended: Theorem 4 with its two terms of heterogeneity in one."""

from bounds.language.proof.form import MachineForm
from bounds.papers.dp_fedavg.proofs import frame, normalized_rounds

RATE_AMENDED = frame.prove_specific_form(
    normalized_rounds.conclude,
    MachineForm("dp_fedavg.equation_16.rate", "amended"),
    ("B.thm2.threshold", "B.thm2.local_steps"),
)
