"""Lemma D.1: the descent lemma of the mean, from that of every client."""

from bounds.language.proof.expression import inner, over
from bounds.language.proof.form import MachineForm, because, fact
from bounds.papers.fedavg_lojasiewicz.notation import directional_derivative, gap, move, next_gap


def _proof() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.lemma_d1")
    c = proof.operator("c")
    (L,) = proof.positive("L")
    lowest = proof.scalar("F_star")
    f = proof.function("f", [c], smooth=L)
    here, there = proof.vector("theta"), proof.vector("theta'")
    at, to = proof.point("at", f, here), proof.point("to", f, there)
    gradient = proof.average("gradient", c, at.gradient)
    length = proof.norm("length", there - here)
    proof.reads = {
        gap: over(c, at.value) - lowest,
        next_gap: over(c, to.value) - lowest,
        move: length,
        directional_derivative: inner(gradient, there - here),
    }
    proof.conclude(because(fact("smooth", to, at), over=[c]), search=True)
    return proof


PROOF = _proof()
