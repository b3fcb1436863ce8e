"""One round of FedAVG with one local step: (35), and with the Lojasiewicz inequality D.F2.s2."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from bounds.language.assumptions import GRADIENT_DIVERGENCE, LOJASIEWICZ, UNBIASED_NOISE
from bounds.language.proof.expression import ZERO, Scalar, Vector, inner, over, square
from bounds.language.proof.form import Equality, MachineForm, Point, a_square, because, fact

INDEPENDENCE = "D.indep"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OneStep:
    gap: Scalar
    next_gap: Scalar
    gradient: Vector
    recursion: str  # (35)
    updated: str  # (35) before the second moment of the noise is split off


def describe(
    proof: MachineForm,
    earlier: tuple[str, ...] = (),
    *,
    declare: Callable[[MachineForm, Point, Point, Vector], None] = lambda *_: None,
    with_steepness: bool = False,
    **agent_lowest: Scalar,
) -> OneStep:
    """One round from theta_r. `declare` describes what else is given; the agents may have a lowest value."""
    c, E = proof.operator("c"), proof.operator("E")
    L, eta, M = proof.positive("L", "eta", "M")
    (sigma,) = proof.non_negative("sigma")
    if agent_lowest:
        lowest = over(c, proof.scalar("f_star", "real", [c]))
    else:
        lowest = proof.scalar("F_star")
    f = proof.function("f", [c], smooth=L, **agent_lowest)
    theta, noise = proof.vector("theta", earlier), proof.vector("noise", [c, E, *earlier])
    start = proof.point("start", f, theta)
    gradient = proof.average("gradient", c, start.gradient)
    mean_noise = proof.average("noise.mean", c, noise)
    proof.mean_is(E, noise, ZERO, source=UNBIASED_NOISE.name)
    proof.mean_is(E, mean_noise, ZERO, source=UNBIASED_NOISE.name)
    proof.assume("FL-4", sigma**2 - over(E, square(noise)), source=UNBIASED_NOISE.name)
    if with_steepness:
        proof.condition("D.F2")
    scattered = over(c, over(E, square(noise))) - M * over(E, square(mean_noise))
    proof.assume("agents are independent", scattered, "= 0", source=INDEPENDENCE)
    after = proof.point("after", f, theta - eta * (gradient + mean_noise))
    if with_steepness:
        _assume_steepness(proof, start.gradient, gradient, start.value, lowest)
    declare(proof, start, after, gradient)
    updated, recursion = _prove_recursion(proof, start, after, gradient, mean_noise)
    gap, next_gap = over(c, start.value) - lowest, over(c, over(E, after.value)) - lowest
    return OneStep(gap=gap, next_gap=next_gap, gradient=gradient, recursion=recursion, updated=updated)


def _prove_recursion(
    proof: MachineForm, start: Point, after: Point, gradient: Vector, noise: Vector
) -> tuple[str, str]:
    """(35), by (33) and `D.F2.s1`."""
    L, eta, M, sigma = (Scalar(name) for name in ("L", "eta", "M", "sigma"))
    fallen, move = over("c", start.value) - over("c", over("E", after.value)), after.at - start.at
    eq33 = proof.search(
        "D.eq33",
        sigma**2 / M - over("E", square(noise)),
        because("FL-4", over=["c"]),
        Equality("agents are independent"),
    )
    descent = proof.claim(
        "D.F2.s1",
        fallen + over("E", inner(gradient, move)) + L / 2 * over("E", square(move)),
        because(fact("smooth", after, start), over=["c", "E"]),
    )
    fallen = fallen - eta * square(gradient)
    updated = proof.claim(
        "D.F2.s1 (2)", fallen + L * eta**2 / 2 * over("E", square(gradient + noise)), because(descent)
    )
    split = proof.claim(
        "D.F2.s1 (3)",
        fallen + L * eta**2 * over("E", square(noise)) + L * eta**2 * square(gradient),
        because(updated),
        a_square(gradient - noise, times=L * eta**2 / 2, over=["E"]),
    )
    recursion = proof.claim(
        "(35) as an inequality",
        fallen + L * eta**2 * square(gradient) + L * eta**2 * sigma**2 / M,
        because(split),
        because(eq33, times=L * eta**2),
    )
    return updated, recursion


def _assume_steepness(proof: MachineForm, g: Vector, gradient: Vector, value: Scalar, lowest: Scalar) -> None:
    (mu,), (zeta,) = proof.positive("mu_1"), proof.non_negative("zeta")
    agent_lowest = proof.scalar("f_star", "real", ["c"])
    proof.assume("F* is a mean", over("c", agent_lowest) - lowest, "= 0", source="F_star")
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
