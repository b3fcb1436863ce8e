"""Theorem 2 as printed, for clients that are sampled independently, and the printed steps on a client."""

from bounds.language.proof.form import MachineForm
from bounds.papers.dp_fedavg.proofs import clipped_rounds, frame, printed_steps

CONDITIONS = ("B.thm2.threshold", "B.thm2.local_steps")
PRINTED = printed_steps.certify(
    frame.prove_specific_form(clipped_rounds.conclude, MachineForm("dp_fedavg.theorem_2"), CONDITIONS),
    CONDITIONS,
)
