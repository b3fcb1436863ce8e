"""T gradient steps on the mean of a client's losses: Theorem 1. An iterate is at most A/L gradients away."""

from fractions import Fraction

from bounds.language.proof.expression import Scalar, Vector, over, square
from bounds.language.proof.form import Equality, MachineForm, because, fact
from bounds.language.proof.lemmas import bound_mean_by_root
from bounds.papers.fed_norm_ec.proofs import local_pass
from bounds.papers.fed_norm_ec.proofs.local_pass import ADDED, COUNT, GAMMA, GROWTH, LESS, L, T, U
from bounds.papers.fed_norm_ec.proofs.passes import Pass

HALF = Fraction(3, 5) * LESS / T * GAMMA * L
OF_A_STEP = Fraction(6, 5) / T * GAMMA * L * Scalar("root.2") * Scalar("root.L")
DRIFT = OF_A_STEP * LESS  # 6/5 (1 - 1/T) gamma L sqrt(2 L)


def declare(proof: MachineForm, w: Vector, moved: Vector, update: Vector, following: Vector) -> Pass:
    """The functions, both passes and the drift; the heterogeneity is that between the clients."""
    lowest = proof.scalar("f_i_inf", over=["i"])
    proof.function("f", ["i"], smooth=L, lowest=lowest)
    start, after = proof.point("start", "f", w), proof.point("after", "f", w + moved)
    here = local_pass.follow(proof, "x", w, update)
    there = local_pass.follow(proof, "y", w + moved, following)
    mean = proof.average("g.mean", "i", start.gradient)
    local_pass.declare_drift(proof, here, start, start.gradient, COUNT * start.gradient, update)
    return Pass(here, there, start, after, start.gradient, mean, start.value, after.value, lowest)


def prove_smooth(proof: MachineForm, own: Pass, unit: Vector) -> str:
    eta = Scalar("eta")
    return proof.claim(
        "A.lem4.s1",
        own.value - own.value_after - eta * proof.inner(own.gradient, unit) + L * eta**2 / 2 * square(unit),
        because(fact("smooth", own.after, own.start)),
    )


def prove_mean_drift(proof: MachineForm, own: Pass) -> str:
    """`DRIFT/2 root.gap - mean of the drifts >= 0`."""
    slope, root = Scalar("slope"), Scalar("root.2") * Scalar("root.L") * Scalar("root.gap")
    one, bent = local_pass.prove_drift(proof, own.here, own.start, COUNT * own.start.gradient)
    far = Scalar("far")
    distant, _ = proof.induct("one pass", "j", GROWTH * slope - L * far, because(one, times=L), times=1 + U)
    _, summed = proof.induct(
        "one pass, added up", "j", ADDED * slope - L * Scalar("far.sum"), because(distant)
    )
    drifted = proof.claim(
        "drift",
        HALF * slope - Scalar("drift"),
        because(bent, times=1 / GAMMA),
        because(summed, times=1 / T),
        because("growth added up", times=slope / T),
        Equality("definition of T-1", Fraction(3, 5) * GAMMA * L / T * slope),
    )
    squares = proof.search(
        "A.lem6.s2",
        root**2 - over("i", square(own.start.gradient)),
        because(fact("lowest_value_by_gradient", own.start), times=2 * L, over=["i"]),
        Equality("Delta"),
    )
    lengths = bound_mean_by_root(proof, "A.lem6.s4", root, slope, "i", squares)
    return proof.claim(
        "mean drift",
        HALF * root - over("i", Scalar("drift")),
        because(drifted, over=["i"]),
        because(lengths, times=HALF),
    )
