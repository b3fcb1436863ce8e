"""Lemma 4: the move of the local steps, by the printed steps but for their induction.

The printed one inserts the bound at all earlier steps; here (1 - t u) d is at most what the steps have added,
with u = eta L.
"""

from bounds.language.proof.expression import Scalar, square
from bounds.language.proof.form import DEFINITION, MachineForm, Point, Summand, because
from bounds.language.proof.lemmas import bound_norm_of_sum, bound_norm_of_turn
from bounds.papers.dp_fedavg.notation import local_move, round_gradient_norm

L, ETA, TAU, COUNT = (Scalar(name) for name in ("L", "eta", "tau", "t_now"))
D, LENGTH, SLOPE, TURN = (Scalar(name) for name in ("d", "length", "slope", "turn"))
LAST, U = Scalar("d.tau"), ETA * L


def _prove() -> MachineForm:
    proof = MachineForm("dp_fedavg.lemma_4.distance")
    proof.index("t"), proof.positive("L", "eta", "tau", "E")
    proof.sequence("t", proof.scalar("t_now", ">=", ["t"]), COUNT + 1, 0, TAU)
    proof.assume("another step", TAU - COUNT - 1, source=DEFINITION)
    proof.condition("B.lem4"), proof.condition("B.alg1"), proof.function("f", smooth=L)
    first, y = proof.vector("w"), proof.vector("y", ["t"])
    start, now = proof.point("start", "f", first), proof.point("now", "f", y)
    last = proof.vector("y.tau")
    proof.sequence("t", y, y - ETA * now.gradient, first, last)
    proof.norm("d", y - first), proof.norm("d.next", y - ETA * now.gradient - first)
    proof.sequence("t", D, Scalar("d.next"), 0, proof.norm("d.tau", last - first))
    proof.norm("length", now.gradient), proof.norm("slope", start.gradient)
    proof.norm("turn", now.gradient - start.gradient), proof.norm("first", ETA * start.gradient)
    proof.reads = {local_move: LAST, round_gradient_norm: SLOPE}
    _prove_sums(proof, start, now)
    _prove_claim(proof)
    _prove_induction_step(proof)
    proof.conclude(because("B.lem4.u3 (2)"), search=True)
    return proof


def _prove_sums(proof: MachineForm, start: Point, now: Point) -> None:
    """(101) to (103)."""
    turn, move = now.gradient - start.gradient, now.at - start.at
    parts = [(move, D), (-ETA * now.gradient, ETA * LENGTH)]
    one = bound_norm_of_sum(proof, "one step", Scalar("d.next"), parts)
    _, lengths = proof.sum("lengths", "t", LENGTH)
    _, all_moves = proof.induct("moved in all", "t", ETA * Scalar("lengths") - D, because(one))
    proof.claim("B.lem4.eq101", ETA * lengths - LAST, because(all_moves))
    same = square(now.gradient) - square(turn + start.gradient)
    proof.claim("B.lem4.u1", same, relation="= 0")
    parts = [(start.gradient, SLOPE), (turn, TURN)]
    proof.claim("B.lem4.u2", SLOPE + TURN - LENGTH, because(bound_norm_of_sum(proof, "split", LENGTH, parts)))
    smooth = bound_norm_of_turn(proof, "smoothness", L, (D, TURN), (now, start))
    slower = proof.claim("B.lem4.eq102", SLOPE + L * D - LENGTH, because("B.lem4.u2"), because(smooth))
    _, moves = proof.sum("moves", "t", D)
    far = COUNT * SLOPE + L * Scalar("moves") - Scalar("lengths")
    _, added = proof.induct("lengths, added up", "t", far, because(slower))
    proof.claim(
        "B.lem4.eq103",
        ETA * TAU * SLOPE + ETA * L * moves - LAST,
        because("B.lem4.eq101"),
        because(added, times=ETA),
    )
    grown = (1 + U) * D + ETA * SLOPE - Scalar("d.next")
    proof.claim("grown", grown, because(one), because(slower, times=ETA))


def _prove_claim(proof: MachineForm) -> None:
    """u3, at every step and at the last: d is at most twice t eta slope, as t u <= 1/2."""
    E = Scalar("E")
    half = proof.claim(
        "2 u tau <= 1",
        1 - 2 * U * TAU,
        because("B.lem4", times=1 / (2 * E * L)),
        because("B.alg1", times=2 * U),
    )
    room = proof.claim(
        "1 - (t + 1) u >= 0",
        1 - (COUNT + 1) * U,
        because(half, times=Scalar("1/2")),
        because("another step", times=U),
        Summand(Scalar("1/2")),
    )
    near, near_tau = proof.induct(
        "near",
        "t",
        ETA * COUNT * SLOPE - (1 - COUNT * U) * D,
        because("grown", room),
        Summand((COUNT + 1) * U**2 * D),
        Summand(ETA * (COUNT + 1) * U * SLOPE),
    )
    proof.claim(
        "B.lem4.u3",
        2 * ETA * COUNT * SLOPE - D,
        because(near, times=2),
        because(half, times=D),
        because("another step", times=2 * U * D),
        Summand(2 * U * D),
    )
    last = 2 * ETA * TAU * SLOPE - LAST
    proof.claim("B.lem4.u3 (2)", last, because(near_tau, times=2), because(half, times=LAST))
    twice = proof.claim(
        "first step, squared", (2 * ETA * SLOPE) ** 2 - Scalar("first") ** 2, Summand(3 * ETA**2 * SLOPE**2)
    )
    proof.larger_square("B.lem4.u4", 2 * ETA * SLOPE, Scalar("first"), twice)


def _prove_induction_step(proof: MachineForm) -> None:
    """u5 to u7, from the claim at the earlier steps."""
    _, earlier = proof.sum("earlier", "t", COUNT)
    proof.induct("claims", "t", 2 * ETA * SLOPE * Scalar("earlier") - Scalar("moves"), because("B.lem4.u3"))
    proof.claim(
        "B.lem4.u5",
        ETA * TAU * SLOPE + ETA * L * 2 * ETA * SLOPE * earlier - LAST,
        because("B.lem4.eq103"),
        because("claims", times=ETA * L),
    )
    proof.induct("2 + 4 + ... <= t^2", "t", COUNT**2 - 2 * Scalar("earlier"), Summand(1))
    bound = ETA * TAU * SLOPE + ETA * L * ETA * TAU**2 * SLOPE - LAST
    sums = because("2 + 4 + ... <= t^2", times=ETA**2 * L * SLOPE)
    proof.claim("B.lem4.u6", bound, because("B.lem4.u5"), sums)
    proof.claim("B.lem4.u7", bound, because("B.lem4.u6"))


DISTANCE = _prove()
