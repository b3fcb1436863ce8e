"""Fact 1, from the descent lemma at the point x - grad h(x)/L."""

from bounds.language.proof.expression import square
from bounds.language.proof.form import MachineForm, because, fact
from bounds.papers.dp_fedavg.notation import h_gap, h_gradient_squared


def _proof() -> MachineForm:
    proof = MachineForm("dp_fedavg.fact_1")
    (L,) = proof.positive("L")
    lowest = proof.scalar("h_star")
    h = proof.function("h", smooth=L, lowest=lowest)
    x = proof.point("x", h, proof.vector("at"))
    below = proof.point("below", h, x.at - x.gradient / L)
    proof.reads = {h_gradient_squared: square(x.gradient), h_gap: x.value - lowest}
    proof.conclude(
        because(fact("smooth", below, x), times=2 * L),
        because(fact("lowest_value", below), times=2 * L),
    )
    return proof


PROOF = _proof()
