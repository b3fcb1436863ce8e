"""Theorem 3 as amended, and the printed steps that keep a gradient from falling below half of the first."""

from collections.abc import Callable
from fractions import Fraction

from bounds.language.proof.expression import Scalar, Vector, atom, inner, over, square
from bounds.language.proof.form import DEFINITION, MachineForm, Point, Summand, a_square, because, fact
from bounds.language.proof.lemmas import bound_norm_of_sum, bound_norm_of_turn
from bounds.papers.dp_fedavg.notation import Delta_star_mean, least_of_gap_and_gradient, rho
from bounds.papers.dp_fedavg.proofs import clipped_round, frame, pairs_of_gradients
from bounds.papers.dp_fedavg.proofs.pairs_of_gradients import OWN

L, ETA, E, COUNT, D = (Scalar(name) for name in ("L", "eta", "E", "t_now", "d"))
SLOPE, LENGTH, TURN, U = Scalar("slope"), Scalar("length"), Scalar("turn"), Scalar("eta") * Scalar("L")
LEAST, ROOT = Scalar("smaller"), Scalar("root.7.32")
C_HAT, RHO, A, B = Scalar("C_hat"), Scalar("rho"), 2 * ETA * L * E, Scalar("b")


def _certify_steps() -> MachineForm:
    proof = MachineForm("dp_fedavg.theorem_3")
    proof.index("t"), proof.operator("i"), proof.operator("past")
    proof.positive("L", "E", "alpha", "rho", "C_hat")
    proof.let("eta", Scalar("rho") / (2 * Scalar("alpha") * L))
    proof.sequence("t", proof.scalar("t_now", ">=", ["t"]), COUNT + 1, 0, E)
    proof.assume("another step", E - COUNT - 1, source=DEFINITION)
    proof.condition("B.thm2.local_steps"), proof.domain("E")
    proof.function("f", ["i"], convex=True, smooth=L, lowest=proof.scalar("f_low", over=["i"]))
    first, y = proof.vector("w", ["past"]), proof.vector("y", ["t", *OWN])
    start, now = proof.point("start", "f", first), proof.point("now", "f", y)
    following = proof.point("next", "f", y - ETA * now.gradient)
    last = proof.point("end", "f", proof.vector("y.E", OWN))
    proof.path("t", now, following, start, last)
    proof.norm("length", now.gradient), proof.norm("slope", start.gradient)
    proof.norm("d", y - first), proof.norm("turn", now.gradient - start.gradient)
    proof.norm("d.next", following.at - first)
    proof.sequence("t", D, Scalar("d.next"), 0, proof.norm("d.E", last.at - first))
    pairs_of_gradients.declare(proof, start, now)
    star = _declare_smaller(proof, (first - last.at) / ETA)
    proof.reads, times = {rho: Scalar("rho")}, 1 / (8 * Scalar("alpha") * Scalar("rho"))
    small = proof.claim("B.thm3.u7", Fraction(1, 4) - U * E, because("B.thm2.local_steps", times=times))
    short = _prove_shrinking(proof, now, following, start)
    parts = [(now.gradient, LENGTH), (start.gradient - now.gradient, TURN)]
    triangle = bound_norm_of_sum(proof, "triangle", SLOPE, parts)
    proof.claim("B.thm3.eq61", LENGTH + TURN - SLOPE, because(triangle))
    smooth = bound_norm_of_turn(proof, "smoothness", L, (D, TURN), (now, start))
    proof.claim("B.thm3.eq62", LENGTH + L * D - SLOPE, because("B.thm3.eq61"), because(smooth))
    parts = [(y - first, D), (-ETA * now.gradient, ETA * LENGTH)]
    one = bound_norm_of_sum(proof, "one step", Scalar("d.next"), parts)
    reasons = [because(one), because("B.thm3.u6", times=ETA)]
    moved, _ = proof.induct("moved", "t", ETA * COUNT * SLOPE - D, *reasons)
    near = LENGTH + 2 * U * COUNT * SLOPE - SLOPE
    proof.claim(
        "B.thm3.eq63", near, because("B.thm3.eq62"), because(moved, times=L), Summand(U * COUNT * SLOPE)
    )
    _prove_half(proof, small)
    _prove_length(proof, pairs_of_gradients.certify(proof, short))
    _prove_smaller(proof, start, star)
    return proof


def _declare_smaller(proof: MachineForm, update: Vector) -> Point:
    """Whether a client is not clipped, the smaller member of (51) for it, and the point w*."""
    proof.scalar("b", ">=", OWN), proof.scalar("smaller", over=OWN), proof.norm("norm.u", update)
    star = proof.point("star", "f", proof.vector("w_star"))
    gap, level = _list_members(Scalar("value.start") - star.value)
    proof.assume("b <= 1", 1 - B, source=DEFINITION)
    proof.assume("least, of the gap", gap - LEAST, source=DEFINITION)
    proof.assume("least, of the length", level - LEAST, source=DEFINITION)
    return star


def _list_members(gap: Scalar) -> tuple[Scalar, Scalar]:
    share = RHO * E / Scalar("alpha")
    return (2 - share - share**2) * gap, 3 * C_HAT / (8 * L * E) * Scalar("norm.u")


def _prove_smaller(proof: MachineForm, start: Point, star: Point) -> None:
    """u1 and u2."""
    gap, level = _list_members(start.value - star.value)
    parts = because("least, of the gap", times=B), because("b <= 1", "least, of the length")
    proof.claim("B.thm3.u1", B * gap + (1 - B) * level - LEAST, *parts)
    delta = star.value - Scalar("f_low")
    mean = over("i", delta) - over("past", over("i", B * delta))
    lowest = because("b <= 1", fact("lowest_value", star), over=["past", "i"])
    proof.claim("B.thm3.u2", mean, lowest)


def _prove_length(proof: MachineForm, update: Scalar) -> None:
    """(65), from (64) in (60)."""
    long = because("B.thm3.eq64", times=LENGTH + SLOPE / 2)
    _, squares = proof.induct("squares are long", "t", Scalar("squares") - COUNT * SLOPE**2 / 4, long)
    quarter, room = E**2 / 4 * SLOPE**2, ETA * L * E
    proof.claim(
        "B.thm3.eq65, first",
        update - quarter * (1 - 2 * room**2),
        because("B.thm3.eq60"),
        because(squares, times=E),
    )
    rest = because("B.thm3.u7", times=2 * quarter * (Fraction(1, 4) + room))
    proof.claim("B.thm3.eq65", update - 7 * E**2 / 32 * SLOPE**2, because("B.thm3.eq65, first"), rest)


def _prove_half(proof: MachineForm, small: str) -> None:
    """(64), as eta L t <= eta L E <= 1/4."""
    proof.claim(
        "B.thm3.eq64",
        LENGTH - SLOPE / 2,
        because("B.thm3.eq63"),
        because(small, times=2 * SLOPE),
        because("another step", times=2 * U * SLOPE),
        Summand(2 * U * SLOPE),
    )


def _prove_shrinking(proof: MachineForm, now: Point, following: Point, start: Point) -> str:
    """u6: no gradient is longer than the first. The claim 1 - eta L >= 0 is returned."""
    # eta L <= 1/4, as E >= 1
    short = proof.claim(
        "eta L <= 1", 1 - U, because("B.thm3.u7"), because("domain of E", times=U), Summand(Fraction(3, 4))
    )
    turned = pairs_of_gradients.prove_shrinking(proof, "now", short, now, following)
    shrunk = square(start.gradient) - square(now.gradient)
    all_squares, _ = proof.induct("squares", "t", shrunk, because(turned))
    proof.larger_square("B.thm3.u6", SLOPE, LENGTH, all_squares)
    return short


def _prove(
    proof: MachineForm, eta: Scalar, conditions: tuple[str, ...], prove_small: Callable[[Scalar], str]
) -> MachineForm:
    """The rounds of Theorem 2, with the smaller member of every client in the place of its indicators."""
    proof.positive("c_gamma"), proof.domain("alpha")
    rounds, K = frame.prepare(proof, eta, conditions, prove_small), Scalar("K")
    proof.root("root.7.32", Scalar("7/32"))

    def prove_limits(delta: Scalar, before: Scalar, after: Scalar) -> None:
        proof.norm("slope", atom("grad.start")), proof.scalar("smaller", over=["i", rounds.k, rounds.past])
        gap, level = Scalar("value.start") - Scalar("value.star"), Fraction(3, 16) * ROOT * C_HAT / L * SLOPE
        proof.assume("least, of the gap", gap - LEAST, source=DEFINITION)
        proof.assume("least, of the gradient", level - LEAST, source=DEFINITION)
        proof.assume("one of both", (gap - LEAST) * (level - LEAST), "= 0", source=DEFINITION)
        proof.assume("another step", E - COUNT - 1, source=DEFINITION)
        rounds.prove_limits(delta, before, after)

    found = clipped_round.describe(proof, (rounds.k, rounds.past), rounds.noise, prove_limits)
    delta = over("i", found.client.delta)
    recursion = _prove_recursion(proof, found, _prove_long(proof, found), rounds.noise)
    parts = {"least": over("i", LEAST), "delta": delta}
    all_rounds, sums = rounds.add_up(recursion, parts, _gain)
    least_K, deltas = sums["least"][1], sums["delta"][0]
    _, same = proof.induct("sum of Delta", rounds.k, rounds.count * delta - deltas)
    proof.reads |= {least_of_gap_and_gradient: least_K / K, Delta_star_mean: delta}
    unit = 1 / (ETA * E * K)
    divided = proof.claim(
        "divided by the rounds",
        unit * (rounds.start**2 + K * ETA**2 * rounds.noise) + A * delta - (2 - A) * least_K / K,
        because(all_rounds, times=unit),
        Summand(rounds.mean_K * unit),
        because(same, times=A / K),
    )
    _conclude(proof, divided, rounds.start, delta, least_K / K)
    return proof


def _conclude(proof: MachineForm, divided: str, start: Scalar, delta: Scalar, least: Scalar) -> None:
    """Divide by 2 - a, which is at least 3/2."""
    proof.claim("mean Delta >= 0", delta, because(["lowest_value", "star"], over=["i"]))
    by_gamma, by_delta = Scalar("c_gamma") * C_HAT * start * RHO, E * RHO * delta
    right = Fraction(4, 3) * by_gamma + Fraction(2, 3) * by_delta
    rest = proof.search(
        "what is left of the right side",
        (2 - A) * (right - least),
        because(divided),
        because("B.thm3.gamma"),
        because("B.thm3.gamma_below"),
        because("domain of alpha", "mean Delta >= 0"),
        because("eta L E <= 1/4", times=by_gamma),
        because("eta L E <= 1/4", "mean Delta >= 0"),
    )
    proof.claim("divided by 2 - a", right - least, because(rest), times=Summand(1, ("2 - a > 0",)))
    proof.conclude(because("divided by 2 - a"), search=True)


def _gain(least: Scalar, delta: Scalar) -> Scalar:
    """eta E ((2 - a) least - a delta), with a = 2 eta L E."""
    return clipped_round.gain(least, Scalar("0"), delta)


def _prove_long(proof: MachineForm, found: clipped_round.ClippedRound) -> str:
    """||u|| is at least the root of 7/32 times E ||grad f(w)||, as no gradient leaves the first far."""
    start, g, u = found.steps.start, atom("grad.now"), found.steps.update
    g0, moved = start.gradient, (start.at - atom("y")) / ETA
    size, quarter, part = square(g0), Fraction(1, 4), Fraction(15, 32)
    few = [because("another step", times=U), Summand(U)]
    proof.claim("eta L t <= 1/4", quarter - U * COUNT, because("eta L E <= 1/4"), *few)
    squares = COUNT * size - Scalar("squares")
    proof.induct("squares of gradients", "t", squares, because(found.steps.shrunk))
    near = proof.claim(
        "near the first gradient",
        size / 16 - square(g - g0),
        because(["lipschitz_gradient", "now", "start"]),
        because(found.steps.long, times=U**2),
        because("squares of gradients, at every member", times=U**2 * COUNT),
        because("eta L t <= 1/4", times=size * (quarter + U * COUNT)),
    )
    along = inner(moved, g0) - part * COUNT * size
    proof.induct(
        "along the first gradient",
        "t",
        along,
        because(near, times=Fraction(1, 2)),
        a_square(g, times=Fraction(1, 2)),
    )
    squared = proof.claim(
        "length of the update, squared",
        square(u) - Fraction(7, 32) * E**2 * size,
        a_square(u - part * E * g0),
        because("along the first gradient", times=2 * part * E),
        a_square(g0, times=E**2 / 1024),
    )
    return proof.larger_square("length of the update", Scalar("norm.u"), ROOT * E * SLOPE, squared)


def _prove_recursion(proof: MachineForm, found: clipped_round.ClippedRound, long: str, noise: Scalar) -> str:
    """What a round gains by the smaller member, where b is 1 and where it is 0."""
    c, unit, level = found.client, Fraction(3, 8) * C_HAT / L, Fraction(3, 16) * ROOT * C_HAT / L * SLOPE
    proof.claim(
        "2 - a > 0", 2 - A, because("eta L E <= 1/4", times=2), Summand(Fraction(3, 2)), relation="> 0"
    )
    each = proof.claim(
        "the smaller member",
        (2 - A) * (c.b * c.gap - LEAST) + unit * (1 - c.b) * c.n / E,
        because("2 - a > 0", "least, of the gap", times=c.b),
        because("2 - a > 0", "b <= 1", "least, of the gradient"),
        because("b <= 1", long, times=unit / E),
        because("b <= 1", times=A * level),
    )
    away = square(c.away)
    after = over("S", square(c.away - ETA * atom("a")))
    return proof.claim(
        "one round of the smaller members",
        away - after + ETA**2 * noise - _gain(over("i", LEAST), over("i", c.delta)),
        because(found.recursion),
        because(each, times=ETA * E, over=["i"]),
        because("b <= 1", fact("lowest_value", found.steps.star), times=ETA * E * A, over=["i"]),
    )


PRINTED = _certify_steps()
AMENDED = frame.prove_specific_form(
    _prove,
    MachineForm("dp_fedavg.theorem_3", "amended"),
    ("B.thm2.threshold", "B.thm2.local_steps", "B.thm3.gamma", "B.thm3.gamma_below"),
)
