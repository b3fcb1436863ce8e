"""Theorem 2 as amended: one pass over the data of a client, by the way of docs/amended/fed_norm_ec.md."""

from bounds.language.proof.form import MachineForm
from bounds.papers.fed_norm_ec.notation import Delta_i_inf_mean
from bounds.papers.fed_norm_ec.proofs import data_pass, numbers, printed_steps
from bounds.papers.fed_norm_ec.proofs.theorem import Case, prove_theorem


def _prove() -> MachineForm:
    proof = MachineForm("fed_norm_ec.theorem_2", "amended")
    free = numbers.Free("A.thm2.h3", "A.thm2.h4", "A.thm2.h5.memory")
    last, _ = prove_theorem(proof, Case("A.thm2.h1", Delta_i_inf_mean, data_pass, free.declare, free.prove))
    numbers.conclude(proof, last)
    return proof


AMENDED = _prove()
PRINTED = printed_steps.prove_theorem_2()
