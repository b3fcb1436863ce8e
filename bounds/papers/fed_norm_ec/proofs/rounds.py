"""The rounds of Fed-alpha-NormEC: while every gradient is longer than the bound, the mean gap falls.

m is the mean gap, and z the mean of the root of gap + Delta. h is what the least mean gradient has above all
terms but the first, and excess = max(0, h). Round k pays for its own noise, below the tangent of the root at
the mean of all rounds; `SAVED` is what the first k rounds have paid less than that mean. By induction
excess (f0_gap - m - k eta excess - 2 eta beta SAVED) >= 0 at each k; `weight` is z + root(f0_gap + Delta), or
1 where both are 0.
"""

from bounds.language.assumptions import BOUNDED_BELOW
from bounds.language.proof.expression import Scalar, over
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, a_square, because
from bounds.papers.fed_norm_ec.proofs.memory import R
from bounds.papers.fed_norm_ec.proofs.server import NOISE, ROOT_B, ROOT_M, ROOT_N, SIZE

L, ETA, BETA, K, COUNT = (Scalar(name) for name in ("L", "eta", "beta", "K", "k_now"))
START, MEAN, NEXT = (Scalar(name) for name in ("f0_gap", "m", "m.next"))
ROOT, ROOT_0, LEAST = Scalar("root.gap"), Scalar("root.start"), Scalar("least")
EXCESS, WEIGHT = Scalar("excess"), Scalar("weight")
Z = over("E", ROOT)
SAVED = ROOT_B / ROOT_M * COUNT * (K + 1 - COUNT) / (4 * ROOT_N)


def count_rounds(proof: MachineForm) -> None:
    proof.index("k"), proof.operator("i"), proof.operator("E")
    proof.non_negative("K")
    proof.sequence("k", proof.scalar("k_now", ">=", ["k"]), COUNT + 1, 0, K + 1)
    proof.assume("another round", K - COUNT, source=DEFINITION)
    proof.root("root.n", K + 2)


def declare_gaps(proof: MachineForm, now: Scalar, after: Scalar, heterogeneity: Scalar) -> None:
    """The mean gaps, and the root of gap + Delta: of the functions to their own lower bounds."""
    proof.assume("gap + Delta >= 0", now + heterogeneity, source=BOUNDED_BELOW.name)
    proof.root("root.gap", now + heterogeneity, "gap + Delta >= 0")
    proof.root("root.start", START + heterogeneity)
    last = proof.scalar("m.K")
    proof.sequence("k", proof.scalar("m", over=["k"]), proof.scalar("m.next", over=["k"]), START, last)
    proof.assume("mean gap", MEAN - over("E", now), "= 0", source=DEFINITION)
    proof.assume("mean gap after", NEXT - over("E", after), "= 0", source=DEFINITION)
    proof.assume("gap at the end", last, source=BOUNDED_BELOW.name)


def declare_excess(proof: MachineForm, drift: Scalar) -> Scalar:
    """h, with the least mean gradient; drift is the factor of a root."""
    proof.scalar("least"), proof.scalar("excess", ">="), proof.scalar("weight", ">", ["k"])
    proof.assume("least gradient", over("E", SIZE) - LEAST, source=DEFINITION)
    own = (WEIGHT - Z - ROOT_0) * (ROOT_0 - Z)
    proof.assume("weight", own, "= 0", source=DEFINITION)
    above = LEAST - (2 * R + 2 * BETA * NOISE + L * ETA / 2) - drift * ROOT_0
    proof.assume("excess", EXCESS - above, source=DEFINITION)
    proof.assume("excess or none", EXCESS * (EXCESS - above), "= 0", source=DEFINITION)
    return above


def prove_rounds(proof: MachineForm, drift: Scalar, above: Scalar, one_round: str) -> str:
    """`f0_gap - (K + 1) eta h >= 0`; `one_round` claims m - m.next >= eta (least - a - drift z)."""
    mean_root = proof.claim(
        "root of the mean gap",
        MEAN - START + ROOT_0**2 - Z**2,
        a_square(ROOT - Z, over=["E"]),
        Equality("mean gap"),
    )
    fallen = START - MEAN
    inverse = proof.claim("inverse of root.n", (K + 2) / ROOT_N - ROOT_N, times=ROOT_N, relation="= 0")
    later = 2 * ETA**2 * drift * BETA * EXCESS / WEIGHT * ROOT_B / ROOT_M * COUNT / (4 * ROOT_N)
    _, all_rounds = proof.induct(
        "rounds",
        "k",
        EXCESS * (fallen - 2 * ETA * BETA * SAVED) - COUNT * ETA * EXCESS**2,
        because(one_round, times=EXCESS),
        because(mean_root, times=ETA * drift * EXCESS / WEIGHT),
        Summand(ETA**2 * drift * COUNT * EXCESS**2 / WEIGHT),
        Equality("excess or none", -ETA),
        Equality("weight", ETA * drift * EXCESS / WEIGHT),
        because("another round", times=later),
        Summand(later),
        Equality(inverse, -ETA * BETA * EXCESS * ROOT_B / (2 * ROOT_M)),
        times=1 + ETA * drift / WEIGHT,
    )
    far = (K + 1) * ETA * EXCESS
    squares = proof.claim(
        "gap at the start, squared",
        START**2 - far**2,
        a_square(START - far),
        because(all_rounds, times=2 * (K + 1) * ETA),
        because("gap at the end", times=2 * far),
    )
    most = proof.larger_square("excess of all rounds", START, far, squares)
    return proof.claim(
        "least gradient of all rounds",
        START - (K + 1) * ETA * above,
        because(most),
        because("excess", times=(K + 1) * ETA),
    )
