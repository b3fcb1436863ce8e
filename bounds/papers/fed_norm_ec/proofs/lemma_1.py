"""Lemma 1 as amended: the memory error after an update that may overshoot; and printed steps.

t is the error before, phi = t - beta t/(alpha + t) that of the new memory at the old point, up to its sign,
and y = C - (1 + rho) eta/gamma what the move leaves of C. -y <= phi <= y.
"""

from sympy import sqrt

from bounds.language.extremes import larger
from bounds.language.proof.expression import Scalar, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, a_square, because
from bounds.language.proof.lemmas import bound_norm_of_sum
from bounds.papers.fed_norm_ec.notation import (
    alpha,
    beta,
    memory_error,
    next_memory_error,
    operator_move,
    server_move,
)

T, S, LIMIT, RHO, GAMMA, ETA = (Scalar(name) for name in ("t", "s", "C", "rho", "gamma", "eta"))
ROOT_A, ROOT_B, OVER = Scalar("root.a"), Scalar("root.b"), Scalar("overshoot")
LEFT = LIMIT - (1 + RHO) * ETA / GAMMA
PHI = T - ROOT_B**2 * T / S
SERVER, OPERATOR = Scalar("server"), Scalar("operator")
LIMITS = ("A.lem1.h6", "A.lem1.h6.overshoot")


def _proof() -> MachineForm:
    proof = MachineForm("fed_norm_ec.lemma_1", "amended")
    proof.positive("C", "gamma", "eta", "rho", "root.a", "root.b")
    r, moved, local = proof.vector("r"), proof.vector("x.move"), proof.vector("T.move")
    proof.norm("t", r), proof.norm("server", moved), proof.norm("operator", local)
    proof.named("s", ROOT_A**2 + T)
    old = r - ROOT_B**2 / S * r
    after, still = proof.norm("after", old + (moved - local) / GAMMA), proof.norm("still", old)
    worst = _define_worst(proof, after, still)
    proof.scalar("overshoot", ">=")
    proof.assume("overshoot", OVER - (ROOT_B - ROOT_A), source=DEFINITION)
    proof.assume("overshoot or none", OVER * (OVER - (ROOT_B - ROOT_A)), "= 0", source=DEFINITION)
    proof.reads = {alpha: ROOT_A**2, sqrt(alpha): ROOT_A, beta: ROOT_B**2, sqrt(beta): ROOT_B}
    proof.reads |= {larger(sqrt(beta) - sqrt(alpha), 0): OVER, memory_error: T, next_memory_error: worst}
    proof.reads |= {server_move: Scalar("server"), operator_move: Scalar("operator")}
    for condition in ("A.lem1.h2", "A.lem1.h3", "A.lem1.h4", *LIMITS):
        proof.condition(condition)
    _prove_update(proof, still)
    parts = [(old, still), (moved / GAMMA, SERVER / GAMMA), (-local / GAMMA, OPERATOR / GAMMA)]
    triangle = bound_norm_of_sum(proof, "triangle", after, parts)
    at_new = proof.claim(
        "A.lem1.s12",
        LIMIT - after,
        because("what the update leaves"),
        because(triangle),
        because("A.lem1.h4", times=(1 + RHO) / GAMMA),
        because("A.lem1.h2", times=1 / GAMMA),
    )
    at_old = proof.claim(
        "A.lem1.s16", LIMIT - still, because("what the update leaves"), Summand((1 + RHO) * ETA / GAMMA)
    )
    proof.conclude(because(_prove_worst(proof, at_new, at_old)))
    return proof


def _define_worst(proof: MachineForm, after: Scalar, still: Scalar) -> Scalar:
    """The larger of the two errors."""
    worst = proof.scalar("worst", ">=")
    for name, error in (("after", after), ("still", still)):
        proof.assume(f"worst is at least {name}", worst - error, source=DEFINITION)
    proof.assume("worst is one of them", (worst - after) * (worst - still), "= 0", source=DEFINITION)
    return worst


def _prove_update(proof: MachineForm, still: Scalar) -> None:
    """C - (1 + rho) eta/gamma is at least the error of the new memory at the old point."""
    alpha, beta = ROOT_A**2, ROOT_B**2
    step = proof.claim(
        "printed limit of the step",
        (alpha + LIMIT) * (LEFT - LIMIT) + beta * LIMIT,
        because(LIMITS[0]),
        times=GAMMA * (LIMIT + alpha) * (1 + RHO),
    )
    over = proof.claim("room", LEFT - OVER**2, because(LIMITS[1]), times=GAMMA * (1 + RHO))
    positive = proof.claim("y >= 0", LEFT, because(over), a_square(OVER))
    above = proof.claim(
        "phi <= y",
        LEFT - PHI,
        because(step, times=S * T),
        because("A.lem1.h3", positive, times=(alpha + LIMIT) * S),
        because("A.lem1.h3", times=T * LIMIT * beta),
        Equality("definition of s", -LIMIT * beta * T),
        times=(alpha + LIMIT) * S * LIMIT,
    )
    below = proof.claim(
        "-phi is at most the overshoot",
        PHI + OVER**2,
        a_square(T - OVER * ROOT_A),
        because("overshoot", times=T * (ROOT_A + ROOT_B)),
        Equality("overshoot or none", T),
        Equality("definition of s", T + OVER**2),
        times=S,
    )
    both = proof.claim("-phi <= y", LEFT + PHI, because(below), because(over))
    squares = proof.claim("squares", LEFT**2 - still**2, because(above, both))
    proof.larger_square("what the update leaves", LEFT, still, squares, positive)


def _prove_worst(proof: MachineForm, at_new: str, at_old: str) -> str:
    """The larger of the errors is at most C, because it is one of them."""
    worst, after, still = Scalar("worst"), Scalar("after"), Scalar("still")
    mean = worst - (after + still) / 2
    half = Scalar("1/2")
    room = proof.claim(
        "mean room", LIMIT - worst + mean, because(at_new, times=half), because(at_old, times=half)
    )
    squares = proof.claim(
        "room of both",
        (LIMIT - worst + mean) ** 2 - mean**2,
        because(at_new, at_old),
        Equality("worst is one of them", -1),
    )
    return proof.larger_square("both conclusions", LIMIT - worst + mean, mean, squares, room)


def _certify_steps() -> MachineForm:
    """The printed steps that are true: the triangle inequalities, and the length after an update."""
    proof = MachineForm("fed_norm_ec.lemma_1")
    beta, rho, gamma, alpha, limit = proof.positive("beta", "rho", "gamma", "alpha", "C")
    p, p_next, v = (proof.vector(name) for name in ("P", "P.next", "v"))
    moved, local = proof.vector("x.move"), proof.vector("T.move")
    r, lengths = p - v, (proof.norm("server", moved), proof.norm("operator", local))
    t = proof.norm("t", r)
    s = proof.named("s", alpha + t)
    still, after = proof.norm("still", r - beta / s * r), proof.norm("after", p_next - v - beta / s * r)
    drift = proof.norm("P.move", (moved - local) / gamma)
    proof.reads = {operator_move: lengths[1], server_move: lengths[0]}
    proof.condition("A.lem1.h2"), proof.named("alpha+C", alpha + limit)
    updated = v + beta / s * r
    proof.claim("A.lem1.s1", after**2 - square(p_next - updated), relation="= 0")
    proof.claim("A.lem1.s3", drift**2 - square(moved / gamma - local / gamma), relation="= 0")
    parts = [(moved / gamma, lengths[0] / gamma), (-local / gamma, lengths[1] / gamma)]
    s4 = (lengths[0] + lengths[1]) / gamma - drift
    proof.claim("A.lem1.s4", s4, because(bound_norm_of_sum(proof, "triangle", drift, parts)))
    s5 = (1 + rho) / gamma * lengths[0] - drift
    proof.claim("A.lem1.s5", s5, because("A.lem1.s4"), because("A.lem1.h2", times=1 / gamma))
    proof.claim("A.lem1.s13", still**2 - square(p - updated), relation="= 0")
    known = proof.claim("a square", (1 - beta / s) ** 2, a_square(1 - beta / s))
    factor = proof.root("factor", (1 - beta / s) ** 2, known)
    same = proof.claim("length of an update", (factor * t) ** 2 - still**2)
    proof.larger_square("A.lem1.s14", factor * t, still, same)
    proof.claim(
        "A.lem1.s16",
        limit - (1 - beta / Scalar("alpha+C")) * limit,
        Summand(beta * limit / Scalar("alpha+C")),
    )
    return proof


AMENDED, PRINTED = _proof(), _certify_steps()
