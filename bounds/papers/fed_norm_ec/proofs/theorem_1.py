"""Theorem 1 as amended: local gradient steps, by the way of docs/amended/fed_norm_ec.md."""

from fractions import Fraction

from sympy import Rational, sqrt

from bounds.language.proof.expression import Scalar, Vector, atom, over, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Point, Summand, because, fact
from bounds.language.proof.lemmas import bound_mean_by_root, bound_norm_of_mean, bound_norm_of_sum
from bounds.papers.fed_norm_ec import notation as n
from bounds.papers.fed_norm_ec.proofs import local_pass, memory, rounds, server
from bounds.papers.fed_norm_ec.proofs.server import ERROR, SIZE, UNIT, WALK

SOURCE = "A.thm1.h1"
CONDITIONS = ("A.thm1.h2", "A.thm1.h3", "A.thm1.h4.memory")
L, ETA, BETA, GAMMA, T, MORE = (Scalar(name) for name in ("L", "eta", "beta", "gamma", "T", "T-1"))
ROOT_2, ROOT_L, ROOT_GAP, S = (Scalar(name) for name in ("root.2", "root.L", "root.gap", "s"))
R, SHARE = memory.R, memory.SHARE
DRIFT = Fraction(6, 5) * MORE / T * GAMMA * L * ROOT_2 * ROOT_L
V, RESIDUAL, FOLLOWING, W = atom("v"), atom("r"), atom("r.next"), atom("w")
CHANGE = SHARE * RESIDUAL + FOLLOWING - RESIDUAL
AWAY, AWAY_VECTOR = Scalar("norm.away"), atom("g.mean") - atom("v.mean") - BETA * atom("q.mean")
GRADIENT, DIRECTION = (
    atom("g.mean"),
    atom("v.mean") + BETA * (atom("q.mean") + server.WALKED + server.INCREMENT),
)


def _prove(member: str) -> MachineForm:
    proof = MachineForm(f"fed_norm_ec.theorem_1.{member}", "amended")
    start, after, here, there, above = _declare(proof)
    limits, short = _prove_limits(proof)
    local_pass.prove_growth(proof, short)
    parted = local_pass.prove_move(proof, here, there, -ETA * UNIT, ETA * Scalar("norm.unit"), short)
    small = proof.larger_square("unit length", Scalar("1"), Scalar("norm.unit"), "length of the step")
    lipschitz = proof.claim(
        "a step of the server",
        memory.MOVE - Scalar("change"),
        because(parted),
        because(small, times=memory.MOVE),
    )
    remembered = memory.prove_memory(proof, RESIDUAL, FOLLOWING, CHANGE, lipschitz, limits)
    drifted = local_pass.prove_drift(proof, here, start)
    away = _prove_away(proof, start, remembered, drifted)
    last = rounds.prove_rounds(proof, DRIFT, above, _prove_round(proof, start, after, small, away))
    proof.conclude(because(last), Equality("definition of T-1"), search=True)
    return proof


def _prove_away(proof: MachineForm, start: Point, remembered: str, drifted: str) -> str:
    """The distance of the gradient from the mean memory after the update, for the root of gap + Delta."""
    memory_error = RESIDUAL - SHARE * RESIDUAL
    parts = [(start.gradient - V - RESIDUAL, Scalar("drift")), (memory_error, memory.LEFT)]
    own = bound_norm_of_sum(proof, "a client's distance", Scalar("away"), parts)
    part = start.gradient - V - SHARE * RESIDUAL
    mean = bound_norm_of_mean(proof, "mean distance", AWAY, AWAY_VECTOR, part, Scalar("away"), "i")
    lengths = bound_mean_by_root(
        proof,
        "A.lem6.s4",
        ROOT_2 * ROOT_L * ROOT_GAP,
        Scalar("slope"),
        "i",
        proof.search(
            "A.lem6.s2",
            2 * L * ROOT_GAP**2 - over("i", square(start.gradient)),
            because(fact("lowest_value_by_gradient", start), times=2 * L, over=["i"]),
            Equality("Delta"),
        ),
    )
    rate = Fraction(3, 5) * MORE / T * GAMMA * L
    return proof.claim(
        "distance of the mean memory",
        R + rate * ROOT_2 * ROOT_L * ROOT_GAP - AWAY,
        because(mean),
        because(own, over=["i"]),
        because(remembered, over=["i"]),
        because(drifted, over=["i"]),
        because(lengths, times=rate),
        Equality("definition of T-1", Fraction(3, 5) * GAMMA * L / T * over("i", Scalar("slope"))),
    )


def _prove_round(proof: MachineForm, start: Point, after: Point, small: str, away: str) -> str:
    """m - m.next - eta (least - a - drift z) >= 0."""
    walk = server.prove_walk(proof, RESIDUAL / S, _prove_update_length(proof))
    parts = [(AWAY_VECTOR, AWAY), (-BETA * (server.WALKED + server.INCREMENT), BETA * WALK)]
    error = bound_norm_of_sum(proof, "error of the direction", ERROR, parts)
    descent = server.prove_descent(proof, GRADIENT, DIRECTION, start, after, small)
    rest = 2 * R + 2 * BETA * server.NOISE + L * ETA / 2 + DRIFT * rounds.Z
    return proof.claim(
        "one round",
        rounds.MEAN - rounds.NEXT - ETA * (rounds.LEAST - rest),
        because(descent, over=["E"]),
        because(error, times=2 * ETA, over=["E"]),
        because(away, times=2 * ETA, over=["E"]),
        because(walk, times=2 * ETA * BETA),
        because("least gradient", times=ETA),
        Equality("mean gap"),
        Equality("mean gap after", -1),
    )


def _prove_update_length(proof: MachineForm) -> str:
    return proof.search(
        "length of an update",
        1 - square(RESIDUAL / S),
        Summand(memory.ALPHA**2 / S**2),
        Summand(memory.ALPHA * memory.ERROR / S**2),
        Equality("definition of s"),
    )


def _declare(proof: MachineForm):
    proof.positive("L", "eta", "beta", "gamma", "T", "root.a"), proof.non_negative("root.R", "Delta_inf")
    proof.root("root.2", Scalar("2")), proof.root("root.L", L)
    rounds.count_rounds(proof), local_pass.count_steps(proof)
    proof.named("T-1", T - 1, "domain of T")
    for condition in CONDITIONS:
        proof.condition(condition)
    root_n, root_B, root_M = (Scalar(name) for name in ("root.n", "root.B", "root.M"))
    proof.reads = {sqrt(n.K + 1): root_n, 1 / sqrt(n.M): 1 / root_M, sqrt(n.B): root_B, n.R: R}
    proof.reads |= {sqrt(n.R): Scalar("root.R"), n.alpha: memory.ALPHA, sqrt(n.alpha): memory.ROOT_A}
    proof.reads |= {n.L ** Rational(3, 2): L * ROOT_L, sqrt(2): ROOT_2, n.Delta_inf: Scalar("Delta_inf")}
    proof.reads |= {sqrt(n.Delta_inf + n.f0_gap): rounds.ROOT_0, n.min_gradient_norm: rounds.LEAST}
    for name in ("v", "r", "r.next"):
        proof.vector(name, local_pass.ALL)
    for name in ("w", "unit"):
        proof.vector(name, ["k", "E"])
    lowest, f_inf = proof.scalar("f_i_inf", over=["i"]), proof.scalar("f_inf")
    proof.function("f", ["i"], smooth=L, lowest=lowest)
    start, after = proof.point("start", "f", W), proof.point("after", "f", W - ETA * UNIT)
    memory.declare_memory(proof, RESIDUAL, FOLLOWING, ["E"])
    server.declare_walk(proof, RESIDUAL / S, SOURCE)
    proof.average("g.mean", "i", start.gradient), proof.average("v.mean", "i", V)
    proof.average("q.mean", "i", RESIDUAL / S)
    server.declare_step(proof, GRADIENT, DIRECTION, SOURCE)
    here = local_pass.follow(proof, "x", W, V + RESIDUAL)
    there = local_pass.follow(proof, "y", W - ETA * UNIT, V + RESIDUAL + CHANGE)
    local_pass.declare_move(proof, here, there, -ETA * UNIT, ETA * Scalar("norm.unit"), CHANGE)
    local_pass.declare_drift(proof, here, start, V + RESIDUAL)
    proof.norm("norm.away", AWAY_VECTOR)
    proof.norm("away", start.gradient - V - SHARE * RESIDUAL)
    proof.assume("R bounds the errors", R - Scalar("t.0"), source=DEFINITION)
    proof.assume("Delta", Scalar("Delta_inf") - f_inf + over("i", lowest), "= 0", source=DEFINITION)
    now, later = over("i", start.value) - f_inf, over("i", after.value) - f_inf
    rounds.declare_gaps(proof, now, later, Scalar("Delta_inf"))
    return start, after, here, there, rounds.declare_excess(proof, DRIFT)


def _prove_limits(proof: MachineForm) -> tuple[tuple[str, str], str]:
    """What the conditions say: of beta, of the step, and of the local step."""
    over_R = 4 * L * (memory.ALPHA + R)
    short = proof.claim("2 L gamma <= 1", 1 - 2 * L * GAMMA, because(CONDITIONS[1], times=1 / (2 * L)))
    step = proof.claim(
        "eta is small",
        BETA * R - memory.MOVE * (memory.ALPHA + R),
        because(CONDITIONS[2], times=Scalar("1/3")),
        times=over_R,
    )
    return (CONDITIONS[0], step), short


MAIN, APPENDIX = _prove("main"), _prove("appendix")
