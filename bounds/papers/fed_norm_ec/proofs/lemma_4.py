"""Lemma 4, by the printed steps."""

from bounds.language.proof.expression import inner
from bounds.language.proof.form import Equality, MachineForm, because, cauchy_schwarz, fact
from bounds.papers.fed_norm_ec.notation import direction_error, gap, gradient_norm, next_gap


def _proof() -> MachineForm:
    proof = MachineForm("fed_norm_ec.lemma_4")
    L, gamma = proof.positive("L", "gamma_step")
    lowest = proof.scalar("f_inf")
    f = proof.function("f", smooth=L, lowest=lowest)
    x, G = proof.vector("x"), proof.vector("G")
    root = proof.norm("norm.G", G)
    # the direction is not zero, so that its length divides
    length, norm = proof.scalar("length", ">"), "length of G"
    proof.assume(norm, length - root, "= 0", source="A.lem4.h2")
    now = proof.point("now", f, x)
    following = proof.point("next", f, x - gamma / length * G)
    g = now.gradient
    size, error = proof.norm("norm.g", g), proof.norm("norm.error", g - G)
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
    s1 = proof.search(
        "A.lem4.s1",
        now.value - gamma / length * inner(g, G) + L * gamma**2 / 2 - following.value,
        because(fact("smooth", following, now)),
        Equality(norm),
    )
    s2 = proof.claim(
        "A.lem4.s2",
        now.value
        - gamma / length * inner(G, G)
        + gamma / length * inner(G - g, G)
        + L * gamma**2 / 2
        - following.value,
        because(s1),
    )
    s3 = proof.search(
        "A.lem4.s3",
        now.value - gamma * length + gamma / length * inner(G - g, G) + L * gamma**2 / 2 - following.value,
        because(s2),
        Equality(norm),
    )
    # norm.G is positive and its square is ||G||^2, so it serves as the norm of G
    s4 = proof.search(
        "A.lem4.s4",
        now.value - gamma * length + gamma * error + L * gamma**2 / 2 - following.value,
        because(s3),
        because("Cauchy-Schwarz", times=gamma / length),
        Equality(norm),
    )
    proof.larger_square("triangle", root + error, size, "squares of the triangle")
    s5 = proof.search(
        "A.lem4.s5",
        now.value - gamma * size + 2 * gamma * error + L * gamma**2 / 2 - following.value,
        because(s4),
        because("triangle", times=gamma),
        Equality(norm),
    )
    proof.reads = {
        next_gap: following.value - lowest,
        gap: now.value - lowest,
        gradient_norm: size,
        direction_error: error,
    }
    proof.conclude(because(s5), search=True)
    return proof


PROOF = _proof()
