"""Lemma 1, by the printed steps: `B.lem1.u2` to `B.lem1.eq88`, added up over the local steps."""

from bounds.language.proof.expression import Scalar, inner, square
from bounds.language.proof.form import MachineForm, Summand, because, fact
from bounds.papers.dp_fedavg.notation import (
    Delta_i_star,
    local_distance_squared,
    local_gradients_squared,
    round_distance,
)


def _proof() -> MachineForm:
    proof = MachineForm(
        "dp_fedavg.lemma_1", prose={"B.lem1.u1": "it defines f_i* and Delta_i*, and claims nothing"}
    )
    t = proof.index("t")
    L, eta, E = proof.positive("L", "eta", "E")
    count = proof.scalar("t_now", ">=", [t])
    lowest = proof.scalar("f_low")
    condition = proof.condition("B.lem1")
    f = proof.function("f", convex=True, smooth=L, lowest=lowest)
    y, w, w_E, best = proof.vector("y", [t]), proof.vector("w"), proof.vector("w_E"), proof.vector("w_star")
    now, star = proof.point("now", f, y), proof.point("star", f, best)
    g = now.gradient
    proof.sequence(t, count, count + 1, 0, E)
    proof.sequence(t, y, y - eta * g, w, w_E)
    squares, squares_E = proof.recursion("squares", t, Scalar("squares") + square(g), 0)
    distance = proof.norm("round_distance", w - best)
    delta = star.value - lowest
    before, after = square(y - best), square(y - eta * g - best)

    proof.claim(
        "B.lem1.u2",
        after - (before - 2 * eta * inner(g, y - best) + eta**2 * square(g)),
        relation="= 0",
    )
    convex = proof.claim(
        "B.lem1.eq85",
        before - 2 * eta * (now.value - star.value) + eta**2 * square(g) - after,
        because(fact("convex", star, now), times=2 * eta),
    )
    shifted = proof.claim(
        "B.lem1.eq86",
        before - 2 * eta * (now.value - lowest) + 2 * eta * delta + eta**2 * square(g) - after,
        because(convex),
    )
    by_gradient = proof.claim(
        "B.lem1.eq87",
        before - eta / L * square(g) + 2 * eta * delta + eta**2 * square(g) - after,
        because(shifted),
        because(fact("lowest_value_by_gradient", now), times=2 * eta),
    )
    one = proof.claim(
        "B.lem1.eq88",
        before - eta / (2 * L) * square(g) + 2 * eta * delta - after,
        because(by_gradient),
        Summand(eta / (4 * L**2), (condition,), (g,)),
    )

    def summed(count: Scalar, squares: Scalar, end: Scalar) -> Scalar:
        return square(w - best) - eta / (2 * L) * squares + 2 * eta * count * delta - end

    base = proof.claim("no step", Scalar("0"))
    whole = proof.induction(
        "all steps",
        t,
        summed(count, squares, before),
        base=base,
        step=one,
        claim=summed(E, squares_E, square(w_E - best)),
    )
    proof.reads = {
        local_distance_squared: square(w_E - best),
        round_distance: distance,
        local_gradients_squared: squares_E,
        Delta_i_star: delta,
    }
    proof.conclude(because(whole), search=True)
    return proof


PROOF = _proof()
