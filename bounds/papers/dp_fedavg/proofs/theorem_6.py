"""Theorem 6 as amended, in both forms, and the printed steps on a client."""

from bounds.language.proof.form import MachineForm
from bounds.papers.dp_fedavg.proofs import frame, normalized_rounds, normalized_steps

PRINTED = normalized_steps.certify()
GENERAL_AMENDED = frame.prove_general_form(
    normalized_rounds.conclude,
    MachineForm("dp_fedavg.theorem_6.general", "amended"),
    ("B.thm6.general.threshold", "B.thm6.general.local_steps"),
)
SPECIFIC_AMENDED = frame.prove_specific_form(
    normalized_rounds.conclude,
    MachineForm("dp_fedavg.theorem_6.specific", "amended"),
    ("B.thm6.general.threshold", "B.thm6.specific.local_steps"),
)
