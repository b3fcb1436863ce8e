"""One pass over the T data points of a client, a step along the gradient of each: Theorem 2.

m points are left at a step, and m - 1 after it. An iterate that is `far` from the start adds at most far p(m)
to the sum of the distances, and a gradient p(m - 1) gamma/T times its length. The squares of p sum to T^3/2.
"""

from fractions import Fraction
from math import comb

from bounds.language.proof.expression import Scalar, Vector, over, square
from bounds.language.proof.form import (
    DEFINITION,
    Equality,
    MachineForm,
    Reference,
    Summand,
    a_square,
    because,
    fact,
)
from bounds.papers.fed_norm_ec.proofs import local_pass
from bounds.papers.fed_norm_ec.proofs.local_pass import ALL, GAMMA, STEP, L, Q, T, U
from bounds.papers.fed_norm_ec.proofs.passes import Pass

LEFT, FAR, SLOPE, SUM = Scalar("m_left"), Scalar("far"), Scalar("slope"), Scalar("far.sum")
ONE_LEFT = "a point is left"
WEIGHT = {1: Fraction(1), 2: Fraction(1, 2), 3: Fraction(1, 5)}  # p(m) = sum of u^(e - 1) m^e times these
SQUARES = {
    3: Fraction(1, 3),
    4: Fraction(1, 4),
    5: Fraction(13, 100),
    6: Fraction(1, 30),
    7: Fraction(1, 175),
}
DRIFT = 2 * GAMMA * L * Scalar("root.L")


def declare(proof: MachineForm, w: Vector, moved: Vector, update: Vector, following: Vector) -> Pass:
    """The functions, both passes and the drift; the heterogeneity is that between data points."""
    lowest = proof.scalar("f_ij_inf", over=["i", "j"])
    proof.function("f", ["i", "j"], smooth=L, lowest=lowest)
    proof.sequence("j", proof.scalar("m_left", ">=", ["j"]), LEFT - 1, T, 0)
    proof.assume(ONE_LEFT, LEFT - 1, source=DEFINITION)
    proof.assume("no more points", T - LEFT, source=DEFINITION)
    start, after = proof.point("start", "f", w), proof.point("after", "f", w + moved)
    here = local_pass.follow(proof, "x", w, update)
    there = local_pass.follow(proof, "y", w + moved, following)
    passed, gradients = proof.vector_recursion("g.sum", "j", _PASSED + start.gradient, Vector(()), ALL)
    sums = {
        name: proof.sum(f"{name}.sum", "j", value, over_)[1] / T
        for name, value, over_ in (
            ("value", start.value, ALL),
            ("after", after.value, ALL),
            ("low", lowest, ["i"]),
        )
    }
    local_pass.declare_drift(proof, here, start, gradients / T, passed, update)
    mean = proof.average("g.mean", "i", gradients) / T
    return Pass(here, there, start, after, gradients / T, mean, sums["value"], sums["after"], sums["low"])


_PASSED = Vector((("g.sum", Scalar("1")),))


def prove_smooth(proof: MachineForm, own: Pass, unit: Vector) -> str:
    """Smoothness of the data points, added up."""
    eta, count = Scalar("eta"), local_pass.COUNT
    along, length = proof.inner(_PASSED, unit), L * eta**2 / 2 * square(unit)
    fallen = Scalar("value.sum") - Scalar("after.sum") - eta * along + count * length
    smooth = because(fact("smooth", own.after, own.start))
    _, all_points = proof.induct("smoothness of the points", "j", fallen, smooth)
    fallen = own.value - own.value_after - eta * proof.inner(own.gradient, unit) + length
    return proof.claim("smoothness of a client", fallen, because(all_points, times=1 / T))


def prove_mean_drift(proof: MachineForm, own: Pass) -> str:
    """`DRIFT/2 root.gap - mean of the drifts >= 0`."""
    one, bent = local_pass.prove_drift(proof, own.here, own.start, _PASSED)
    bound = GAMMA * Scalar("root.L") * Scalar("root.gap")
    length = over("i", Scalar("far.sum.last"))
    price = 2 * length / (GAMMA**2 * T)
    proof.sum("slope.sum", "j", SLOPE**2, ALL)
    own_sum = _prove_weighted(proof, one, price)
    _, lowest = proof.induct(
        "gaps of the points",
        "j",
        2 * L * (Scalar("value.sum") - Scalar("low.sum")) - Scalar("slope.sum"),
        because(fact("lowest_value_by_gradient", own.start), times=2 * L),
    )
    small = _prove_small(proof)
    most = proof.search(
        "mean of the distances, squared",
        (T * bound) ** 2 - length**2,
        because(own_sum, times=GAMMA**2 * T / 2, over=["i"]),
        because(lowest, times=GAMMA**2 * T / 2, over=["i"]),
        because(small, times=length**2 * 2 / T**3),
        Equality("Delta"),
    )
    distances = proof.larger_square("A.lem8", T * bound, length, most)
    return proof.claim(
        "mean drift",
        L * bound - over("i", Scalar("drift")),
        because(bent, times=1 / GAMMA, over=["i"]),
        because(distances, times=L / T),
    )


def _prove_weighted(proof: MachineForm, one: str, price: Scalar) -> str:
    """Prove, at a price t >= 0, that t^2 (gamma/T)^2 F(T) + the squared slopes >= 2 t times the distances."""
    weights = _add(WEIGHT, LEFT, 1)
    rate = price * STEP
    statement = (
        rate**2 * (_add(SQUARES, T, 3) - _add(SQUARES, LEFT, 3))
        + Scalar("slope.sum")
        - 2 * price * (SUM + weights * FAR)
    )
    reasons = [a_square(SLOPE - rate * _add(WEIGHT, LEFT - 1, 1))]
    for power, weight in SQUARES.items():
        reasons += [
            because(*_repeat_one_left(a), times=rate**2 * weight * comb(power, a) * U ** (power - 3))
            for a in range(power - 1)
        ]
    for power, weight in WEIGHT.items():
        reasons.append(because(one, *_repeat_one_left(power), times=2 * price * weight * U ** (power - 1)))
    far = 2 * price * FAR
    reasons += [
        Summand(far * U / 2),
        Summand(far * U**2 / 5),
        because(*_repeat_one_left(1), times=far * U**2 * 3 / 5),
        because(*_repeat_one_left(2), "2 L gamma <= 1", times=far * U**2 / 10),
        because(*_repeat_one_left(2), "no more points", times=far * U**3 / 5),
        because(*_repeat_one_left(2), times=far * U**3 / 5),
    ]
    return proof.induct("distances, weighted", "j", statement, *reasons, start=[])[1]


def _repeat_one_left(power: int) -> tuple[Reference, ...]:
    return (ONE_LEFT,) * power


def _add(weights: dict[int, Fraction], m: Scalar, least: int) -> Scalar:
    """The polynomial in m whose power e has u^(e - least)."""
    parts = [weight * U ** (power - least) * m**power for power, weight in weights.items()]
    return sum(parts[1:], parts[0])


def _prove_small(proof: MachineForm) -> str:
    """T^3/2 is at least the sum of squares F(T)."""
    carried, reasons = Fraction(0), list[Summand]()
    for power in sorted(SQUARES, reverse=True)[:-1]:
        carried = SQUARES[power] + carried / 2
        reasons.append(because("2 L gamma <= 1", times=T**3 * Q ** (power - 4) * carried / 2))
    spare = Fraction(1, 2) - SQUARES[3] - carried / 2
    return proof.claim(
        "squares of the weights", T**3 / 2 - _add(SQUARES, T, 3), *reasons, Summand(spare * T**3)
    )
