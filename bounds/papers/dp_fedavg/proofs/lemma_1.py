"""Lemma 1, by the printed steps: `B.lem1.u2` to `B.lem1.eq88`, added up over the local steps."""

from bounds.language.proof.expression import Scalar, inner, square
from bounds.language.proof.form import MachineForm, Point, a_square, because, fact
from bounds.papers.dp_fedavg.notation import (
    Delta_i_star,
    local_distance_squared,
    local_gradients_squared,
    round_distance,
)


def _proof() -> MachineForm:
    proof = MachineForm("dp_fedavg.lemma_1")
    t = proof.index("t")
    L, eta, E = proof.positive("L", "eta", "E")
    count = proof.scalar("t_now", ">=", [t])
    lowest = proof.scalar("f_low")
    proof.condition("B.lem1")
    f = proof.function("f", convex=True, smooth=L, lowest=lowest)
    y, w, w_E, best = proof.vector("y", [t]), proof.vector("w"), proof.vector("w_E"), proof.vector("w_star")
    now, star = proof.point("now", f, y), proof.point("star", f, best)
    proof.sequence(t, count, count + 1, 0, E)
    proof.sequence(t, y, y - eta * now.gradient, w, w_E)
    squares, squares_E = proof.sum("squares", t, square(now.gradient))
    distance, delta = proof.norm("round_distance", w - best), star.value - lowest
    one = _prove_one_step(proof, now, star, lowest)
    summed = square(w - best) - eta / (2 * L) * squares + 2 * eta * count * delta - square(y - best)
    _, all_steps = proof.induct("all steps", t, summed, because(one))
    proof.reads = {
        local_distance_squared: square(w_E - best),
        round_distance: distance,
        local_gradients_squared: squares_E,
        Delta_i_star: delta,
    }
    proof.conclude(because(all_steps), search=True)
    return proof


def _prove_one_step(proof: MachineForm, now: Point, star: Point, lowest: Scalar) -> str:
    """`B.lem1.u2` to `B.lem1.eq88`."""
    L, eta, g, delta = Scalar("L"), Scalar("eta"), now.gradient, star.value - lowest
    away = now.at - star.at
    # ||y - w*||^2 - ||y - eta g - w*||^2 + eta^2 ||g||^2
    moved = square(away) - square(away - eta * g) + eta**2 * square(g)
    after = square(away - eta * g)
    expanded = square(away) - 2 * eta * inner(g, away) + eta**2 * square(g)
    proof.claim("B.lem1.u2", after - expanded, relation="= 0")
    convex = proof.claim(
        "B.lem1.eq85",
        moved - 2 * eta * (now.value - star.value),
        because(fact("convex", star, now), times=2 * eta),
    )
    shifted = proof.claim(
        "B.lem1.eq86", moved - 2 * eta * (now.value - lowest) + 2 * eta * delta, because(convex)
    )
    by_gradient = proof.claim(
        "B.lem1.eq87",
        moved - eta / L * square(g) + 2 * eta * delta,
        because(shifted),
        because(fact("lowest_value_by_gradient", now), times=2 * eta),
    )
    return proof.claim(
        "B.lem1.eq88",
        square(away) - eta / (2 * L) * square(g) + 2 * eta * delta - after,
        because(by_gradient),
        a_square(g, "B.lem1", times=eta / (4 * L**2)),
    )


PROOF = _proof()
