"""Lemma 3, as a walk whose steps have mean zero given the past, and the printed steps on one increment.

q is 1/p for a client that takes part, else 0: p q^2 = q, and its mean is 1. Its noise is independent of it.
"""

from sympy import sqrt

from bounds.language.proof.expression import Scalar, Vector, atom, over, square
from bounds.language.proof.form import Equality, MachineForm, Summand, a_square, because
from bounds.papers.fed_norm_ec import notation
from bounds.papers.fed_norm_ec.proofs import server

LISTING = "A.lem3.h1"
OWN = ["draw", "i"]  # each client draws for itself


def _certify_steps() -> MachineForm:
    proof = MachineForm("fed_norm_ec.lemma_3")
    proof.operator("draw"), proof.operator("i")
    p, alpha = proof.positive("p", "alpha")
    rounds, sigma = _declare_rounds(proof, alpha), Scalar("sigma_DP")
    q, r, noise = proof.scalar("q", ">=", OWN), proof.vector("r", ["i"]), proof.vector("noise", OWN)
    t = proof.norm("t", r)
    s = proof.named("s", alpha + t)
    update = r / s
    proof.assume("q is 0 or 1/p", p * q**2 - q, "= 0", source=LISTING)
    proof.assume("mean of q", over("draw", q) - 1, "= 0", source=LISTING)
    own = over("draw", square(noise))
    apart = over("draw", q**2 * square(noise)) - over("draw", q**2) * own
    proof.assume("noise apart from q", apart, "= 0", source=LISTING)
    proof.assume("noise", own - sigma**2, "= 0", source=LISTING)
    _prove_walk(proof, q, s, r, noise)
    increment, defined = (1 - q) * update - q * noise, update - q * (update + noise)
    proof.claim("A.lem3.s7", over("draw", square(increment) - square(defined)), relation="= 0")
    short = _prove_short(proof, "length of an update", r, "s", t)
    weights, second = over("draw", (1 - q) ** 2), over("draw", q**2)
    noisy, longer = 2 * over("draw", q**2 * square(noise)), 2 * over("draw", (1 - q) ** 2 * square(update))
    young = longer + noisy - over("draw", square(increment))
    proof.claim("A.lem3.s8", young, a_square((1 - q) * update + q * noise, over=["draw"]))
    s9 = a_square(1 - q, short, times=2, over=["draw"])
    proof.claim("A.lem3.s9", 2 * weights + noisy - (longer + noisy), s9)
    proof.claim("A.lem3.s10", noisy - 2 * second * own, Equality("noise apart from q", 2), relation="= 0")
    proof.search(
        "A.lem3.s11",
        2 * p * (1 - 1 / p) ** 2 + 2 * (1 - p) + 2 * p / p**2 * sigma**2 - (2 * weights + 2 * second * own),
        Equality("q is 0 or 1/p", over=("draw",)),
        Equality("mean of q"),
        Equality("noise", -2 * second),
        Equality("q is 0 or 1/p", sigma**2, over=("draw",)),
        Equality("mean of q", sigma**2),
    )
    _conclude(proof, rounds)
    return proof


def _declare_rounds(proof: MachineForm, alpha: Scalar) -> Vector:
    """All rounds: what a client's memory misses, and the walk of the server's memory."""
    proof.index("k"), proof.operator("E")
    (rounds,), (root_M, beta) = proof.non_negative("K"), proof.positive("root.M", "beta")
    proof.sequence("k", proof.scalar("k_now", ">=", ["k"]), server.COUNT + 1, 0, rounds + 1)
    missed = proof.vector("missed", ["i", "k", "E"])
    proof.named("alpha+missed", alpha + proof.norm("norm.missed", missed))
    server.declare_walk(proof, missed / Scalar("alpha+missed"), LISTING)
    proof.reads = {notation.M: root_M**2, sqrt(notation.M): root_M, sqrt(notation.B): server.ROOT_B}
    proof.reads[sqrt(notation.K + 1)] = proof.root("root.K+1", rounds + 1)
    proof.reads[notation.memory_gap] = beta * over("E", proof.norm("length", atom("walk.last")))
    return missed


def _prove_short(proof: MachineForm, name: str, missed: Vector, divisor: str, length: Scalar) -> str:
    alpha, s = Scalar("alpha"), Scalar(divisor)
    parts = Summand(alpha**2 / s**2), Summand(alpha * length / s**2)
    return proof.search(name, 1 - square(missed / s), *parts, Equality(f"definition of {divisor}"))


def _conclude(proof: MachineForm, missed: Vector) -> None:
    """Jensen, from the second moment after the last round, which is at most half of what is printed."""
    length, beta, limit = Scalar("length"), Scalar("beta"), server.ROOT_B * Scalar("root.K+1") / server.ROOT_M
    short = _prove_short(proof, "length of any update", missed, "alpha+missed", Scalar("norm.missed"))
    _, _, last = server.prove_moments(proof, missed / Scalar("alpha+missed"), short)
    spare = Summand(server.ROOT_B**2 * (Scalar("K") + 1) / (2 * server.ROOT_M**2))
    mean, deviation = over("E", length), a_square(length - over("E", length), over=["E"])
    squares = proof.claim("length, squared", limit**2 - mean**2, because(last), spare, deviation)
    proof.conclude(because(proof.larger_square("mean length", limit, mean, squares), times=beta), search=True)


def _prove_walk(proof: MachineForm, q: Scalar, s: Scalar, r: Vector, noise: Vector) -> None:
    """s2 and s3: the error of the server's memory moves by beta times the mean increment."""
    beta = Scalar("beta")
    memories, shared = proof.average("v.mean", "i", proof.vector("v", ["i"])), proof.vector("v_hat")
    updates = [proof.average(f"mean.{name}", "i", of) for name, of in (("u", r / s), ("qu", (q / s) * r))]
    noises = proof.average("mean.qz", "i", q * noise)
    sent, increment = updates[1] + noises, updates[0] - updates[1] - noises
    error, after = memories - shared, memories + beta * updates[0] - (shared + beta * sent)
    walked = error + beta * increment
    proof.claim("A.lem3.s2", square(after - (memories - shared + beta * increment)), relation="= 0")
    proof.claim("A.lem3.s3", square(after - walked), relation="= 0")


PRINTED = _certify_steps()
