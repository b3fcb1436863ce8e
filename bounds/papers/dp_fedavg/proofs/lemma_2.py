"""Both parts of Lemma 2, by the printed steps: after any number of local steps, and after E."""

from bounds.language.proof.expression import Scalar, square
from bounds.language.proof.form import MachineForm, Point, a_square, because, fact
from bounds.language.proof.lemmas import bound_square_of_sum
from bounds.papers.dp_fedavg.notation import client_gap, local_move_squared, update_norm_squared


def _prove_move(proof: MachineForm, steps: str) -> tuple[Scalar, Scalar]:
    """The squared distance after the steps and the gap at the start; proves B.lem2.eq95."""
    t = proof.index("t")
    (L, eta), (last,) = proof.positive("L", "eta"), proof.positive(steps)
    count, lowest = proof.scalar("t_now", ">=", [t]), proof.scalar("f_low")
    proof.condition("B.lem2")
    f = proof.function("f", smooth=L, lowest=lowest)
    y, w, w_last = proof.vector("y", [t]), proof.vector("w"), proof.vector("w_last")
    now, start = proof.point("now", f, y), proof.point("start", f, w)
    following = proof.point("next", f, y - eta * now.gradient)
    end = proof.point("end", f, w_last)
    proof.sequence(t, count, count + 1, 0, last)
    proof.sequence(t, y, following.at, w, w_last)
    proof.sequence(t, now.value, following.value, start.value, end.value)
    squares, squares_E = proof.sum("squares", t, square(now.gradient))
    gaps, gaps_E = proof.sum("gaps", t, now.value - lowest)
    moved, gap = square(w - w_last), start.value - lowest
    _, jensen = bound_square_of_sum(proof, "g", t, count, squares, (w - y) / eta, now.gradient)
    first = proof.claim("B.lem2.eq89", eta**2 * last * squares_E - moved, because(jensen, times=eta**2))
    by_gap = proof.claim(
        "B.lem2.u1",
        2 * L * (now.value - lowest) - square(now.gradient),
        because(fact("lowest_value_by_gradient", now), times=2 * L),
    )
    _, all_gaps = proof.induct("B.lem2.u1, added up", t, 2 * L * gaps - squares, because(by_gap))
    by_gaps = proof.claim(
        "B.lem2.eq90",
        2 * eta**2 * L * last * gaps_E - moved,
        because(first),
        because(all_gaps, times=eta**2 * last),
    )
    monotone = _prove_falling(proof, t, (now, following, start), squares)
    _, all_equal = proof.induct("gaps, added up", t, count * gap - gaps, because(monotone))
    proof.claim(
        "B.lem2.eq95",
        2 * eta**2 * L * last**2 * gap - moved,
        because(by_gaps),
        because(all_equal, times=2 * eta**2 * L * last),
    )
    return moved, gap


def _prove_falling(proof: MachineForm, t: str, points: tuple[Point, Point, Point], squares: Scalar) -> str:
    """`B.lem2.eq91` to `B.lem2.eq94`: no gap is larger than that at the start."""
    L, eta, (now, following, start) = Scalar("L"), Scalar("eta"), points
    g = now.gradient
    proof.claim("B.lem2.eq91", following.value - following.value, relation="= 0")
    smooth = proof.claim(
        "B.lem2.eq92",
        now.value - eta * square(g) + eta**2 * L / 2 * square(g) - following.value,
        because(fact("smooth", following, now)),
    )
    falling = proof.claim(
        "B.lem2.eq93",
        now.value - eta / 2 * square(g) - following.value,
        because(smooth),
        a_square(g, "B.lem2", times=eta / (2 * L)),
    )
    below_start = start.value - eta / 2 * squares - now.value
    fallen, _ = proof.induct("f falls", t, below_start, because(falling))
    proof.claim("B.lem2.eq94", below_start, because(fallen))
    positive, _ = proof.induct("squares", t, squares, a_square(g))
    return proof.claim(
        "no gap is larger", start.value - now.value, because(fallen), because(positive, times=eta / 2)
    )


def _prove_first_part() -> MachineForm:
    proof = MachineForm("dp_fedavg.lemma_2.move")
    moved, gap = _prove_move(proof, "tau")
    proof.reads = {local_move_squared: moved, client_gap: gap}
    proof.conclude(because("B.lem2.eq95"))
    return proof


def _prove_second_part() -> MachineForm:
    proof = MachineForm("dp_fedavg.lemma_2.update")
    moved, gap = _prove_move(proof, "E")
    proof.reads = {update_norm_squared: moved / Scalar("eta") ** 2, client_gap: gap}
    proof.conclude(because("B.lem2.eq95", times=1 / Scalar("eta") ** 2))
    return proof


MOVE, UPDATE = _prove_first_part(), _prove_second_part()
