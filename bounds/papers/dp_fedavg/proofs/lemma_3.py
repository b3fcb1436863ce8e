"""Lemma 3 as amended, for convex clients, by the printed steps."""

from bounds.language.proof.expression import inner, square
from bounds.language.proof.form import MachineForm, because, fact
from bounds.papers.dp_fedavg.notation import (
    next_gradient_norm_squared,
    step_gradient_move,
    step_gradient_norm,
)


def _proof() -> MachineForm:
    proof = MachineForm("dp_fedavg.lemma_3", "amended")
    L, eta = proof.positive("L", "eta")
    f = proof.function("f", convex=True, smooth=L)
    now = proof.point("now", f, proof.vector("w"))
    following = proof.point("next", f, now.at - eta * now.gradient)
    g, h = now.gradient, following.gradient
    norm, move = proof.norm("norm.g", g), proof.norm("norm.move", h - g)
    step = following.at - now.at
    co_coercive = proof.claim(
        "B.lem3.eq96",
        inner(h - g, step) - square(h - g) / L,
        because(fact("co_coercive", now, following)),
        because(fact("co_coercive", following, now)),
    )
    proof.claim("B.lem3.u1", square(step + eta * g), relation="= 0")
    expanded = proof.claim(
        "B.lem3.eq97",
        L * inner(h - g, -eta * g) - (square(h) + square(g) - 2 * inner(h, g)),
        because(co_coercive, times=L),
    )
    proof.claim("B.lem3.eq97 (2)", square(h - g) - (square(h) + square(g) - 2 * inner(h, g)), relation="= 0")
    rearranged = proof.claim(
        "B.lem3.eq98", (2 - eta * L) * inner(h, g) - square(h) - (1 - eta * L) * square(g), because(expanded)
    )
    proof.claim("B.lem3.eq99", inner(h, g) - (square(h) + square(g) - square(h - g)) / 2, relation="= 0")
    last = proof.claim(
        "B.lem3.eq100",
        square(g) - (2 / (eta * L) - 1) * square(h - g) - square(h),
        because(rearranged, times=2 / (eta * L)),
    )
    proof.reads = {next_gradient_norm_squared: square(h), step_gradient_norm: norm, step_gradient_move: move}
    proof.conclude(because(last), search=True)
    return proof


AMENDED = _proof()
