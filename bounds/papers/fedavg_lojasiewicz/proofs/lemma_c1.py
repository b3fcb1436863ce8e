"""Lemma C.1: variance of the clients' gradients about their mean."""

from bounds.language.assumptions import GRADIENT_DIVERGENCE
from bounds.language.proof.expression import over, square
from bounds.language.proof.form import MachineForm, Summand, because
from bounds.papers.fedavg_lojasiewicz.notation import gradient_norm, mean_client_gradient_square


def _proof() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.lemma_c1")
    c = proof.operator("c")
    (zeta,) = proof.non_negative("zeta")
    g = proof.vector("g", [c])
    mean = proof.average("gradient", c, g)
    norm = proof.norm("gradient_norm", mean)
    close = proof.assume("FL-3", zeta**2 - over(c, square(g - mean)), source=GRADIENT_DIVERGENCE.name)
    proof.reads = {mean_client_gradient_square: over(c, square(g)), gradient_norm: norm}
    proof.conclude(because(close), Summand(norm**2), Summand(zeta**2), search=True)
    return proof


PROOF = _proof()
