"""T local steps of a client, each along the gradient of one function: the same one, or that of a data point.

u = L gamma/T, and A = (1 + u)^j - 1 is what j steps add to a distance of 1. Two passes part by a factor of at
most 1 + u a step, so that what a pass sends is 4/3 L-Lipschitz.
"""

from fractions import Fraction

from bounds.language.proof.expression import Scalar, Vector
from bounds.language.proof.form import DEFINITION, MachineForm, Point, Summand, because
from bounds.language.proof.lemmas import bound_norm_of_sum, bound_norm_of_turn
from bounds.papers.fed_norm_ec.proofs.passes import Pass

L, GAMMA, T, COUNT = (Scalar(name) for name in ("L", "gamma", "T", "j_now"))
GROWTH, ADDED = Scalar("growth"), Scalar("growth.sum")
STEP = GAMMA / T
U, Q = L * STEP, L * GAMMA
ALL = ["i", "k", "E"]  # what a pass depends on
LONGEST, LESS = "domain of T", Scalar("T-1")


def count_steps(proof: MachineForm) -> str:
    """The index of the local steps."""
    j = proof.index("j")
    proof.sequence(j, proof.scalar("j_now", ">=", [j]), COUNT + 1, 0, T)
    proof.assume("another step", T - COUNT - 1, source=DEFINITION)
    proof.named("T-1", T - 1, proof.domain("T"))
    return j


def follow(proof: MachineForm, name: str, start: Vector, update: Vector) -> Point:
    """The iterate of the pass from a start; the update is P(start), the move of its result over gamma."""
    iterate = proof.vector(name, ["j", *ALL])
    now = proof.point(f"at.{name}", "f", iterate)
    proof.sequence("j", iterate, iterate - STEP * now.gradient, start, start - GAMMA * update)
    return now


def prove_growth(proof: MachineForm, short: str) -> None:
    """`growth added up`: 3/5 L gamma (T - 1) is at least the sum of A. `short` claims 1 - 2 L gamma >= 0."""
    proof.recursion("growth", "j", (1 + U) * GROWTH + U, 0, ">=")
    proof.recursion("growth.sum", "j", ADDED + GROWTH, 0, ">=")
    pairs, _ = proof.induct("j (j - 1) >= 0", "j", COUNT * (COUNT - 1), Summand(2 * COUNT))
    room = proof.claim(
        "1/2 - (j - 2) u >= 0",
        Scalar("1/2") - (COUNT - 2) * U,
        because(short, times=Scalar("1/2")),
        because("another step", times=U),
        Summand(3 * U),
    )
    twos, threes = COUNT * (COUNT - 1), COUNT * (COUNT - 1) * (COUNT - 2)
    grown, _ = proof.induct(
        "growth",
        "j",
        COUNT * U + twos * U**2 / 2 + threes * U**3 / 5 - GROWTH,
        because(pairs, room, times=U**3 / 5),
        times=1 + U,
    )
    _, added = proof.induct(
        "growth, term by term",
        "j",
        twos * U / 2 + threes * U**2 / 6 + threes * (COUNT - 3) * U**3 / 20 - ADDED,
        because(grown),
    )
    proof.claim(
        "growth added up",
        Fraction(3, 5) * Q * (T - 1) - Scalar("growth.sum.last"),
        because(added),
        because(LONGEST, times=Q / 240),
        because(LONGEST, short, times=Q * (23 + 6 * Q) / 240),
        because(LONGEST, LONGEST, times=Fraction(3, 10) * Q * U**2),
        because(LONGEST, short, times=Q * U / 40),
        because(LONGEST, times=Fraction(37, 120) * Q * U),
    )


def declare_move(proof: MachineForm, own: Pass, first: Vector, length: Scalar, change: Vector) -> None:
    """Two passes, from starts that differ by `first` to updates that differ by `change`.

    `apart` is their distance, and `parted` how much it differs from the first.
    """
    here, there = own.here, own.there
    move, turn = there.at - here.at, there.gradient - here.gradient
    parted = first - move
    d, d_next = proof.norm("apart", move), proof.norm("apart.next", move - STEP * turn)
    proof.sequence("j", d, d_next, length, proof.norm("apart.T", first - GAMMA * change))
    error, error_next = proof.norm("parted", parted), proof.norm("parted.next", parted + STEP * turn)
    proof.sequence("j", error, error_next, 0, GAMMA * proof.norm("change", change))
    proof.norm("turn", turn)


def prove_move(
    proof: MachineForm, here: Point, there: Point, first: Vector, length: Scalar, short: str
) -> str:
    """`4/3 L length - change >= 0`, where length is that of the first difference."""
    d, turn = Scalar("apart"), Scalar("turn")
    move, bend = there.at - here.at, there.gradient - here.gradient
    smooth = bound_norm_of_turn(proof, "smoothness of two", L, (d, turn), (there, here))
    triangle = bound_norm_of_sum(
        proof, "triangle of two", Scalar("apart.next"), [(move, d), (-STEP * bend, STEP * turn)]
    )
    one = proof.claim(
        "two, one step", (1 + U) * d - Scalar("apart.next"), because(triangle), because(smooth, times=STEP)
    )
    far, _ = proof.induct("two passes", "j", (1 + GROWTH) * length - d, because(one), times=1 + U)
    proof.sum("apart.sum", "j", d, ALL)
    summed = proof.induct(
        "two passes, added up", "j", (COUNT + ADDED) * length - Scalar("apart.sum"), because(far)
    )[1]
    parts = [(first - move, Scalar("parted")), (STEP * bend, STEP * turn)]
    triangle = bound_norm_of_sum(proof, "triangle of the difference", Scalar("parted.next"), parts)
    _, parted = proof.induct(
        "difference",
        "j",
        U * Scalar("apart.sum") - Scalar("parted"),
        because(triangle),
        because(smooth, times=STEP),
    )
    return proof.claim(
        "an update is 4/3 L-Lipschitz",
        Fraction(4, 3) * L * length - Scalar("change"),
        because(parted, times=1 / GAMMA),
        because(summed, times=U / GAMMA),
        because("growth added up", times=U / GAMMA * length),
        because(short, times=Fraction(3, 10) * L * length),
        Summand(L * length / 30),
        Summand(Fraction(3, 5) * L * U * length),
    )


def declare_drift(
    proof: MachineForm, here: Point, start: Point, mean: Vector, passed: Vector, update: Vector
) -> None:
    """One pass: its distance from the start, and the drift of its update from the mean gradient there.

    `passed` is what the gradients at the start would have moved by the present step.
    """
    moved, bend = here.at - start.at, here.gradient - start.gradient
    far, far_next = proof.norm("far", moved), proof.norm("far.next", moved - STEP * here.gradient)
    proof.sequence("j", far, far_next, 0, proof.norm("far.T", GAMMA * update))
    bent = moved + STEP * passed
    error, error_next = proof.norm("bent", bent), proof.norm("bent.next", bent - STEP * bend)
    proof.sequence("j", error, error_next, 0, GAMMA * proof.norm("drift", mean - update))
    proof.norm("slope", start.gradient), proof.norm("bend", bend)


def prove_drift(proof: MachineForm, here: Point, start: Point, passed: Vector) -> tuple[str, str]:
    """`(1 + u) far + gamma/T slope - far.next >= 0`, and `u far.sum - gamma drift >= 0`."""
    far, slope, bend = Scalar("far"), Scalar("slope"), Scalar("bend")
    moved, turn = here.at - start.at, here.gradient - start.gradient
    smooth = bound_norm_of_turn(proof, "smoothness of one", L, (far, bend), (here, start))
    parts = [(moved, far), (-STEP * turn, STEP * bend), (-STEP * start.gradient, STEP * slope)]
    triangle = bound_norm_of_sum(proof, "triangle of one", Scalar("far.next"), parts)
    one = proof.claim(
        "one, one step",
        (1 + U) * far + STEP * slope - Scalar("far.next"),
        because(triangle),
        because(smooth, times=STEP),
    )
    proof.recursion("far.sum", "j", lambda total: total + far, 0, ">=", ALL)
    parts = [(moved + STEP * passed, Scalar("bent")), (-STEP * turn, STEP * bend)]
    triangle = bound_norm_of_sum(proof, "triangle of the drift", Scalar("bent.next"), parts)
    reasons = [because(triangle), because(smooth, times=STEP)]
    _, bent = proof.induct("drift, step by step", "j", U * Scalar("far.sum") - Scalar("bent"), *reasons)
    return one, bent
