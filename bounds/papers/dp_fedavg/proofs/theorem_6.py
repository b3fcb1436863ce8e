"""Theorem 6 as amended, in both forms."""

from bounds.language.proof.form import MachineForm
from bounds.papers.dp_fedavg.proofs import normalized_rounds

GENERAL_AMENDED = normalized_rounds.in_the_general_form(
    MachineForm("dp_fedavg.theorem_6.general", "amended"),
    ("B.thm6.general.threshold", "B.thm6.general.local_steps"),
)
SPECIFIC_AMENDED = normalized_rounds.in_the_specific_form(
    MachineForm("dp_fedavg.theorem_6.specific", "amended"),
    ("B.thm6.general.threshold", "B.thm6.specific.local_steps"),
)
