"""Lemma 8: the printed steps that do not rest on the first, which is false."""

from bounds.language.proof.expression import Scalar, over
from bounds.language.proof.form import MachineForm, Summand, a_square, because


def _certify_steps() -> MachineForm:
    proof = MachineForm("fed_norm_ec.lemma_8")
    proof.operator("i"), proof.operator("j")
    L, gamma, gap = *proof.positive("L", "gamma"), proof.scalar("gap", ">=")
    # the lemma divides by the first, and takes the root of the second
    (delta,), (inside,) = proof.positive("Delta.between"), proof.non_negative("Delta.inside")
    far = proof.scalar("far", ">=", ["i", "j"])
    mean, mean_square = (over("i", over("j", value)) for value in (far, far**2))
    root = proof.root("root.square", mean_square)
    squares = proof.claim("Jensen, squared", root**2 - mean**2, a_square(far - mean, over=["i", "j"]))
    proof.larger_square("A.lem8.s2", root, mean, squares)
    between = 4 * L * gamma**2 * gap + 2 * gamma**2 * L * delta
    parts = proof.root("root.between", between), proof.root("root.inside", 2 * gamma**2 * L * inside)
    joint = proof.root("root.whole", between + 2 * gamma**2 * L * inside)
    squares = proof.claim(
        "root of a sum, squared", (parts[0] + parts[1]) ** 2 - joint**2, Summand(2 * parts[0] * parts[1])
    )
    proof.larger_square("A.lem8.s4", parts[0] + parts[1], joint, squares)
    least = proof.root("root.least", 2 * gamma**2 * L * delta)
    squares = proof.claim("denominators, squared", parts[0] ** 2 - least**2, Summand(4 * L * gamma**2 * gap))
    smaller = proof.larger_square("denominators", parts[0], least, squares)
    rest = 2 * gamma * proof.root("root.L.inside", L * inside)
    before, after = between / parts[0] + rest, between / least + rest
    proof.claim("A.lem8.s6", after - before, because(smaller, times=between / (parts[0] * least)))
    root_2, root_delta = proof.root("root.2", Scalar("2")), proof.root("root.L.Delta", L * delta)
    product = gamma * root_2 * root_delta
    squares = proof.claim("root of a product, squared", least**2 - product**2, relation="= 0")
    larger = proof.larger_square("root of a product", least, product, squares)
    last = 2 * root_2 * L * gamma * gap / root_delta + root_2 * gamma * root_delta + rest
    proof.claim(
        "A.lem8.s7",
        last - after,
        because(larger, times=between / (gamma * least)),
        times=root_2 * root_delta,
    )
    return proof


PRINTED = _certify_steps()
