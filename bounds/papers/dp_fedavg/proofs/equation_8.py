"""Equation (8): the step on the coefficient of the gap, from the condition on the local steps."""

from fractions import Fraction

from bounds.language.proof.form import MachineForm, because
from bounds.papers.dp_fedavg import notation


def _certify_step() -> MachineForm:
    proof = MachineForm("dp_fedavg.equation_8")
    alpha, rho, E = proof.positive("alpha", "rho", "E")
    proof.reads = {notation.rho: rho}
    few, share = proof.condition("B.thm2.local_steps"), rho * E / alpha
    half = proof.claim("at most 1/2", Fraction(1, 2) - share, because(few, times=1 / (4 * rho * alpha)))
    proof.claim(
        "B.eq8.u1",
        2 - share - share**2 - Fraction(5, 4),
        because(half, times=Fraction(3, 2)),
        because(half, times=share),
    )
    return proof


PRINTED = _certify_step()
