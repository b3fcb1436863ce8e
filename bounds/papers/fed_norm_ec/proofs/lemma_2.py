"""Lemma 2: increments with mean zero given the past and independent clients; as printed, over rounds too."""

from sympy import sqrt

from bounds.language.assumptions import UNBIASED_NOISE
from bounds.language.proof.expression import ZERO, Scalar, Vector, atom, inner, over, square
from bounds.language.proof.form import Equality, MachineForm, a_square, because
from bounds.language.proof.lemmas import bound_mean_by_root, bound_norm_of_sum, equate_vectors
from bounds.papers.fed_norm_ec.notation import K, M, increment_second_moment, initial_walk_norm, walk_norm


def _proof(variant: str) -> MachineForm:
    proof = MachineForm("fed_norm_ec.lemma_2", variant)
    i, E, k = proof.operator("i"), proof.operator("E"), proof.index("k")
    (beta, root_M), (sigma, rounds) = proof.positive("beta", "root.M"), proof.non_negative("sigma", "K")
    count = proof.scalar("j", ">=", [k])
    proof.sequence(k, count, count + 1, 0, rounds + 1)
    each, e_0 = proof.vector("z", [i, k, E]), proof.vector("e.0", [E])
    mean = proof.average("z.mean", i, each)
    total, total_K = proof.vector_recursion("sum", k, Vector((("sum", Scalar("1")),)) + mean, ZERO, [E])
    new = proof.assume(
        "mean zero, given the past", over(E, inner(total, mean)), "= 0", source=UNBIASED_NOISE.name
    )
    apart = root_M**2 * over(E, square(mean)) - over(i, over(E, square(each)))
    proof.assume("independent clients", apart, "= 0", source=UNBIASED_NOISE.name)
    start, end = proof.norm("norm.start", e_0), proof.norm("norm.end", e_0 + beta * total_K)
    root_n = proof.root("root.n", rounds + 1)
    proof.reads = {M: root_M**2, sqrt(M): root_M, sqrt(K + 1): root_n}
    proof.reads |= {walk_norm: over(E, end), initial_walk_norm: over(E, start)}
    proof.reads[increment_second_moment] = over(E, square(each))
    proof.condition("A.lem2.h3")
    length = proof.norm("norm.sum", total_K)
    triangle = bound_norm_of_sum(proof, "triangle", end, [(e_0, start), (beta * total_K, beta * length)])
    _prove_expansion(proof, e_0, total, mean, total_K)
    s2 = proof.claim("A.lem2.s2", over(E, start + beta * length - end), because(triangle, over=[E]))
    proof.claim("A.lem2.s5", over(E, inner(total, mean)), Equality(new), relation="= 0")
    s6 = proof.search(
        "A.lem2.s6" if variant == "amended" else "second moment of an increment",  # whose display has a typo
        sigma**2 / root_M**2 - over(E, square(mean)),
        because("A.lem2.h3", over=[i]),
        Equality("independent clients"),
    )
    last = _prove_mean_length(proof, total, s6, new)
    s7 = proof.claim(
        "A.lem2.s7",
        over(E, start) + beta * sigma * root_n / root_M - over(E, end),
        because(s2),
        because(last, times=beta),
    )
    proof.conclude(because(s7), search=True)
    return proof


def _prove_expansion(proof: MachineForm, e_0: Vector, total: Vector, mean: Vector, total_K: Vector) -> None:
    """s1, s3 and s4: the walk as a sum, and the root of its mean square, by the pairs of its steps."""
    beta, start = Scalar("beta"), Scalar("norm.start")
    walk, _ = proof.vector_recursion("e", "k", atom("e") + beta * mean, e_0, ["E"])
    unrolled = e_0 + beta * total
    s1 = equate_vectors(proof, "walk", "k", walk, unrolled)
    proof.claim("A.lem2.s1", square(walk - unrolled), Equality(s1), relation="= 0")
    root = proof.root("root.walk", over("E", square(beta * total_K)))
    jensen = bound_mean_by_root(proof, "Jensen", root, beta * Scalar("norm.sum"), "E")
    triangle = because("triangle", over=["E"])
    proof.claim(
        "A.lem2.s3", over("E", start) + root - over("E", Scalar("norm.end")), triangle, because(jensen)
    )
    squares, all_squares = proof.sum("squares", "k", over("E", square(mean)))
    # A step is paired with each one before it, in either order.
    pairs, all_pairs = proof.sum("pairs", "k", 2 * over("E", inner(total, mean)))
    parts = over("E", square(total)) - squares - pairs
    _, expanded = proof.induct("square of the sum", "k", parts, relation="= 0")
    right = beta**2 * all_squares + beta**2 * all_pairs
    proof.claim("A.lem2.s4", root**2 - right, Equality(expanded, beta**2), relation="= 0")


def _prove_mean_length(proof: MachineForm, total: Vector, second: str, new: str) -> str:
    """The mean length of the sum is at most sigma sqrt((K + 1)/M)."""
    sigma, root_M, root_n, length = (Scalar(name) for name in ("sigma", "root.M", "root.n", "norm.sum"))
    _, grown = proof.induct(
        "second moment",
        "k",
        Scalar("j") * sigma**2 / root_M**2 - over("E", square(total)),
        because(second),
        Equality(new, -2),
    )
    mean = over("E", length)
    squares = proof.claim(
        "variance",
        sigma**2 * root_n**2 / root_M**2 - mean**2,
        because(grown),
        a_square(length - mean, over=["E"]),
    )
    return proof.larger_square("mean length", sigma * root_n / root_M, mean, squares)


PRINTED, AMENDED = _proof("printed"), _proof("amended")
