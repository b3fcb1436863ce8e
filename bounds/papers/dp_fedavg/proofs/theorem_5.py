"""Theorem 5: the specific form as printed with its steps on a client, the general form as amended."""

from bounds.language.proof.form import MachineForm
from bounds.papers.dp_fedavg.proofs import clipped_rounds, frame, printed_steps

CONDITIONS = ("B.thm5.general.threshold", "B.thm5.specific.local_steps")
_form = MachineForm("dp_fedavg.theorem_5.specific")
_proved = frame.prove_specific_form(clipped_rounds.conclude, _form, CONDITIONS)
SPECIFIC = printed_steps.certify(_proved, CONDITIONS)
GENERAL_AMENDED = frame.prove_general_form(
    clipped_rounds.conclude,
    MachineForm("dp_fedavg.theorem_5.general", "amended"),
    ("B.thm5.general.threshold", "B.thm5.general.local_steps"),
)
