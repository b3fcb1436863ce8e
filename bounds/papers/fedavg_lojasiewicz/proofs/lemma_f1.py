"""Lemma F.1: the printed steps up to the drift of an agent, and the one that averages over the agents.

The sums over h from 1 to H - 1 are taken from 0 on: at 0 the summands are 0.
"""

from fractions import Fraction

from bounds.language.assumptions import GRADIENT_DIVERGENCE, UNBIASED_NOISE
from bounds.language.proof.expression import ZERO, Scalar, Vector, atom, inner, over, square
from bounds.language.proof.form import Equality, MachineForm, Point, Summand, a_square, because, fact
from bounds.language.proof.lemmas import bound_square_of_sum, equate_squares

L, ETA, H, SIGMA, COUNT = (Scalar(name) for name in ("L", "eta", "H", "sigma", "h_now"))
THETA, Y, NOISE, TURN = atom("theta"), atom("y"), atom("noise"), atom("grad.start") - atom("grad.local")
DRAWN = ["c", "E"]
STEPS, TURNS, NOISES = atom("steps"), atom("turned"), atom("noises")  # sums of vectors, so far
SLOPE = square(atom("grad.start"))
MOVES, YOUNG, FIRST = Scalar("moves.last"), Scalar("of.turns.last"), atom("grad.start")
THIRD = 2 * Scalar("squared.numbers.last") * SLOPE + 4 * YOUNG + 4 * Scalar("numbers.last") * SIGMA**2


def _certify_steps() -> MachineForm:
    proof = _declare()
    add_numbers(proof)
    _prove_young(proof)
    _prove_drift(proof)
    mean = atom("gradient")
    size = 2 * square(mean) + 2 * Scalar("zeta") ** 2 - over("c", SLOPE)
    proof.claim("D.F1.s5", size, because("FL-3"), Summand(square(mean) + Scalar("zeta") ** 2))
    return proof


def _declare() -> MachineForm:
    """The local steps of an agent; a sum over l from 0 to h - 1 is one over the steps before the present."""
    proof = MachineForm("fedavg_lojasiewicz.lemma_f1")
    proof.operator("c"), proof.operator("E"), proof.index("h")
    proof.positive("L", "eta", "H"), proof.non_negative("sigma", "zeta"), proof.domain("H")
    proof.sequence("h", proof.scalar("h_now", ">=", ["h"]), COUNT + 1, 0, H)
    f, theta = proof.function("f", ["c"], smooth=L), proof.vector("theta")
    start = proof.point("start", f, theta)
    mean = proof.average("gradient", "c", start.gradient)
    near = Scalar("zeta") ** 2 - over("c", square(start.gradient - mean))
    proof.assume("FL-3", near, source=GRADIENT_DIVERGENCE.name)
    y, noise = proof.vector("y", ["h", *DRAWN]), proof.vector("noise", ["h", *DRAWN])
    local = proof.point("local", f, y)
    drawn = local.gradient + noise
    proof.sequence("h", y, y - ETA * drawn, theta, proof.vector("y_H", DRAWN))
    parts: tuple[tuple[Vector, Vector], ...] = ((STEPS, drawn), (TURNS, TURN), (NOISES, -noise))
    for total, part in parts:
        proof.vector_recursion(total.parts[0][0], "h", total + part, ZERO, DRAWN)
    proof.assume("FL-4", SIGMA**2 - over("E", square(noise)), source=UNBIASED_NOISE.name)
    new = over("E", inner(NOISES, noise))
    proof.assume("noise is new", new, "= 0", source=UNBIASED_NOISE.name)
    proof.sum("turns", "h", square(TURN), DRAWN)
    sums = {
        "moves": square(theta - y),
        "of.steps": square(STEPS),
        "of.slopes": square(COUNT * start.gradient),
        "of.turns": square(TURNS),
        "of.noises": square(NOISES),
    }
    for name, summand in sums.items():
        proof.sum(name, "h", over("E", summand), ["c"])
    return proof


def _prove_young(proof: MachineForm) -> None:
    """s2: the drift as a sum of squared sums, split by Young's inequality, and the noise by its mean of 0."""
    squares = equate_squares(proof, "path", "h", THETA - Y, ETA * STEPS)
    drift, exact = Scalar("moves") - ETA**2 * Scalar("of.steps"), Equality(squares, over=("E",))
    _, all_drift = proof.induct("drift", "h", drift, exact, relation="= 0")
    unit, steps = ETA**2 / H, Scalar("of.steps.last")
    proof.claim("D.F1.s2", (MOVES - ETA**2 * steps) / H, Equality(all_drift, 1 / H), relation="= 0")
    same = equate_squares(proof, "parts", "h", COUNT * FIRST - TURNS - NOISES, STEPS)
    sums = 2 * Scalar("of.slopes") + 4 * Scalar("of.turns") + 4 * Scalar("of.noises")
    _, young = proof.induct(
        "Young",
        "h",
        sums - Scalar("of.steps"),
        a_square(COUNT * FIRST + TURNS + NOISES, over=["E"]),
        a_square(TURNS - NOISES, times=2, over=["E"]),
        Equality(same, over=("E",)),
    )
    last = 2 * Scalar("of.slopes.last") + 4 * YOUNG + 4 * Scalar("of.noises.last")
    proof.claim("D.F1.s2 (2)", unit * (last - steps), because(young, times=unit))
    noise = COUNT * SIGMA**2 - over("E", square(NOISES))
    walk, _ = proof.induct("noises so far", "h", noise, because("FL-4"), Equality("noise is new", 2))
    numbers, squared = Scalar("numbers"), Scalar("squared.numbers")
    _, noises = proof.induct("noises added up", "h", numbers * SIGMA**2 - Scalar("of.noises"), because(walk))
    proof.induct("slopes added up", "h", squared * SLOPE - Scalar("of.slopes"), relation="= 0")
    exact = Equality("slopes added up", 2 * unit)
    proof.claim("D.F1.s2 (3)", unit * (THIRD - last), because(noises, times=4 * unit), exact)


def _prove_drift(proof: MachineForm) -> None:
    """s3, up to its first relation: smoothness, and the sums of h and of its squares."""
    unit = ETA**2 / H
    within, all_within = proof.sum("within", "h", COUNT * Scalar("moves"), ["c"])
    jensen, _ = bound_square_of_sum(proof, "turned", "h", COUNT, Scalar("turns"), TURNS, TURN)
    start, local = (
        Point(n, at, atom(f"grad.{n}"), Scalar(f"value.{n}")) for n, at in (("start", THETA), ("local", Y))
    )
    smooth = because(fact("lipschitz_gradient", start, local), over=["E"])
    far, _ = proof.induct("turns", "h", L**2 * Scalar("moves") - over("E", Scalar("turns")), smooth)
    reasons = because(jensen, over=["E"]), because(far, times=COUNT)
    _, added = proof.induct("turns added up", "h", L**2 * within - Scalar("of.turns"), *reasons)
    first = ETA**2 * (H - 1) ** 2 * SLOPE + 4 * ETA**2 * L**2 / H * all_within
    proof.claim(
        "D.F1.s3",
        first + 4 * ETA**2 * (H - 1) * SIGMA**2 - MOVES / H,
        Equality("D.F1.s2", -1),
        because("D.F1.s2 (2)"),
        because("D.F1.s2 (3)"),
        because(added, times=4 * unit),
        because("sum of the squares", times=2 * unit * SLOPE),
        Equality("sum of the numbers", -4 * unit * SIGMA**2),
        because("domain of H", times=2 * ETA**2 * SIGMA**2),
    )


def add_numbers(proof: MachineForm) -> None:
    """The sum of h, `numbers`, is H (H - 1)/2, and that of h^2 at most H (H - 1)^2/2."""
    proof.sum("numbers", "h", COUNT), proof.sum("squared.numbers", "h", COUNT**2)
    twos, threes = COUNT * (COUNT - 1), COUNT * (COUNT - 1) * (COUNT - 2)
    proof.induct("sum of the numbers", "h", Scalar("numbers") - twos / 2, relation="= 0")
    pairs, _ = proof.induct("h (h - 1) >= 0", "h", twos, Summand(2 * COUNT))
    _, triples = proof.induct("h (h - 1) (h - 2) >= 0", "h", threes, because(pairs, times=3))
    closed = twos * (2 * COUNT - 1) / 6
    proof.induct("sum of squares", "h", Scalar("squared.numbers") - closed, relation="= 0")
    most = H * (H - 1) ** 2 / 2 - Scalar("squared.numbers.last")
    exact = Equality("sum of squares", -1)
    proof.claim("sum of the squares", most, because(triples, times=Fraction(1, 6)), exact)


PRINTED = _certify_steps()
