"""Lemma 6, by the printed steps."""

from sympy import sqrt

from bounds.language.assumptions import BOUNDED_BELOW
from bounds.language.proof.expression import Scalar, over, square
from bounds.language.proof.form import Equality, MachineForm, Summand, a_square, because, fact
from bounds.papers.fed_norm_ec.notation import Delta_inf, L, gap_x, mean_client_gradient_norm


def _proof() -> MachineForm:
    proof = MachineForm("fed_norm_ec.lemma_6")
    i = proof.operator("i")
    (smooth, root_D), root_2 = proof.positive("L", "root.D"), proof.root("root.2", Scalar("2"))
    root_L, f_inf, f_i_inf = (
        proof.root("root.L", smooth),
        proof.scalar("f_inf"),
        proof.scalar("f_i_inf", over=[i]),
    )
    f = proof.function("f", [i], smooth=smooth, lowest=f_i_inf)
    x = proof.point("x", f, proof.vector("at"))
    gap, length = over(i, x.value) - f_inf, proof.norm("length", x.gradient)
    proof.assume("f is at least f_inf", gap, source=BOUNDED_BELOW.name)
    proof.assume("heterogeneity", root_D**2 - f_inf + over(i, f_i_inf), "= 0", source="Delta_inf")
    s1 = proof.claim(
        "A.lem6.s1",
        2 * smooth * (x.value - f_i_inf) - square(x.gradient),
        because(fact("lowest_value_by_gradient", x), times=2 * smooth),
    )
    s2 = proof.claim(
        "A.lem6.s2",
        2 * smooth * gap + 2 * smooth * root_D**2 - over(i, square(x.gradient)),
        because(s1, over=[i]),
        Equality("heterogeneity", 2 * smooth),
    )
    s4 = _prove_mean_length(proof, gap, over(i, square(x.gradient)), s2)
    s6 = _prove_split(proof, gap)
    proof.reads = {L: smooth, sqrt(L): root_L, sqrt(2): root_2, mean_client_gradient_norm: over(i, length)}
    proof.reads |= {
        Delta_inf: root_D**2,
        sqrt(Delta_inf): root_D,
        gap_x: gap,
    }
    proof.conclude(because(s4), because(s6), Equality("A.lem6.s5"), search=True)
    return proof


def _prove_mean_length(proof: MachineForm, gap: Scalar, squares: Scalar, bounded: str) -> str:
    """`A.lem6.s3` and `s4`: the mean length is at most the root of A gap + B."""
    smooth, root_D, length, mean = (
        Scalar("L"),
        Scalar("root.D"),
        Scalar("length"),
        over("i", Scalar("length")),
    )
    bound = 2 * smooth * gap + 2 * smooth * root_D**2
    positive = proof.claim(
        "A gap + B > 0",
        bound,
        because("f is at least f_inf", times=2 * smooth),
        Summand(2 * smooth * root_D**2),
        relation="> 0",
    )
    root, mean_square = proof.root("root", bound, positive), proof.root("root.mean.square", squares)
    variance = proof.claim("variance", squares - mean**2, a_square(length - mean, over=["i"]))
    jensen = proof.larger_square("A.lem6.s3", mean_square, mean, variance)
    larger = proof.larger_square("the larger root", root, mean_square, bounded)
    return proof.claim("A.lem6.s4", root - mean, because(jensen), because(larger))


def _prove_split(proof: MachineForm, gap: Scalar) -> str:
    """`A.lem6.s5` and `s6`: the root of A gap + B is at most A gap/root(B) + root(B)."""
    smooth, root, root_A, root_D = (
        Scalar("L"),
        Scalar("root"),
        Scalar("root.2") * Scalar("root.L"),
        Scalar("root.D"),
    )
    root_B = root_A * root_D
    A, B = 2 * smooth, 2 * smooth * Scalar("root.D") ** 2
    proof.claim("A.lem6.s5", root - (A * gap + B) / root, relation="= 0", times=root)
    over_B = proof.claim("A gap >= 0", root**2 - root_B**2, because("f is at least f_inf", times=A))
    larger = proof.larger_square("root >= root(B)", root, root_B, over_B)
    return proof.claim(
        "A.lem6.s6",
        root_A / root_D * gap + root_B - (A * gap + B) / root,
        because("f is at least f_inf", larger, times=A),
        because(larger, times=B),
        times=root * root_B,
    )


PROOF = _proof()
