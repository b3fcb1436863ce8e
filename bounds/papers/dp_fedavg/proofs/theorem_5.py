"""Theorem 5: the specific form as printed, the general form as amended."""

from bounds.language.proof.form import MachineForm
from bounds.papers.dp_fedavg.proofs import clipped_rounds

SPECIFIC = clipped_rounds.in_the_specific_form(
    MachineForm("dp_fedavg.theorem_5.specific"), ("B.thm5.general.threshold", "B.thm5.specific.local_steps")
)
GENERAL_AMENDED = clipped_rounds.in_the_general_form(
    MachineForm("dp_fedavg.theorem_5.general", "amended"),
    ("B.thm5.general.threshold", "B.thm5.general.local_steps"),
)
