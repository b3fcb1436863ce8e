"""Fact 3, by the printed steps: the binomial expansion up to the cube, by induction over the exponent."""

from fractions import Fraction

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because
from bounds.papers.dp_fedavg.notation import geometric_sum

X, M, COUNT = Scalar("x"), Scalar("m_exponent"), Scalar("j")


def _expand(m: Scalar) -> Scalar:
    return 1 - m * X + m * (m - 1) / 2 * X**2 - m * (m - 1) * (m - 2) / 6 * X**3


def _prove() -> MachineForm:
    proof = MachineForm("dp_fedavg.fact_3")
    proof.index("k"), proof.positive("x", "m_exponent")
    proof.sequence("k", proof.scalar("j", ">=", ["k"]), COUNT + 1, 0, M)
    proof.assume("another factor", M - COUNT - 1, source=DEFINITION)
    proof.condition("B.fact3"), proof.domain("m_exponent")
    rest = proof.named("rest", 1 - X, proof.domain("x", upper=True))
    _, power = proof.recursion("power", "k", lambda power: rest * power, 1, ">=")
    twos, _ = proof.induct("j (j - 1) >= 0", "k", COUNT * (COUNT - 1), Summand(2 * COUNT))
    threes, three = proof.induct(
        "j (j - 1) (j - 2) >= 0", "k", COUNT * (COUNT - 1) * (COUNT - 2), because(twos, times=3)
    )
    proof.induct(
        "B.fact3.eq105",
        "k",
        Scalar("power") - _expand(COUNT),
        because(threes, times=X**4 / 6),
        Equality("definition of rest", _expand(COUNT)),
        times=rest,
    )
    total = (1 - power) / X
    s106 = M * (1 - (M - 1) / 2 * X + (M - 1) * (M - 2) / 6 * X**2)
    proof.claim("B.fact3.eq106", s106 - total, because("B.fact3.eq105", times=1 / X))
    s107 = M * (1 - (M - 1) / 2 * X + (M - 1) / 6 * X * (M - 2) / (4 * M))
    small = because("B.fact3", three, times=X / (96 * M))
    proof.claim("B.fact3.eq107", s107 - total, because("B.fact3.eq106"), small)
    last = M * (1 - Fraction(11, 24) * (M - 1) * X) - total
    proof.claim(
        "B.fact3.eq108", last, because("B.fact3.eq107"), because("domain of m_exponent", times=X / 12)
    )
    proof.reads = {geometric_sum: total}
    proof.conclude(because("B.fact3.eq108"), search=True)
    return proof


PROOF = _prove()
