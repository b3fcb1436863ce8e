"""Lemma 4, by the printed steps."""

from bounds.language.proof.expression import Scalar, Vector, inner
from bounds.language.proof.form import Equality, MachineForm, Point, because, cauchy_schwarz, fact
from bounds.papers.fed_norm_ec.notation import direction_error, gap, gradient_norm, next_gap


def _proof() -> MachineForm:
    proof = MachineForm("fed_norm_ec.lemma_4")
    L, gamma = proof.positive("L", "gamma_step")
    lowest = proof.scalar("f_inf")
    f = proof.function("f", smooth=L, lowest=lowest)
    x, G = proof.vector("x"), proof.vector("G")
    root = proof.norm("norm.G", G)
    # the direction is not zero, so that its length divides
    length = proof.scalar("length", ">")
    proof.assume("length of G", length - root, "= 0", source="A.lem4.h2")
    now = proof.point("now", f, x)
    following = proof.point("next", f, x - gamma / length * G)
    size, error = proof.norm("norm.g", now.gradient), proof.norm("norm.error", now.gradient - G)
    last = _prove_steps(proof, now, following, G)
    proof.reads = {
        next_gap: following.value - lowest,
        gap: now.value - lowest,
        gradient_norm: size,
        direction_error: error,
    }
    proof.conclude(because(last), search=True)
    return proof


def _prove_steps(proof: MachineForm, now: Point, following: Point, G: Vector) -> str:
    """The printed steps, in which the length of the direction divides."""
    L, gamma, length, root = (Scalar(name) for name in ("L", "gamma_step", "length", "norm.G"))
    size, error, g, same = Scalar("norm.g"), Scalar("norm.error"), now.gradient, Equality("length of G")
    proof.claim(
        "Cauchy-Schwarz",
        root * error - inner(G - g, G),
        because(cauchy_schwarz(G - g, error, G, root)),
    )
    proof.claim(
        "squares of the triangle",
        (root + error) ** 2 - size**2,
        because(cauchy_schwarz(g - G, error, G, root), times=2),
    )
    proof.larger_square("triangle", root + error, size, "squares of the triangle")
    fallen = now.value + L * gamma**2 / 2 - following.value
    turned = gamma / length * inner(G - g, G)
    s1 = proof.search(
        "A.lem4.s1",
        fallen - gamma / length * inner(g, G),
        because(fact("smooth", following, now)),
        same,
    )
    s2 = proof.claim("A.lem4.s2", fallen - gamma / length * inner(G, G) + turned, because(s1))
    s3 = proof.search("A.lem4.s3", fallen - gamma * length + turned, because(s2), same)
    # norm.G is positive and its square is ||G||^2, so it serves as the norm of G
    s4 = proof.search(
        "A.lem4.s4",
        fallen - gamma * length + gamma * error,
        because(s3),
        because("Cauchy-Schwarz", times=gamma / length),
        same,
    )
    return proof.search(
        "A.lem4.s5",
        fallen - gamma * size + 2 * gamma * error,
        because(s4),
        because("triangle", times=gamma),
        same,
    )


PROOF = _proof()
