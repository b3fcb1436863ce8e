"""The printed steps (52) to (60) of Theorem 3: the length of an update by the pairs of its gradients.

The later gradient of a pair is that of the present step t, and s counts the earlier steps up to it. What
stands
under a sum over pairs is added up over s for every t, and then over t. A sum from step s to t - 1 is the
whole
sum up to t without what is before s.
"""

from fractions import Fraction

from bounds.language.proof.expression import ZERO, Scalar, Vector, atom, inner, square
from bounds.language.proof.form import Equality, MachineForm, Point, Summand, a_square, because, fact
from bounds.language.proof.lemmas import bound_norm_of_sum, bound_norm_of_turn, equate_squares

L, ETA, E, COUNT, EARLIER = (Scalar(name) for name in ("L", "eta", "E", "t_now", "s_now"))
SLOPE, LENGTH, APART, NEARER = (Scalar(name) for name in ("slope", "length.s", "apart", "apart.next"))
W, Y, Z, G, G_S = atom("w"), atom("y"), atom("z"), atom("grad.now"), atom("grad.earlier")
LARGEST = ETA * L * E * SLOPE
OWN = ["i", "past"]
PLACES = (("earlier", Z), ("later", Z - ETA * G_S), ("now", Y))
TILL_T = ["t", *OWN]


def declare(proof: MachineForm, start: Point, now: Point) -> None:
    """The earlier steps, the lengths of their gradients and their distances from the present iterate."""
    proof.index("s")
    proof.sequence("s", proof.scalar("s_now", ">=", ["s"]), EARLIER + 1, 0, COUNT)
    earlier = proof.point("earlier", "f", proof.vector("z", ["s", *OWN]))
    later = proof.point("later", "f", Z - ETA * G_S)
    proof.path("s", earlier, later, start, now)
    proof.norm("length.s", G_S), proof.norm("length.s.next", later.gradient)
    proof.sequence("s", LENGTH, Scalar("length.s.next"), SLOPE, Scalar("length"))
    proof.norm("apart", Z - Y), proof.norm("apart.next", later.at - Y)
    proof.sequence("s", APART, NEARER, Scalar("d"), 0)
    proof.norm("turn.s", G_S - G)
    proof.sum("squares", "t", square(G), OWN)
    squares = proof.scalar("squares.s", over=["s", *OWN])
    proof.sequence("s", squares, squares + square(G_S), 0, Scalar("squares"))


def certify(proof: MachineForm, short: str) -> Scalar:
    """The update, squared, is returned. `short` is the claim 1 - eta L >= 0."""
    now, (total, last_total) = (W - Y) / ETA, proof.vector_recursion("sum", "t", atom("sum") + G, ZERO, OWN)
    update = (W - atom("y.E")) / ETA
    unrolled = equate_squares(proof, "update", "t", now, total, (update, last_total))
    proof.claim("B.thm3.eq52", square(update) - square(last_total), Equality(unrolled), relation="= 0")
    turns = _prove_expansion(proof, now)
    _prove_turn(proof, short)
    _prove_bounds(proof, square(update), turns)
    return square(update)


def _prove_expansion(proof: MachineForm, now: Vector) -> tuple[Scalar, Scalar]:
    """(53) and (54). The squared turns over all pairs so far, and those of the present step, are returned."""
    parts = square(G_S) + square(G) - square(G_S - G)
    half, own = proof.sum("pairs", "s", parts, TILL_T)
    turned, turns = proof.sum("turns", "s", square(G_S - G), TILL_T)
    pairs, _ = proof.sum("all.pairs", "t", own + square(G), OWN)  # both orders, and a gradient with itself
    apart, _ = proof.sum("all.turns", "t", turns, OWN)
    _, along = proof.induct("pairs of a step", "s", half - 2 * inner((W - Z) / ETA, G), relation="= 0")
    proof.induct("B.thm3.eq53", "t", square(now) - pairs, Equality(along, -1), relation="= 0")
    counted = half - Scalar("squares.s") - EARLIER * square(G) + turned
    _, counted_all = proof.induct("pairs of a step, counted", "s", counted, relation="= 0")
    expanded = pairs - (COUNT * Scalar("squares") - apart)
    proof.induct("B.thm3.eq54", "t", expanded, Equality(counted_all), relation="= 0")
    return turned, apart


def _prove_turn(proof: MachineForm, short: str) -> None:
    """(55) to (58), from an earlier step to the present one."""
    earlier, later, now = (Point(n, at, atom(f"grad.{n}"), Scalar(n)) for n, at in PLACES)
    added, lengths = (
        proof.vector_recursion("sum.s", "s", atom("sum.s") + G_S, ZERO, TILL_T),
        proof.sum("lengths", "s", LENGTH, TILL_T),
    )
    bound_norm_of_turn(proof, "B.thm3.eq55", L, (APART, Scalar("turn.s")), (earlier, now))
    between = ETA * (added[1] - added[0])
    moved = equate_squares(proof, "between", "s", Z - Y, between, backward=True)
    proof.claim("B.thm3.eq56", (L * APART) ** 2 - square(L * between), Equality(moved, L**2), relation="= 0")
    parts = [(later.at - Y, NEARER), (ETA * G_S, ETA * LENGTH)]
    triangle = because(bound_norm_of_sum(proof, "triangle to the present", APART, parts))
    so_far, all_lengths = lengths
    far, _ = proof.induct("far", "s", ETA * (all_lengths - so_far) - APART, triangle, backward=True)
    proof.claim("B.thm3.eq57", ETA * L * (all_lengths - so_far) - L * APART, because(far, times=L))
    shrinking = prove_shrinking(proof, "earlier", short, earlier, later)
    squares, _ = proof.induct("earlier squares", "s", SLOPE**2 - square(G_S), because(shrinking))
    shorter = proof.larger_square("an earlier gradient", SLOPE, LENGTH, squares)
    few, _ = proof.induct(
        "as many lengths",
        "s",
        (COUNT - EARLIER) * SLOPE - (all_lengths - so_far),
        because(shorter),
        backward=True,
    )
    first = proof.claim(
        "B.thm3.eq58, first",
        ETA * L * (COUNT - EARLIER) * SLOPE - Scalar("turn.s"),
        because("B.thm3.eq55"),
        because("B.thm3.eq57"),
        because(few, times=ETA * L),
    )
    rest = because("another step", times=ETA * L * SLOPE), Summand(ETA * L * SLOPE * (1 + EARLIER))
    proof.claim("B.thm3.eq58", LARGEST - Scalar("turn.s"), because(first), *rest)


def prove_shrinking(proof: MachineForm, name: str, short: str, here: Point, there: Point) -> str:
    """The squared gradient does not grow in a step."""
    g, h = here.gradient, there.gradient
    return proof.claim(
        f"one gradient after the other, {name}",
        square(g) - square(h),
        because(fact("co_coercive", here, there), times=2 / ETA),
        because(fact("co_coercive", there, here), times=2 / ETA),
        a_square(h - g, times=1 / (ETA * L)),
        a_square(h - g, short, times=1 / (ETA * L)),
    )


def _prove_bounds(proof: MachineForm, update: Scalar, turns: tuple[Scalar, Scalar]) -> None:
    """(59) and (60)."""
    turned, apart = turns
    one = because("B.thm3.eq58", times=LARGEST + Scalar("turn.s"))
    _, each = proof.induct("turns of a step", "s", EARLIER * LARGEST**2 - turned, one)
    bounds, all_bounds = proof.sum("bounds", "t", COUNT * LARGEST**2, OWN)
    _, all_turns = proof.induct("turns of all pairs", "t", bounds - apart, because(each))
    squares = E * Scalar("squares.last")
    exact = Equality("B.thm3.eq53"), Equality("B.thm3.eq54")
    proof.claim("B.thm3.eq59", update - (squares - all_bounds), *exact, because(all_turns))
    half = Fraction(1, 2)
    _, number = proof.induct(
        "number of pairs", "t", half * COUNT**2 * LARGEST**2 - bounds, Summand(half * LARGEST**2)
    )
    last = update - (squares - half * ETA**2 * L**2 * E**4 * SLOPE**2)
    proof.claim("B.thm3.eq60", last, because("B.thm3.eq59"), because(number))
