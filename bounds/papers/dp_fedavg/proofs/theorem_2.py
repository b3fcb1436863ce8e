"""Theorem 2 as printed, for clients that are sampled independently."""

from bounds.language.proof.form import MachineForm
from bounds.papers.dp_fedavg.proofs import clipped_rounds, frame

PRINTED = frame.prove_specific_form(
    clipped_rounds.conclude, MachineForm("dp_fedavg.theorem_2"), ("B.thm2.threshold", "B.thm2.local_steps")
)
