"""Theorem 1 as amended: local gradient steps, by the way of docs/amended/fed_norm_ec.md."""

from bounds.language.proof.form import Equality, MachineForm
from bounds.papers.fed_norm_ec.notation import Delta_inf
from bounds.papers.fed_norm_ec.proofs import gradient_pass, numbers, printed_steps
from bounds.papers.fed_norm_ec.proofs.theorem import Case, prove_theorem


def _prove(member: str) -> MachineForm:
    proof = MachineForm(f"fed_norm_ec.theorem_1.{member}", "amended")
    free = numbers.Free("A.thm1.h2", "A.thm1.h3", "A.thm1.h4.memory")
    last, _ = prove_theorem(proof, Case("A.thm1.h1", Delta_inf, gradient_pass, free.declare, free.prove))
    numbers.conclude(proof, last, Equality("definition of T-1"))
    return proof


MAIN, APPENDIX = _prove("main"), _prove("appendix")
MAIN_PRINTED, APPENDIX_PRINTED = (printed_steps.prove_theorem_1(m) for m in ("main", "appendix"))
