"""Lemma 7: local gradient steps from two points (statements 2 and 4), and from one (3 and 5).

The printed proof compares the sum over l steps with that over all. Here the distance d after j steps grows by
a factor of at most 1 + u a step, u = L gamma/T, so that (1 - j u) d is at most what is added: an induction.
"""

from bounds.language.proof.expression import ZERO, Scalar, Vector, atom, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Point, Summand, because
from bounds.language.proof.lemmas import bound_norm_of_sum, bound_norm_of_turn, equate_squares
from bounds.papers.fed_norm_ec.notation import (
    client_gradient_norm,
    local_drift,
    local_path_move,
    local_result_move,
    operator_error,
    server_move,
)

L, GAMMA, T, COUNT = (Scalar(name) for name in ("L", "gamma", "T", "j_now"))
D, D_T, TURN = Scalar("d"), Scalar("d.T"), Scalar("norm.turn")
STEP = GAMMA / T
NOTHING = Scalar("0")


def _begin(member: str) -> MachineForm:
    """T gradient steps of length gamma/T on one client."""
    proof = MachineForm(f"fed_norm_ec.lemma_7.{member}")
    j = proof.index("j")
    proof.positive("L", "gamma", "T")
    proof.sequence(j, proof.scalar("j_now", ">=", [j]), COUNT + 1, 0, T)
    proof.assume("another step", T - COUNT - 1, source=DEFINITION)
    proof.condition("A.lem7.h4"), proof.domain("T")
    proof.function("f", smooth=L)
    return proof


def _follow(proof: MachineForm, name: str) -> tuple[Point, Vector, Vector]:
    """The local iterate, the point where the steps start, and their result."""
    x, first, last = proof.vector(name, ["j"]), proof.vector(f"{name}.0"), proof.vector(f"{name}.T")
    now = proof.point(f"at.{name}", "f", x)
    proof.sequence("j", x, x - STEP * now.gradient, first, last)
    return now, first, last


def _add_up(proof: MachineForm, name: str, part: Vector) -> tuple[Vector, Vector]:
    """The sum of a vector over the steps before the present one, and over all."""
    return proof.vector_recursion(f"sum.{name}", "j", atom(f"sum.{name}") + part, ZERO)


def _weigh(*parts: tuple[Scalar, Scalar]) -> Scalar:
    """The sum of weights times values, without those that are nothing."""
    weighed = [weight * value for weight, value in parts if value != NOTHING]
    return sum(weighed[1:], weighed[0])


def _prove_growth(proof: MachineForm, one: str, first: Scalar, added: Scalar) -> tuple[str, str]:
    """2 first + 2 gamma added - d >= 0 at the end, and 2 T first + gamma (T - 1) added - sum of d >= 0.

    `one` is the claim (1 + u) d + (gamma/T) added - d.next >= 0.
    """
    u = L * STEP
    half = proof.claim("2 L gamma <= 1", 1 - 2 * L * GAMMA, because("A.lem7.h4", times=1 / (2 * L)))
    room = proof.claim(
        "1 - (j + 1) u >= 0",
        1 - (COUNT + 1) * u,
        because(half, times=Scalar("1/2")),
        because("another step", times=u),
        Summand(Scalar("1/2")),
    )
    near, near_T = proof.induct(
        "near",
        "j",
        _weigh((Scalar("1"), first), (STEP * COUNT, added)) - (1 - COUNT * u) * D,
        because(one, room),
        Summand((COUNT + 1) * u**2 * D),
        *([] if added == NOTHING else [Summand(STEP * (COUNT + 1) * u * added)]),
    )
    end = proof.claim(
        "distance at the end",
        _weigh((Scalar("2"), first), (2 * GAMMA, added)) - D_T,
        because(near_T, times=2),
        because(half, times=D_T),
    )
    twice = proof.claim(
        "distance at a step",
        _weigh((Scalar("2"), first), (2 * STEP * COUNT, added)) - D,
        because(near, times=2),
        because(half, times=D),
        because("another step", times=2 * u * D),
        Summand(2 * u * D),
    )
    summed = _weigh((2 * COUNT, first), (STEP * COUNT * (COUNT - 1), added)) - Scalar("D")
    return end, proof.induct("distances, added up", "j", summed, because(twice))[1]


def _bound_by_all(proof: MachineForm) -> str:
    """The distances so far add up to at most those of all steps."""
    return proof.induct("so far", "j", Scalar("D.last") - Scalar("D"), Summand(D), backward=True)[0]


def _prove_two_paths(member: str) -> tuple[MachineForm, str, str]:
    proof = _begin(member)
    (here, x_0, x_T), (there, y_0, y_T) = _follow(proof, "x"), _follow(proof, "y")
    move, turn = there.at - here.at, there.gradient - here.gradient
    d, d_next = proof.norm("d", move), proof.norm("d.next", move - STEP * turn)
    proof.sequence("j", d, d_next, proof.norm("d.0", y_0 - x_0), proof.norm("d.T", y_T - x_T))
    proof.norm("norm.turn", turn), proof.sum("D", "j", d), proof.sum("turns", "j", TURN)
    proof.positive("eta"), proof.condition("A.lem7.h5")
    proof.reads = {server_move: Scalar("d.0"), local_path_move: Scalar("D.last") / T, local_result_move: D_T}
    triangle = bound_norm_of_sum(proof, "triangle", d_next, [(move, d), (-STEP * turn, STEP * TURN)])
    smooth = bound_norm_of_turn(proof, "smoothness", L, (d, TURN), (there, here))
    one = proof.claim("one step", (1 + L * STEP) * d - d_next, because(triangle), because(smooth, times=STEP))
    return proof, *_prove_growth(proof, one, Scalar("d.0"), NOTHING)


def _prove_statement_2() -> MachineForm:
    proof, _, summed = _prove_two_paths("c2")
    d_0, sum_d, move, start = Scalar("d.0"), Scalar("D"), atom("y") - atom("x"), atom("y.0") - atom("x.0")
    turns, _ = _add_up(proof, "turn", atom("grad.at.y") - atom("grad.at.x"))
    same = equate_squares(proof, "paths", "j", move, start - STEP * turns)
    proof.claim("A.lem7.s2", D**2 - square(start - STEP * turns), Equality(same), relation="= 0")
    triangles, _ = proof.induct("A.lem7.s3, one", "j", d_0 + STEP * Scalar("turns") - D, because("triangle"))
    proof.claim("A.lem7.s3", d_0 + STEP * Scalar("turns") - D, because(triangles))
    s4, _ = proof.induct("A.lem7.s4, one", "j", d_0 + L * STEP * sum_d - D, because("one step"))
    proof.claim("A.lem7.s4", d_0 + L * STEP * sum_d - D, because(s4))
    proof.claim("A.lem7.s5", Scalar("eta") + L * STEP * sum_d - D, because("A.lem7.s4"), because("A.lem7.h5"))
    most = Scalar("eta") + L * STEP * Scalar("D.last")
    so_far = because(_bound_by_all(proof), times=L * STEP)
    proof.claim("A.lem7.s6", most - D, because("A.lem7.s5"), so_far)
    _, added_up = proof.induct("A.lem7.s6, added up", "j", COUNT * most - sum_d, because("A.lem7.s6"))
    all_steps = Scalar("eta") * T + L * GAMMA * Scalar("D.last") - Scalar("D.last")
    proof.claim("A.lem7.s7", all_steps, because(added_up))
    proof.claim(
        "A.lem7.s8",
        2 * Scalar("eta") - Scalar("D.last") / T,
        because(summed, times=1 / T),
        because("A.lem7.h5", times=2),
    )
    proof.conclude(because("A.lem7.s8"), search=True)
    return proof


def _prove_statement_4() -> MachineForm:
    proof, end, summed = _prove_two_paths("c4")
    moved = Scalar("d.0") + L * STEP * Scalar("D") - D
    _, near = proof.induct("the last distance", "j", moved, because("one step"))
    eta, half = Scalar("eta"), because("2 L gamma <= 1", times=Scalar("eta"))
    first = proof.claim(
        "A.lem7.s19, first",
        eta + L * GAMMA * 2 * eta - D_T,
        because(near),
        because(summed, times=L * STEP),
        because("A.lem7.h5", times=1 + 2 * L * GAMMA),
    )
    proof.claim("A.lem7.s19", 2 * eta - D_T, because(first), half)
    proof.conclude(because(end), because("A.lem7.h5", times=2), search=True)
    return proof


def _prove_one_path(member: str) -> tuple[MachineForm, Point, str, str]:
    """One path; its distance from the start is d."""
    proof = _begin(member)
    here, x_0, x_T = _follow(proof, "x")
    start = proof.point("start", "f", x_0)
    move, turn, g = here.at - x_0, here.gradient - start.gradient, start.gradient
    d, d_next = proof.norm("d", move), proof.norm("d.next", move - STEP * here.gradient)
    proof.sequence("j", d, d_next, 0, proof.norm("d.T", x_T - x_0))
    slope, _ = proof.norm("slope", g), proof.norm("norm.turn", turn)
    proof.sum("D", "j", d), proof.sum("turns", "j", TURN)
    error = proof.norm("e", move + COUNT * STEP * g)
    proof.norm("e.next", move + (COUNT + 1) * STEP * g - STEP * here.gradient)
    proof.sequence("j", error, Scalar("e.next"), 0, proof.norm("e.T", x_T - x_0 + GAMMA * g))
    proof.reads = {
        client_gradient_norm: slope,
        local_drift: Scalar("D.last") / T,
        operator_error: Scalar("e.T"),
    }
    parts = [(move, d), (-STEP * turn, STEP * TURN), (-STEP * g, STEP * slope)]
    triangle = bound_norm_of_sum(proof, "triangle", d_next, parts)
    smooth = bound_norm_of_turn(proof, "smoothness", L, (d, TURN), (here, start))
    one = proof.claim(
        "one step", (1 + L * STEP) * d + STEP * slope - d_next, because(triangle), because(smooth, times=STEP)
    )
    return proof, here, *_prove_growth(proof, one, NOTHING, slope)


def _prove_statement_3() -> MachineForm:
    proof, here, _, summed = _prove_one_path("c3")
    slope, g = Scalar("slope"), atom("grad.start")
    (added, _), (split, _) = (
        _add_up(proof, "g", here.gradient),
        _add_up(proof, "g.split", here.gradient - g + g),
    )
    s10 = equate_squares(proof, "split", "j", STEP * added, STEP * split)
    proof.claim("A.lem7.s10", square(STEP * added) - square(STEP * split), Equality(s10), relation="= 0")
    s12, _ = proof.induct(
        "A.lem7.s12, one", "j", L * STEP * Scalar("D") + STEP * COUNT * slope - D, because("one step")
    )
    proof.claim("A.lem7.s12", L * STEP * Scalar("D") + STEP * COUNT * slope - D, because(s12))
    total = Scalar("D.last")
    rest = because("another step", times=STEP * slope), Summand(STEP * slope)
    so_far = because(_bound_by_all(proof), times=L * STEP)
    most = L * STEP * total + GAMMA * slope
    proof.claim("A.lem7.s13", most - D, because("A.lem7.s12"), so_far, *rest)
    _, added_up = proof.induct("A.lem7.s13, added up", "j", COUNT * most - Scalar("D"), because("A.lem7.s13"))
    proof.claim("A.lem7.s14", L * GAMMA * total + GAMMA * T * slope - total, because(added_up))
    proof.claim(
        "A.lem7.s15",
        2 * GAMMA * T * slope - Scalar("D.last"),
        because(summed),
        Summand(GAMMA * T * slope),
        Summand(GAMMA * slope),
    )
    proof.conclude(because("A.lem7.s15", times=1 / T), search=True)
    return proof


def _prove_statement_5() -> MachineForm:
    proof, here, end, summed = _prove_one_path("c5")
    error, slope, g, w = Scalar("e"), Scalar("slope"), atom("grad.start"), atom("x.0")
    turn = here.gradient - g
    (first, all_first), (added, all_added) = _add_up(proof, "g.0", g), _add_up(proof, "g", here.gradient)
    apart, ends = STEP * (added - first), (w - GAMMA * g - atom("x.T"), STEP * (all_added - all_first))
    s20 = equate_squares(proof, "results", "j", w - COUNT * STEP * g - here.at, apart, ends)
    other = (w - STEP * all_first) - (w - STEP * all_added)
    proof.claim("A.lem7.s20", Scalar("e.T") ** 2 - square(other), Equality(s20), relation="= 0")
    before = here.at - w + COUNT * STEP * g
    parts = [(before, error), (-STEP * turn, STEP * TURN)]
    triangle = bound_norm_of_sum(proof, "triangle of the error", Scalar("e.next"), parts)
    proof.claim(
        "A.lem7.s21",
        2 * GAMMA * T * slope - (Scalar("D.last") + D_T),
        because(summed),
        because(end),
        because("domain of T", times=GAMMA * slope),
    )
    _, turned = proof.induct("turns, added up", "j", STEP * Scalar("turns") - error, because(triangle))
    proof.claim("A.lem7.s22", STEP * Scalar("turns.last") - Scalar("e.T"), because(turned))
    _, s23 = proof.induct(
        "A.lem7.s23",
        "j",
        L * STEP * Scalar("D") - error,
        because(triangle),
        because("smoothness", times=STEP),
    )
    proof.claim(
        "A.lem7.s24",
        2 * L * GAMMA**2 * slope - Scalar("e.T"),
        because(s23),
        because(summed, times=L * STEP),
        Summand(L * GAMMA**2 * slope),
        Summand(L * GAMMA * STEP * slope),
    )
    proof.conclude(because("A.lem7.s24"), search=True)
    return proof


C2, C3, C4, C5 = _prove_statement_2(), _prove_statement_3(), _prove_statement_4(), _prove_statement_5()
