"""One round of FedAVG with one local step: (35), and with the Lojasiewicz inequality D.F2.s2."""

from dataclasses import dataclass
from typing import final

from bounds.language.assumptions import GRADIENT_DIVERGENCE, LOJASIEWICZ, UNBIASED_NOISE
from bounds.language.proof.expression import ZERO, Scalar, Vector, inner, over, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, a_square, because, fact

INDEPENDENCE = "D.indep"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OneStep:
    gap: Scalar
    next_gap: Scalar
    gradient: Vector
    recursion: str  # (35)


def describe(proof: MachineForm, earlier: tuple[str, ...] = (), *, with_steepness: bool = False) -> OneStep:
    c, E = proof.operator("c"), proof.operator("E")
    L, eta, M = proof.positive("L", "eta", "M")
    (sigma,) = proof.non_negative("sigma")
    lowest = proof.scalar("F_star")
    f = proof.function("f", [c], smooth=L)
    theta, noise = proof.vector("theta", earlier), proof.vector("noise", [c, E, *earlier])
    start = proof.point("start", f, theta)
    gradient = proof.average("gradient", c, start.gradient)
    mean_noise = proof.average("noise.mean", c, noise)
    proof.mean_is(E, noise, ZERO, source=UNBIASED_NOISE.name)
    proof.mean_is(E, mean_noise, ZERO, source=UNBIASED_NOISE.name)
    variance = proof.assume("FL-4", sigma**2 - over(E, square(noise)), source=UNBIASED_NOISE.name)
    if with_steepness:
        proof.condition("D.F2")
    agents = proof.assume(
        "agents are independent",
        over(c, over(E, square(noise))) - M * over(E, square(mean_noise)),
        "= 0",
        source=INDEPENDENCE,
    )
    after = proof.point("after", f, theta - eta * (gradient + mean_noise))
    if with_steepness:
        _steepness(proof, start.gradient, gradient, start.value, lowest)
    value, next_value = over(c, start.value), over(c, over(E, after.value))
    eq33 = proof.search(
        "D.eq33", sigma**2 / M - over(E, square(mean_noise)), because(variance, over=[c]), Equality(agents)
    )
    descent = proof.claim(
        "D.F2.s1",
        value
        + over(E, inner(gradient, after.at - theta))
        + L / 2 * over(E, square(after.at - theta))
        - next_value,
        because(fact("smooth", after, start), over=[c, E]),
    )
    updated = proof.claim(
        "D.F2.s1 (2)",
        value - eta * square(gradient) + L * eta**2 / 2 * over(E, square(gradient + mean_noise)) - next_value,
        because(descent),
    )
    split = proof.claim(
        "D.F2.s1 (3)",
        value
        - eta * square(gradient)
        + L * eta**2 * over(E, square(mean_noise))
        + L * eta**2 * square(gradient)
        - next_value,
        because(updated),
        a_square(gradient - mean_noise, times=L * eta**2 / 2, over=[E]),
    )
    recursion = proof.claim(
        "(35) as an inequality",
        value - eta * (1 - L * eta) * square(gradient) + L * eta**2 * sigma**2 / M - next_value,
        because(split),
        because(eq33, times=L * eta**2),
    )
    return OneStep(gap=value - lowest, next_gap=next_value - lowest, gradient=gradient, recursion=recursion)


def _steepness(proof: MachineForm, g: Vector, gradient: Vector, value: Scalar, lowest: Scalar) -> None:
    (mu,), (zeta,) = proof.positive("mu_1"), proof.non_negative("zeta")
    agent_lowest = proof.scalar("f_star", "real", ["c"])
    proof.assume("F* is a mean", over("c", agent_lowest) - lowest, "= 0", source=DEFINITION)
    proof.assume("FL-2", square(g) - mu * (value - agent_lowest), source=LOJASIEWICZ.name)
    proof.assume("FL-3", zeta**2 - over("c", square(g - gradient)), source=GRADIENT_DIVERGENCE.name)


def prove_steepness(proof: MachineForm, found: OneStep) -> str:
    """(19) with exponent 1, from FL-2 and FL-3."""
    mu, zeta = Scalar("mu_1"), Scalar("zeta")
    return proof.claim(
        "D.eq19",
        square(found.gradient) + zeta**2 - mu * found.gap,
        because("FL-2", over=["c"]),
        because("FL-3"),
        Equality("F* is a mean", -mu),
    )
