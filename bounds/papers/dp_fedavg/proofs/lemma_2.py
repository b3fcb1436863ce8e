"""Both parts of Lemma 2, by the printed steps: after any number of local steps, and after E."""

from bounds.language.proof.expression import Scalar, inner, square
from bounds.language.proof.form import MachineForm, Summand, a_square, because, fact
from bounds.papers.dp_fedavg.notation import client_gap, local_move_squared, update_norm_squared


def _move(proof: MachineForm, steps: str) -> tuple[Scalar, Scalar]:
    """The squared distance after the steps and the gap at the start; proves B.lem2.eq95."""
    t = proof.index("t")
    (L, eta), (last,) = proof.positive("L", "eta"), proof.positive(steps)
    count, lowest = proof.scalar("t_now", ">=", [t]), proof.scalar("f_low")
    condition = proof.condition("B.lem2")
    f = proof.function("f", smooth=L, lowest=lowest)
    y, w, end = proof.vector("y", [t]), proof.vector("w"), proof.vector("w_last")
    now, start = proof.point("now", f, y), proof.point("start", f, w)
    g = now.gradient
    following = proof.point("next", f, y - eta * g)
    at_end = proof.point("end", f, end)
    proof.sequence(t, count, count + 1, 0, last)
    proof.sequence(t, y, following.at, w, end)
    proof.sequence(t, now.value, following.value, start.value, at_end.value)
    squares, squares_E = proof.recursion("squares", t, Scalar("squares") + square(g), 0)
    gaps, gaps_E = proof.recursion("gaps", t, Scalar("gaps") + now.value - lowest, 0)
    total = (w - y) / eta

    v = proof.arbitrary("v")
    zero = proof.claim("nothing yet", Scalar("0"))
    spread = count * square(v) - 2 * inner(v, total) + squares
    turn = proof.claim("spread, one step", square(v - g), a_square(v - g))
    around = proof.induction("spread", t, spread, base=zero, step=turn, claim=spread)
    about_g = count * square(g) - 2 * inner(g, total) + squares
    about = proof.instance("spread about g", about_g, around, spread, v, g)
    jensen_step = proof.claim("B.lem2.eq89, one step", about_g, because(about))
    jensen = proof.induction(
        "Jensen",
        t,
        count * squares - square(total),
        base=zero,
        step=jensen_step,
        claim=last * squares_E - square((w - end) / eta),
    )
    first = proof.claim(
        "B.lem2.eq89", eta**2 * last * squares_E - square(w - end), because(jensen, times=eta**2)
    )
    by_gap = proof.claim(
        "B.lem2.u1",
        2 * L * (now.value - lowest) - square(g),
        because(fact("lowest_value_by_gradient", now), times=2 * L),
    )
    all_gaps = proof.induction(
        "B.lem2.u1, added up",
        t,
        2 * L * gaps - squares,
        base=zero,
        step=by_gap,
        claim=2 * L * gaps_E - squares_E,
    )
    proof.claim(
        "B.lem2.eq90",
        2 * eta**2 * L * last * gaps_E - square(w - end),
        because(first),
        because(all_gaps, times=eta**2 * last),
    )
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
        Summand(eta / (2 * L), (condition,), (g,)),
    )
    below_start = start.value - eta / 2 * squares - now.value
    fallen = proof.induction("B.lem2.eq94", t, below_start, base=zero, step=falling, claim=below_start)
    positive_step = proof.claim("a square", square(g), a_square(g))
    positive = proof.induction("squares", t, squares, base=zero, step=positive_step, claim=squares)
    monotone = proof.claim(
        "no gap is larger", start.value - now.value, because(fallen), because(positive, times=eta / 2)
    )
    all_equal = proof.induction(
        "gaps, added up",
        t,
        count * (start.value - lowest) - gaps,
        base=zero,
        step=monotone,
        claim=last * (start.value - lowest) - gaps_E,
    )
    proof.claim(
        "B.lem2.eq95",
        2 * eta**2 * L * last**2 * (start.value - lowest) - square(w - end),
        because("B.lem2.eq90"),
        because(all_equal, times=2 * eta**2 * L * last),
    )
    return square(w - end), start.value - lowest


def _first_part() -> MachineForm:
    proof = MachineForm("dp_fedavg.lemma_2.move")
    moved, gap = _move(proof, "tau")
    proof.reads = {local_move_squared: moved, client_gap: gap}
    proof.conclude(because("B.lem2.eq95"))
    return proof


def _second_part() -> MachineForm:
    proof = MachineForm(
        "dp_fedavg.lemma_2.update", prose={"B.lem2.u2": "it defines the update, and claims nothing"}
    )
    moved, gap = _move(proof, "E")
    proof.reads = {update_norm_squared: moved / Scalar("eta") ** 2, client_gap: gap}
    proof.conclude(because("B.lem2.eq95", times=1 / Scalar("eta") ** 2))
    return proof


MOVE, UPDATE = _first_part(), _second_part()
