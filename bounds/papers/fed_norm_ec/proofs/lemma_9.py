"""Lemma 9 as amended: passes over the data points of a client from two points, and one against a step.

A sum over the steps so far is at most that over all, which an induction from the last step backward shows.
"""

from bounds.language.proof.expression import ZERO, Scalar, Vector, over, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Point, Summand, because
from bounds.language.proof.lemmas import bound_norm_of_sum, bound_norm_of_turn, equate_squares
from bounds.papers.fed_norm_ec.notation import (
    ig_drift,
    ig_path_move,
    local_result_move,
    mean_ig_operator_error,
    server_move,
)

L, GAMMA, N, ETA, COUNT = (Scalar(name) for name in ("L", "gamma", "N", "eta", "j_now"))
D, ALL, D_0, TURN = Scalar("D"), Scalar("D.last"), Scalar("d.0"), Scalar("turn")
STEP = GAMMA / N


def _begin(member: str, *operators: str) -> MachineForm:
    proof = MachineForm(f"fed_norm_ec.lemma_9.{member}", "amended")
    for name in operators:
        proof.operator(name)
    proof.index("j")
    proof.positive("L", "gamma", "N")
    proof.sequence("j", proof.scalar("j_now", ">=", ["j"]), COUNT + 1, 0, N)
    proof.assume("another step", N - COUNT - 1, source=DEFINITION)
    proof.function("f", [*operators, "j"], smooth=L)
    return proof


def _follow(
    proof: MachineForm, name: str, start: Vector, *operators: str
) -> tuple[Point, tuple[Vector, Vector]]:
    """The iterate of a pass, and the sums of its gradients: those before the step, and all."""
    x = proof.vector(name, [*operators, "j"])
    now = proof.point(f"at.{name}", "f", x)
    proof.sequence("j", x, x - STEP * now.gradient, start, proof.vector(f"{name}.N", operators))
    sums = Vector(((f"G.{name}", Scalar("1")),))
    return now, proof.vector_recursion(f"G.{name}", "j", sums + now.gradient, ZERO, operators)


def _declare_two_paths(member: str) -> tuple[MachineForm, tuple[Point, Point], tuple[Vector, Vector]]:
    """The iterates of both passes, and the distance of their results, which are defined by the sums."""
    proof = _begin(member)
    proof.positive("eta"), proof.condition("A.lem9.h4")
    x_0, y_0 = proof.vector("x.0"), proof.vector("y.0")
    (here, own), (there, other) = _follow(proof, "x", x_0), _follow(proof, "y", y_0)
    move, turn = there.at - here.at, there.gradient - here.gradient
    proof.sequence(
        "j",
        proof.norm("d", move),
        proof.norm("d.next", move - STEP * turn),
        proof.norm("d.0", y_0 - x_0),
        proof.norm("d.N", Vector((("y.N", Scalar("1")), ("x.N", Scalar("-1"))))),
    )
    proof.norm("turn", turn), proof.sum("D", "j", Scalar("d")), proof.sum("turns", "j", TURN)
    proof.reads = {server_move: D_0, ig_path_move: ALL / N}
    proof.condition("A.lem9.h5")
    return (
        proof,
        (here, there),
        (y_0 - x_0 - STEP * (other[0] - own[0]), y_0 - x_0 - STEP * (other[1] - own[1])),
    )


def _bound_by_all(proof: MachineForm) -> str:
    """The distances so far add up to at most those of all steps."""
    return proof.induct("so far", "j", ALL - D, Summand(Scalar("d")), backward=True)[0]


def _prove_paths(proof: MachineForm, points: tuple[Point, Point]) -> str:
    """The mean distance of the iterates is at most 2 d.0."""
    here, there = points
    move, turn = there.at - here.at, there.gradient - here.gradient
    triangle = bound_norm_of_sum(
        proof, "triangle", Scalar("d.next"), [(move, Scalar("d")), (-STEP * turn, STEP * TURN)]
    )
    smooth = bound_norm_of_turn(proof, "smoothness", L, (Scalar("d"), TURN), (there, here))
    near, _ = proof.induct(
        "s3", "j", D_0 + L * STEP * D - Scalar("d"), because(triangle), because(smooth, times=STEP)
    )
    proof.claim("A.lem9.s3", D_0 + L * STEP * D - Scalar("d"), because(near))
    most = _bound_by_all(proof)
    bound = D_0 + L * STEP * ALL
    proof.claim("A.lem9.s4", bound - Scalar("d"), because("A.lem9.s3"), because(most, times=L * STEP))
    _, summed = proof.induct("summed", "j", COUNT * bound - D, because("A.lem9.s4"))
    proof.claim("A.lem9.s6", bound - ALL / N, because(summed, times=1 / N))
    half = proof.claim("2 L gamma <= 1", 1 - 2 * L * GAMMA, because("A.lem9.h4", times=1 / (2 * L)))
    above = proof.claim(
        "1 - L gamma > 0",
        1 - L * GAMMA,
        because(half, times=Scalar("1/2")),
        Summand(Scalar("1/2")),
        relation="> 0",
    )
    room = proof.named("room", 1 - L * GAMMA, above)
    definition = Equality("definition of room", -ALL / N)
    proof.claim("A.lem9.s7", D_0 / room - ALL / N, because("A.lem9.s6"), definition, times=room)
    definition = Equality("definition of room", 2 * D_0)
    proof.claim("A.lem9.s8", 2 * D_0 - D_0 / room, because(half, times=D_0), definition, times=room)
    return proof.claim("mean distance", 2 * D_0 - ALL / N, because("A.lem9.s7"), because("A.lem9.s8"))


def _prove_statement_2() -> MachineForm:
    proof, points, (sums, _) = _declare_two_paths("c2")
    same = equate_squares(proof, "paths", "j", points[1].at - points[0].at, sums)
    proof.claim("A.lem9.s2", Scalar("d") ** 2 - square(sums), Equality(same), relation="= 0")
    proof.conclude(because(_prove_paths(proof, points)), because("A.lem9.h5", times=2), search=True)
    return proof


def _prove_statement_3() -> MachineForm:
    proof, points, (before, result) = _declare_two_paths("c3")
    turn = points[1].gradient - points[0].gradient
    proof.sequence(
        "j",
        proof.norm("r", before),
        proof.norm("r.next", before - STEP * turn),
        D_0,
        proof.norm("r.N", result),
    )
    proof.reads[local_result_move] = moved = Scalar("r.N")
    mean = _prove_paths(proof, points)
    proof.claim("A.lem9.s10", moved**2 - square(result), relation="= 0")
    parts = [(before, Scalar("r")), (-STEP * turn, STEP * TURN)]
    triangle = bound_norm_of_sum(proof, "triangle of the results", Scalar("r.next"), parts)
    _, far = proof.induct("results", "j", D_0 + STEP * Scalar("turns") - Scalar("r"), because(triangle))
    turns = Scalar("turns.last")
    proof.claim("A.lem9.s11", D_0 + STEP * turns - moved, because(far))
    _, smooth = proof.induct("smoothness of the steps", "j", L * D - Scalar("turns"), because("smoothness"))
    proof.claim(
        "A.lem9.s12", D_0 + L * STEP * ALL - moved, because("A.lem9.s11"), because(smooth, times=STEP)
    )
    proof.claim("A.lem9.s13", ETA + L * STEP * ALL - moved, because("A.lem9.s12"), because("A.lem9.h5"))
    proof.claim(
        "A.lem9.s14",
        ETA + GAMMA * L * 2 * ETA - moved,
        because("A.lem9.s13"),
        because(mean, times=GAMMA * L),
        because("A.lem9.h5", times=2 * GAMMA * L),
    )
    proof.claim("A.lem9.s15", 2 * ETA - moved, because("A.lem9.s14"), because("2 L gamma <= 1", times=ETA))
    proof.conclude(because("A.lem9.s15"), search=True)
    return proof


def _prove_statement_4() -> MachineForm:
    """The result of a pass and one step from the same point, for every client and in the mean."""
    proof = _begin("c4", "i")
    w = proof.vector("w")
    here, (now, all_now) = _follow(proof, "x", w, "i")
    start = proof.point("start", "f", w)
    own = Vector((("G.start", Scalar("1")),)) + start.gradient
    first, all_first = proof.vector_recursion("G.start", "j", own, ZERO, ["i"])
    far, turn = proof.norm("d", here.at - w), here.gradient - start.gradient
    proof.norm("turn", turn), proof.sum("D", "j", far, ["i"]), proof.sum("turns", "j", TURN, ["i"])
    apart = first - now
    proof.sequence(
        "j",
        proof.norm("r", STEP * apart),
        proof.norm("r.next", STEP * (apart - turn)),
        0,
        proof.norm("r.N", STEP * (all_first - all_now)),
    )
    error, gradient = Scalar("r.N"), all_first / N
    proof.reads = {ig_drift: over("i", ALL) / N, mean_ig_operator_error: over("i", error)}
    result = w - STEP * all_now
    proof.claim("A.lem9.s16", error**2 - square(result - (w - GAMMA * gradient)), relation="= 0")
    proof.claim("A.lem9.s17", error**2 - square(GAMMA * (all_now / N - gradient)), relation="= 0")
    proof.claim("A.lem9.s18", error**2 - square(GAMMA * (all_now / N - all_first / N)), relation="= 0")
    parts = [(STEP * apart, Scalar("r")), (-STEP * turn, STEP * TURN)]
    triangle = bound_norm_of_sum(proof, "triangle", Scalar("r.next"), parts)
    smooth = bound_norm_of_turn(proof, "smoothness", L, (far, TURN), (here, start))
    _, bound = proof.induct("errors", "j", STEP * Scalar("turns") - Scalar("r"), because(triangle))
    proof.claim("A.lem9.s19", STEP * Scalar("turns.last") - error, because(bound))
    _, summed = proof.induct("smoothness of the steps", "j", L * D - Scalar("turns"), because(smooth))
    proof.claim("A.lem9.s20", L * STEP * ALL - error, because("A.lem9.s19"), because(summed, times=STEP))
    mean = over("i", GAMMA * L * ALL / N)
    proof.claim("A.lem9.s21", mean - over("i", error), because("A.lem9.s20", over=["i"]))
    taken = GAMMA * L * over("i", ALL) / N
    proof.claim("A.lem9.s22", taken - over("i", error), because("A.lem9.s21"))
    proof.conclude(because("A.lem9.s22"), search=True)
    return proof


C2_AMENDED, C3_AMENDED, C4_AMENDED = _prove_statement_2(), _prove_statement_3(), _prove_statement_4()
