"""Lemma F.1: the printed step that averages over the agents."""

from bounds.language.assumptions import GRADIENT_DIVERGENCE
from bounds.language.proof.expression import over, square
from bounds.language.proof.form import MachineForm, Summand, because


def _certify_steps() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.lemma_f1")
    c, (zeta,) = proof.operator("c"), proof.non_negative("zeta")
    g = proof.vector("g", [c])
    mean = proof.average("gradient", c, g)
    close = proof.assume("FL-3", zeta**2 - over(c, square(g - mean)), source=GRADIENT_DIVERGENCE.name)
    size = 2 * square(mean) + 2 * zeta**2 - over(c, square(g))
    proof.claim("D.F1.s5", size, because(close), Summand(square(mean) + zeta**2))
    return proof


PRINTED = _certify_steps()
