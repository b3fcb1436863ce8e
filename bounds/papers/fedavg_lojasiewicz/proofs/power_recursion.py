"""The recursion of mean gaps for an exponent above 1: s.next <= s - kappa s^alpha + kappa C^alpha.

m is alpha - 1, and `x^m` a power. G is the largest gap that FL-1 and FL-2 allow, C the floor, gamma the
smaller of both, and v - u the parts of s - gamma above and below 0. v stays below f0_gap decay, where
decay^m (1 + kappa m r f0_gap^m) = 1.
"""

from collections.abc import Mapping

from sympy import Expr

from bounds.language.assumptions import LOJASIEWICZ
from bounds.language.proof.expression import Scalar, Vector, over, square
from bounds.language.proof.form import (
    DEFINITION,
    Equality,
    MachineForm,
    Point,
    Reference,
    Summand,
    because,
    fact,
    power_of_product,
    power_tangent,
)
from bounds.language.proof.lemmas import bound_by_product
from bounds.papers.fedavg_lojasiewicz import notation as n

L, ZETA, MU, EXPONENT, START, COUNT, R = (
    Scalar(name) for name in ("L", "zeta", "mu", "m", "f0_gap", "r_now", "R")
)
GAP, NEXT, FLOOR, LARGEST, KAPPA = (Scalar(name) for name in ("s", "s.next", "C", "G", "kappa"))
LEAST, ABOVE, BELOW, TOP = Scalar("gamma"), Scalar("v"), Scalar("u"), Scalar("gamma") + Scalar("v")
DECAY, DECAY_NEXT, ALPHA = Scalar("decay"), Scalar("decay.next"), 1 + EXPONENT
AT_MOST, SLOPE = Scalar("G^m"), Scalar("q^m")


def power(name: str) -> Scalar:
    return Scalar(f"{name}^m")


def times_power(name: str) -> Scalar:
    """x^alpha."""
    return Scalar(name) * power(name)


def tangent(first: str, second: str) -> Reference:
    return power_tangent(power(first), power(second))


def declare_rounds(proof: MachineForm) -> None:
    proof.index("r"), proof.operator("past")
    proof.non_negative("f0_gap", "R"), proof.positive("mu", "alpha", "G")
    proof.domain("alpha"), proof.domain("alpha", upper=True)
    proof.named("m", Scalar("alpha") - 1, "domain of alpha")
    count = proof.scalar("r_now", ">=", ["r"])
    proof.sequence("r", count, count + 1, 0, R)


def declare_gaps(
    proof: MachineForm, start: Point, after: Point, kappa: Scalar, floors: Mapping[str, Scalar], floor: Scalar
) -> None:
    """FL-2 at the ends of a round and at the start, the mean gaps, and the numbers.

    `floors` are the powers x^alpha of the numbers that the floor is made of.
    """
    first = proof.point("first", "f", proof.vector("theta.0"))
    for point in (start, after, first):
        gap = proof.named(f"gap.{point.name}", point.value - Scalar("f_star"), fact("lowest_value", point))
        steep = square(point.gradient) - MU * gap * proof.power(f"gap.{point.name}^m", gap, EXPONENT)
        proof.assume(f"FL-2 at {point.name}", steep, source=LOJASIEWICZ.name)
    gap = proof.named("gap", over("c", Scalar("gap.start")))
    own = proof.scalar("s", ">=", ["r"]), proof.scalar("s.next", ">=", ["r"])
    proof.sequence("r", *own, START, proof.scalar("s.R"))
    proof.assume("mean gap", GAP - over("past", gap), "= 0", source=DEFINITION)
    mean_after = over("past", over("c", over("E", Scalar("gap.after"))))
    proof.assume("mean gap after", NEXT - mean_after, "= 0", source=DEFINITION)
    proof.assume("gap at the start", START - over("c", Scalar("gap.first")), "= 0", source="f0_gap")
    proof.let("kappa", kappa)
    for name, value in floors.items():
        proof.non_negative(name), proof.power(f"{name}^m", Scalar(name), EXPONENT)
        proof.assume(f"definition of {name}^alpha", times_power(name) - value, "= 0", source=DEFINITION)
    proof.let("C", floor)
    _declare_numbers(proof)


def _declare_numbers(proof: MachineForm) -> None:
    for name, base in (("C", FLOOR), ("G", LARGEST), ("f0_gap", START), ("s", GAP), ("gap", Scalar("gap"))):
        proof.power(f"{name}^m", base, EXPONENT)
    proof.assume("largest gap", MU * AT_MOST - 2 * L, "= 0", source=DEFINITION)
    proof.non_negative("gamma")
    for name, bound in (("gamma <= C", FLOOR), ("gamma <= G", LARGEST)):
        proof.assume(name, bound - LEAST, source=DEFINITION)
    proof.assume("gamma is one of them", (FLOOR - LEAST) * (LARGEST - LEAST), "= 0", source=DEFINITION)
    for where, gap in (("", GAP), (".next", NEXT), (".0", START), (".R", Scalar("s.R"))):
        over_r = ["r"] if where in ("", ".next") else []
        v, u = proof.scalar(f"v{where}", ">=", over_r), proof.scalar(f"u{where}", ">=", over_r)
        proof.assume(f"parts{where}", v - u - gap + LEAST, "= 0", source=DEFINITION)
        proof.assume(f"one part{where}", v * u, "= 0", source=DEFINITION)
    proof.sequence("r", ABOVE, Scalar("v.next"), Scalar("v.0"), Scalar("v.R"))
    for name, rounds in (("decay", COUNT), ("decay.next", COUNT + 1), ("decay.R", R)):
        number = proof.scalar(name, ">", [] if name == "decay.R" else ["r"])
        unit = proof.power(f"{name}^m", number, EXPONENT) * (1 + KAPPA * EXPONENT * rounds * power("f0_gap"))
        proof.assume(f"definition of {name}", unit - 1, "= 0", source=DEFINITION)
    proof.sequence("r", DECAY, DECAY_NEXT, 1, Scalar("decay.R"))
    for name, base in (("v", ABOVE), ("q", TOP), ("gamma", LEAST), ("b", START * DECAY)):
        proof.power(f"{name}^m", base, EXPONENT)


def prove_largest(proof: MachineForm, *short: Summand | Equality) -> None:
    """No gap is above G, and 1 - kappa alpha G^m >= 0, whose reasons are `short`."""
    for name in ("start", "after", "first"):
        gap = Scalar(f"gap.{name}")
        proof.claim(
            f"{name} <= G",
            LARGEST - gap,
            because(tangent(f"gap.{name}", "G"), times=MU),
            because(f"FL-2 at {name}"),
            because(["lowest_value_by_gradient", name], times=2 * L),
            Equality("largest gap", gap),
            Equality(f"definition of gap.{name}", 2 * L),
            times=MU * EXPONENT * AT_MOST,
        )
    proof.claim(
        "s <= G",
        LARGEST - GAP,
        because("start <= G", over=["past", "c"]),
        Equality("mean gap", -1),
        Equality("definition of gap", -1, ("past",)),
    )
    after = because("after <= G", over=["past", "c", "E"])
    proof.claim("s.next <= G", LARGEST - NEXT, after, Equality("mean gap after", -1))
    first = because("first <= G", over=["c"])
    proof.claim("f0_gap <= G", LARGEST - START, first, Equality("gap at the start", -1))
    exponent = Equality("definition of m", -1)
    proof.claim("m <= 1", 1 - EXPONENT, because("largest alpha"), exponent)
    proof.claim("kappa alpha G^m <= 1", 1 - KAPPA * ALPHA * AT_MOST, *short)


def add_powers(proof: MachineForm, q_name: str, x: str, y: str) -> str:
    """q^alpha is at least x^alpha + y^alpha for q = x + y."""
    q, k = Scalar(x) + Scalar(y), power(x) + power(y)
    total = q * power(q_name)
    value = total - times_power(x) - times_power(y)
    product = proof.claim(
        f"{q_name}^alpha, times {q_name}",
        k * q * value,
        because(tangent(q_name, x), times=k * Scalar(x)),
        because(tangent(q_name, y), times=k * Scalar(y)),
        Summand(k * EXPONENT * Scalar(x) * Scalar(y) * k),
    )
    rest = total + power(x) * Scalar(y) + power(y) * Scalar(x)
    weak = proof.claim(f"{q_name}^alpha, weakly", value + k * q, Summand(rest))
    return bound_by_product(proof, f"{q_name}^alpha", value, k * q, weak, product)


def prove_means(proof: MachineForm, gradient: Vector, dissimilarity: str) -> tuple[str, str]:
    """(19) at theta_r, and Jensen for x^alpha over the agents and over the past."""
    each = times_power("gap.start")
    proof.claim(
        "steepness",
        square(gradient) + ZETA**2 - MU * over("c", each),
        because("FL-2 at start", over=["c"]),
        because(dissimilarity),
    )
    power_mean = proof.claim(
        "mean of the powers",
        over("c", each) - times_power("gap"),
        because(tangent("gap.start", "gap"), over=["c"]),
        Equality("definition of gap", -ALPHA * power("gap")),
    )
    past_mean = proof.claim(
        "mean of the powers, over the past",
        over("past", times_power("gap")) - times_power("s"),
        because(tangent("gap", "s"), over=["past"]),
        Equality("mean gap", -ALPHA * power("s")),
    )
    return power_mean, past_mean


def _prove_slopes(proof: MachineForm) -> None:
    """The powers of gamma + v, of v and of f0_gap z are at most that of G."""
    above = LARGEST - TOP
    product = proof.claim(
        "v (G - q)",
        ABOVE * above,
        because("s <= G", times=ABOVE),
        Equality("parts", -ABOVE),
        Equality("one part", -1),
    )
    weak = proof.claim("G - gamma", above + ABOVE, because("gamma <= G"))
    top = bound_by_product(proof, "q <= G", above, ABOVE, weak, product)
    proof.claim("v <= G", LARGEST - ABOVE, because(top), Summand(LEAST))
    for name in ("q", "v", "f0_gap"):
        proof.claim(
            f"{name}^m <= G^m",
            AT_MOST - power(name),
            because(tangent("G", name)),
            because(f"{name} <= G", times=EXPONENT * power(name)),
            times=LARGEST,
        )
        proof.claim(
            f"kappa alpha {name}^m <= 1",
            1 - KAPPA * ALPHA * power(name),
            because("kappa alpha G^m <= 1"),
            because(f"{name}^m <= G^m", times=KAPPA * ALPHA),
        )
    short = because("kappa alpha v^m <= 1"), Summand(KAPPA * EXPONENT * power("v"))
    proof.claim("kappa v^m <= 1", 1 - KAPPA * power("v"), *short)


def _prove_next(proof: MachineForm) -> None:
    """v.next <= v - kappa v^alpha."""
    _prove_slopes(proof)
    left, k = ABOVE - KAPPA * times_power("v"), KAPPA * ALPHA * power("C")
    value, factor = LEAST + left - NEXT, k * (FLOOR - LEAST)
    both = add_powers(proof, "q", "gamma", "v")
    parts = Equality("parts", 1 - KAPPA * ALPHA * SLOPE)
    weak = proof.claim(
        "next, from below",
        value + factor,
        because("one round of mean gaps"),
        because("kappa alpha q^m <= 1", times=BELOW),
        because(tangent("s", "q"), times=KAPPA),
        because(both, times=KAPPA),
        because(tangent("gamma", "C"), times=KAPPA),
        parts,
    )
    product = proof.claim(
        "next, where C is above G",
        factor * value,
        because("gamma <= C", "s.next <= G", times=k),
        because("gamma <= C", "kappa v^m <= 1", times=k * ABOVE),
        Equality("gamma is one of them", -k),
    )
    fallen = bound_by_product(proof, "next", value, factor, weak, product)
    _prove_next_part(proof, left, fallen)


def _prove_next_part(proof: MachineForm, left: Scalar, fallen: str) -> None:
    """The part of the next gap above 0 is no larger than what is left, which is at least 0."""
    rest, after = left - Scalar("v.next"), Scalar("v.next")
    keep = because("kappa v^m <= 1", times=ABOVE)
    product = proof.claim(
        "next part, times itself",
        after * rest,
        because(fallen, times=after),
        Equality("parts.next", -after),
        Equality("one part.next", -1),
    )
    weak = proof.claim("next part, weakly", rest + after, keep)
    bound_by_product(proof, "next part", rest, after, weak, product)


def _prove_decay(proof: MachineForm) -> None:
    """z.next >= z - kappa f0_gap^m z^alpha, as m times its rise is the power's."""
    rate, powers = KAPPA * power("f0_gap"), (power("decay"), power("decay.next"))
    turned = proof.claim(
        "powers of z",
        powers[0] - powers[1] * (1 + EXPONENT * rate * powers[0]),
        Equality("definition of decay", powers[1]),
        Equality("definition of decay.next", -powers[0]),
        relation="= 0",
    )
    proof.claim(
        "decay of a round",
        DECAY_NEXT - DECAY + rate * times_power("decay"),
        because(tangent("decay", "decay.next")),
        Equality(turned, -DECAY),
        times=EXPONENT * powers[1],
    )
    fallen = Summand(KAPPA * EXPONENT * COUNT * power("f0_gap") * power("decay"))
    proof.claim("decay^m <= 1", 1 - power("decay"), fallen, Equality("definition of decay", -1))


def _prove_start(proof: MachineForm) -> str:
    """v is at most the gap at the start."""
    first, rest = Scalar("v.0"), START - Scalar("v.0")
    parts = Equality("parts.0", -first), Equality("one part.0", -1)
    product = proof.claim("start, times v.0", first * rest, Summand(first * LEAST), *parts)
    weak = proof.claim("start, weakly", rest + first, Summand(START))
    return bound_by_product(proof, "start", rest, first, weak, product)


def conclude(
    proof: MachineForm, first_term: Expr, floors: Mapping[Expr, Scalar], *more: Summand | Equality
) -> MachineForm:
    """The bound after the last round; `more` is what the statement has above it."""
    _prove_next(proof)
    _prove_decay(proof)
    slope = power("f0_gap") * power("decay")
    small = proof.claim(
        "a round keeps the sign",
        1 - KAPPA * ALPHA * slope,
        because("kappa alpha f0_gap^m <= 1"),
        because("decay^m <= 1", times=KAPPA * ALPHA * power("f0_gap")),
    )
    keeps, start = proof.named("keeps", 1 - KAPPA * ALPHA * slope, small), _prove_start(proof)
    b = START * DECAY
    one_power = power_of_product(power("b"), power("f0_gap"), power("decay"))
    _, all_rounds = proof.induct(
        "rounds",
        "r",
        b - ABOVE,
        because("next part"),
        because("decay of a round", times=START),
        because(tangent("v", "b"), times=KAPPA),
        Equality(one_power, KAPPA * (b - ALPHA * (b - ABOVE))),
        Equality("definition of keeps", ABOVE - b),
        start=[because(start)],
        times=keeps,
    )
    proof.reads |= {n.final_gap: Scalar("s.R"), first_term: START * Scalar("decay.R"), **floors}
    rest = because("gamma <= C"), Summand(Scalar("u.R")), Equality("parts.R")
    proof.conclude(because(all_rounds), *rest, *more, search=True)
    return proof
