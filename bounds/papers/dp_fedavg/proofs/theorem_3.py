"""Theorem 3: the printed steps that keep a gradient from falling below half of the first."""

from fractions import Fraction

from bounds.language.proof.expression import Scalar, square
from bounds.language.proof.form import DEFINITION, MachineForm, Point, Summand, a_square, because, fact
from bounds.language.proof.lemmas import bound_norm_of_sum, bound_norm_of_turn
from bounds.papers.dp_fedavg.notation import rho

L, ETA, E, COUNT, D = (Scalar(name) for name in ("L", "eta", "E", "t_now", "d"))
SLOPE, LENGTH, TURN, U = Scalar("slope"), Scalar("length"), Scalar("turn"), Scalar("eta") * Scalar("L")


def _certify_steps() -> MachineForm:
    proof = MachineForm("dp_fedavg.theorem_3")
    proof.index("t"), proof.positive("L", "E", "alpha", "rho")
    proof.let("eta", Scalar("rho") / (2 * Scalar("alpha") * L))
    proof.sequence("t", proof.scalar("t_now", ">=", ["t"]), COUNT + 1, 0, E)
    proof.assume("another step", E - COUNT - 1, source=DEFINITION)
    proof.condition("B.thm2.local_steps"), proof.domain("E")
    proof.function("f", convex=True, smooth=L)
    first, y = proof.vector("w"), proof.vector("y", ["t"])
    start, now = proof.point("start", "f", first), proof.point("now", "f", y)
    following = proof.point("next", "f", y - ETA * now.gradient)
    last = proof.point("end", "f", proof.vector("y.E"))
    proof.path("t", now, following, start, last)
    proof.norm("length", now.gradient), proof.norm("slope", start.gradient)
    proof.norm("d", y - first), proof.norm("turn", now.gradient - start.gradient)
    proof.norm("d.next", following.at - first)
    proof.sequence("t", D, Scalar("d.next"), 0, proof.norm("d.E", last.at - first))
    proof.reads, times = {rho: Scalar("rho")}, 1 / (8 * Scalar("alpha") * Scalar("rho"))
    small = proof.claim("B.thm3.u7", Fraction(1, 4) - U * E, because("B.thm2.local_steps", times=times))
    _prove_shrinking(proof, now, following, start)
    parts = [(now.gradient, LENGTH), (start.gradient - now.gradient, TURN)]
    triangle = bound_norm_of_sum(proof, "triangle", SLOPE, parts)
    proof.claim("B.thm3.eq61", LENGTH + TURN - SLOPE, because(triangle))
    smooth = bound_norm_of_turn(proof, "smoothness", L, (D, TURN), (now, start))
    proof.claim("B.thm3.eq62", LENGTH + L * D - SLOPE, because("B.thm3.eq61"), because(smooth))
    parts = [(y - first, D), (-ETA * now.gradient, ETA * LENGTH)]
    one = bound_norm_of_sum(proof, "one step", Scalar("d.next"), parts)
    reasons = [because(one), because("B.thm3.u6", times=ETA)]
    moved, _ = proof.induct("moved", "t", ETA * COUNT * SLOPE - D, *reasons)
    far = Summand(U * COUNT * SLOPE)
    last_claim = LENGTH + 2 * U * COUNT * SLOPE - SLOPE
    proof.claim("B.thm3.eq63", last_claim, because("B.thm3.eq62"), because(moved, times=L), far)
    proof.claim(
        "B.thm3.eq64",
        LENGTH - SLOPE / 2,
        because("B.thm3.eq63"),
        because(small, times=2 * SLOPE),
        because("another step", times=2 * U * SLOPE),
        Summand(2 * U * SLOPE),
    )
    return proof


def _prove_shrinking(proof: MachineForm, now: Point, following: Point, start: Point) -> None:
    """u6: no gradient is longer than the first."""
    g, h = now.gradient, following.gradient
    # eta L <= 1/4, as E >= 1
    short = proof.claim(
        "eta L <= 1", 1 - U, because("B.thm3.u7"), because("domain of E", times=U), Summand(Fraction(3, 4))
    )
    turned = proof.claim(
        "one gradient after the other",
        square(g) - square(h),
        because(fact("co_coercive", now, following), times=2 / ETA),
        because(fact("co_coercive", following, now), times=2 / ETA),
        a_square(h - g, times=1 / U),
        a_square(h - g, short, times=1 / U),
    )
    all_squares, _ = proof.induct("squares", "t", square(start.gradient) - square(g), because(turned))
    proof.larger_square("B.thm3.u6", SLOPE, LENGTH, all_squares)


PRINTED = _certify_steps()
