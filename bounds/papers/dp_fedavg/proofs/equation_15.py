"""(15) as amended: Theorem 2 with the smaller coefficients of its derivation."""

from bounds.language.proof.form import MachineForm
from bounds.papers.dp_fedavg.proofs import clipped_rounds, frame

AMENDED = frame.prove_specific_form(
    clipped_rounds.conclude,
    MachineForm("dp_fedavg.equation_15", "amended"),
    ("B.thm2.threshold", "B.thm2.local_steps"),
)
