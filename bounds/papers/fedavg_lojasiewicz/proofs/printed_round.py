"""The printed bounds (A) and (B) of a round, D.F2.s6 to s12c, as far as they are true.

From s11 on the printed sums go over h from 1 to H: `late` is such a sum, of the gradients one step later.
"""

from fractions import Fraction

from bounds.language.assumptions import UNBIASED_NOISE
from bounds.language.proof.expression import ZERO, Scalar, Vector, atom, inner, over, square
from bounds.language.proof.form import Equality, MachineForm, Summand, a_square, because
from bounds.language.proof.lemmas import bound_square_of_sum
from bounds.papers.fedavg_lojasiewicz.proofs.lemma_f1 import add_numbers
from bounds.papers.fedavg_lojasiewicz.proofs.one_round import (
    AT_LEAST_ONE,
    COUNT,
    ETA,
    FAR,
    SIGMA,
    SMALL,
    SPREAD,
    ZETA,
    H,
    L,
    M,
    Mean,
    Round,
    Steps,
    U,
)

DRAWN = ["c", "E"]
G0, GRADIENT, NEXT = atom("grad.start"), atom("gradient"), atom("theta.next")
DRAWS, EXACT, EXPECTED = atom("late.c"), atom("late.exact.c"), atom("late.E.c")  # means over the agents
MIDDLE = atom("theta.next.E")


def declare(proof: MachineForm, steps: Steps, mean: Mean) -> None:
    """The means of the gradients and of the later ones, which s7 and s11 need."""
    noise, y = atom("noise"), steps.local.at
    drawn = steps.local.gradient + noise
    later = proof.point("later", "f", y - ETA * drawn)
    again = proof.vector("noise.next", ["h", *DRAWN])
    proof.mean_is("E", again, ZERO, source=UNBIASED_NOISE.name)
    expected = proof.average("local.E", "E", steps.local.gradient)
    _, sums = proof.vector_recursion("sum", "h", atom("sum") + drawn, ZERO, DRAWN)
    _, late = proof.vector_recursion("late", "h", atom("late") + later.gradient + again, ZERO, DRAWN)
    _, exact = proof.vector_recursion("late.exact", "h", atom("late.exact") + later.gradient, ZERO, DRAWN)
    total, turn = atom("expected.turns"), expected - steps.start.gradient
    _, turns = proof.vector_recursion("expected.turns", "h", total + turn, ZERO, ["c"])
    proof.average("sum.c", "c", proof.average("sum.E", "E", sums))
    proof.average("late.c", "c", late), proof.average("late.exact.c", "c", exact)
    proof.average("late.E.c", "c", proof.average("late.E", "E", exact))
    proof.average("turns.c", "c", turns)
    proof.sum("squared.turns", "h", square(turn), ["c"])
    proof.sum("late.moves", "h", over("E", square(later.at - steps.start.at)), ["c"])


def certify(proof: MachineForm, found: Round) -> None:
    steps, error = found.steps, found.mean.error(found.steps.start)
    _prove_first_term(proof, steps, error)
    prove_eq38(proof, steps, square(error))
    _prove_late_sums(proof, steps)
    _prove_scatter(proof, steps)


def _prove_first_term(proof: MachineForm, steps: Steps, error: Vector) -> None:
    """s6 and the first relation of s7: the mean of the draws is that of the gradients, and Jensen."""
    theta, y, v = steps.start.at, steps.local.at, proof.arbitrary("v.sum")
    unrolled = inner(v, (theta - y) / ETA - atom("sum"))
    _, same = proof.induct("path as a sum", "h", unrolled, relation="= 0")
    mean = GRADIENT - atom("sum.c") / H
    exact = Equality(same, -1 / H, over=("c", "E"))
    along = inner(v, error - mean)
    proof.claim("mean of the draws", along, exact, relation="= 0")
    cross_term = square(error) - square(mean)
    proof.instance("D.F2.s6", cross_term, "mean of the draws", along, v, error + mean, relation="= 0")
    v, total, part = proof.arbitrary("v.turn"), atom("expected.turns"), atom("local.E") - G0
    drawn = (theta - y) / ETA - COUNT * G0 - atom("N")
    unrolled = over("E", inner(v, drawn)) - inner(v, total)
    _, same = proof.induct("expected turns", "h", unrolled, relation="= 0")
    mean = atom("turns.c")
    along = inner(v, -H * error - mean)
    proof.claim("expected turns of all agents", along, Equality(same, over=("c",)), relation="= 0")
    squares = proof.instance(
        "its square", square(H * error) - square(mean), "expected turns of all agents", along, v,
        mean - H * error, relation="= 0",
    )  # fmt: skip
    size = Scalar("squared.turns")
    _, jensen = bound_square_of_sum(proof, "expected", "h", COUNT, size, total, part)
    bound = over("c", Scalar("squared.turns.last")) / H - square(error)
    apart = a_square(atom("expected.turns.last") - mean, times=1 / H**2, over=["c"])
    reasons = because(jensen, times=1 / H**2, over=["c"]), apart, Equality(squares, -1 / H**2)
    proof.claim("D.F2.s7", bound, *reasons)


def prove_eq38(proof: MachineForm, steps: Steps, error: Scalar) -> None:
    """(38), by the sums of h and of h^2."""
    add_numbers(proof)
    moved, apart = steps.exact.at - steps.start.at, steps.local.at - steps.exact.at
    slopes, noise = 2 * (ETA * FAR) ** 2 * square(G0), 2 * ETA**2 * SIGMA**2
    bound = slopes * Scalar("squared.numbers") + noise * Fraction(18, 17) * Scalar("numbers")
    _, all_moves = proof.induct(
        "moves by halves",
        "h",
        bound - Scalar("moves"),
        a_square(moved - apart, over=["E"]),
        because("exact path, squared", times=2),
        because("noise of a path, at every member", times=2),
        because("18 u h <= 1", times=noise * SPREAD / 18 * COUNT),
        Summand(noise * SPREAD * U * COUNT),
    )
    drift = 4 * ETA**2 * (H - 1) ** 2 * L**2
    size, rest = (ETA * L * FAR) ** 2, (4 - FAR**2) * (ETA * L) ** 2
    proof.claim(
        "D.eq38",
        drift * (square(GRADIENT) + ZETA**2) + 4 * ETA**2 * (H - 1) * L**2 * SIGMA**2 - error,
        because("D.eq37"),
        because(all_moves, times=L**2 / H, over=["c"]),
        because("sum of the squares", times=2 * size / H * over("c", square(G0))),
        Equality("sum of the numbers", -Fraction(36, 17) * (ETA * L * SIGMA) ** 2 / H),
        Summand(size, ("FL-3",), (H - 1,)),
        Summand(rest, (), (H - 1, GRADIENT)),
        Summand(rest * ZETA**2, (), (H - 1,)),
        because(AT_LEAST_ONE, times=(4 - Fraction(18, 17)) * (ETA * L * SIGMA) ** 2),
    )


def _prove_late_sums(proof: MachineForm, steps: Steps) -> None:
    """s11 from its second relation on, and the last of s12."""
    v, all_slopes = proof.arbitrary("v.late"), H * GRADIENT
    noisy = over("E", inner(v, atom("late") - atom("late.exact")))
    _, same = proof.induct("late noise", "h", noisy, relation="= 0")
    along = over("E", inner(v, DRAWS)) - inner(v, EXPECTED)
    proof.claim("late noise of all agents", along, Equality(same, over=("c",)), relation="= 0")
    drawn, expected = DRAWS - all_slopes, all_slopes - EXPECTED
    new = proof.instance(
        "late noise along the turn", over("E", inner(expected, DRAWS)) - inner(expected, EXPECTED),
        "late noise of all agents", along, v, expected, relation="= 0",
    )  # fmt: skip
    scatter, both = (
        over("E", square(ETA * (DRAWS - EXPECTED))),
        over("E", square(ETA * drawn + ETA * expected)),
    )
    proof.claim("D.F2.s11 (2)", scatter - both, relation="= 0")
    parts = 2 * over("E", square(ETA * drawn)) + 2 * over("E", square(ETA * expected))
    proof.claim("D.F2.s11 (3)", parts - both, a_square(drawn - expected, times=ETA**2, over=["E"]))
    proof.claim(
        "D.F2.s11 (4)",
        4 * over("E", square(ETA * drawn)) - parts,
        a_square(drawn + expected, times=2 * ETA**2, over=["E"]),
        Equality(new, -4 * ETA**2),
    )
    noise, turn = ETA * (DRAWS - EXACT), ETA * (EXACT - all_slopes)
    halves = 8 * over("E", square(noise)) + 8 * over("E", square(turn))
    young = a_square(noise - turn, times=4, over=["E"])
    proof.claim("D.F2.s12 (3)", halves - 4 * over("E", square(noise + turn)), young)
    after = steps.local.at - ETA * (steps.local.gradient + atom("noise")) - steps.start.at
    proof.induct("late moves >= 0", "h", Scalar("late.moves"), a_square(after, over=["E"]))


def _prove_scatter(proof: MachineForm, steps: Steps) -> None:
    """s12b, whose sum is not needed, and the bound on (B)."""
    unit, scatter = ETA**2 * SIGMA**2 * H / M, over("E", square(MIDDLE - NEXT))
    spread = proof.claim(
        "scatter, at most",
        8 * unit - scatter,
        because("scatter of a round"),
        because(SMALL, times=unit * SPREAD / 18),
        Summand(unit * Fraction(118, 17)),
    )
    times = 8 * ETA**2 * L**2 * H
    late = because("late moves >= 0", times=times, over=["c"])
    moves = times * over("c", Scalar("late.moves.last"))
    proof.claim("D.F2.s12b", 8 * unit + moves - scatter, because(spread), late)
    mean_move, move = MIDDLE - steps.start.at, square(NEXT - steps.start.at)
    second = L / 2 * over("E", move) - square(mean_move) / (2 * ETA * H)
    within, drift = 16 * ETA**4 * H**2 * L**3, (H - 1) ** 2 * (square(GRADIENT) + ZETA**2)
    proof.claim(
        "D.F2.s12c",
        4 * L * unit + within * (drift + (H - 1) * SIGMA**2) - second,
        because(spread, times=L / 2),
        a_square(mean_move, SMALL, times=1 / (2 * ETA * H)),
        a_square(mean_move, times=Fraction(17, 2) * L),
        Summand(within, (), (H - 1, GRADIENT)),
        Summand(within * ZETA**2, (), (H - 1,)),
        because(AT_LEAST_ONE, times=within * SIGMA**2),
    )
