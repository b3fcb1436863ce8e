"""Lemma F.3 as printed, on the way of Theorem F.4 as amended; and steps of the printed proof.

What a round of (40) adds is kappa C^alpha for kappa = eta mu/4 and C = 2 (zeta^2/mu)^(1/alpha) + (2 L eta
sigma^2/(M mu))^(1/alpha). With half of its kappa the map s - kappa s^alpha grows on all gaps, so that no case
of a gap below C is needed.
"""

from bounds.language.assumptions import GRADIENT_DIVERGENCE
from bounds.language.proof.expression import Scalar, Vector, over, square
from bounds.language.proof.form import Equality, MachineForm, Point, Summand, because
from bounds.papers.fedavg_lojasiewicz.lemma_f3 import LEMMA
from bounds.papers.fedavg_lojasiewicz.proofs import one_step, power_recursion
from bounds.papers.fedavg_lojasiewicz.proofs.one_step import OneStep
from bounds.papers.fedavg_lojasiewicz.proofs.power_recursion import (
    ALPHA,
    EXPONENT,
    FLOOR,
    GAP,
    KAPPA,
    MU,
    NEXT,
    ZETA,
    L,
    power,
    times_power,
)

ETA, M, SIGMA = Scalar("eta"), Scalar("M"), Scalar("sigma")
FLOORS = {"floor.zeta": ZETA**2 / MU, "floor.sigma": 2 * L * ETA * SIGMA**2 / (M * MU)}
NOISE = L * ETA**2 * SIGMA**2 / M


def _prove() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.lemma_f3")
    power_recursion.declare_rounds(proof)
    found = one_step.describe(proof, ("past", "r"), declare=_declare, lowest=Scalar("f_star"))
    short = proof.search("eta L <= 1", 1 - ETA * L, because("D.F3", times=1 / L))
    # kappa G^m is eta L/2, and alpha at most 2
    power_recursion.prove_largest(
        proof,
        because(short),
        because("m <= 1", times=ETA * L / 2),
        Equality("largest gap", -ETA * ALPHA / 4),
    )
    _prove_round(proof, found, short)
    first_term, *floors = (term.expression for term in LEMMA.terms)
    read = dict(zip(floors, (2 * Scalar(name) for name in FLOORS), strict=True))
    return power_recursion.conclude(proof, first_term, read, Summand(Scalar("floor.sigma")))


def _declare(proof: MachineForm, start: Point, after: Point, gradient: Vector) -> None:
    proof.non_negative("zeta"), proof.condition("D.F3")
    near = ZETA**2 - over("c", square(start.gradient - gradient))
    proof.assume("FL-3", near, source=GRADIENT_DIVERGENCE.name)
    twice = 2 * Scalar("floor.zeta")
    power_recursion.declare_gaps(proof, start, after, ETA * MU / 4, FLOORS, twice + Scalar("floor.sigma"))
    proof.power("pair^m", proof.let("pair", twice), EXPONENT)


def _prove_round(proof: MachineForm, found: OneStep, short: str) -> None:
    """(40) with the noise halved, and s.next <= s - kappa s^alpha + kappa C^alpha."""
    size = square(found.gradient)
    proof.claim(
        "D.F3.s1", found.gap - ETA * (1 - L * ETA) * size + NOISE - found.next_gap, because(found.recursion)
    )
    power_mean, past_mean = power_recursion.prove_means(proof, found.gradient, "FL-3")
    half = proof.claim(
        "half of the descent",
        found.gap - ETA / 2 * size + NOISE / 2 - found.next_gap,
        because(found.updated),
        because("D.eq33", times=L * ETA**2 / 2),
        because(short, times=ETA / 2 * size),
    )
    step = found.gap - ETA * MU / 2 * times_power("gap") + ETA / 2 * ZETA**2 + NOISE - found.next_gap
    proof.claim(
        "(40) for every step up to 1/L",
        step,
        because(half),
        because("steepness", times=ETA / 2),
        because(power_mean, times=ETA * MU / 2),
        Summand(NOISE / 2),
    )
    mean = found.gap - found.next_gap
    proof.claim(
        "D.F3.s3",
        over("past", mean) - ETA * MU / 2 * times_power("s") + ETA / 2 * ZETA**2 + NOISE,
        because("(40) for every step up to 1/L", over=["past"]),
        because(past_mean, times=ETA * MU / 2),
    )
    _prove_mean_round(proof, half, power_mean, past_mean)


def _prove_mean_round(proof: MachineForm, half: str, power_mean: str, past_mean: str) -> None:
    """The same of the mean gaps."""
    same = (
        Equality("mean gap"),
        Equality("definition of gap", 1, ("past",)),
        Equality("definition of gap.start", 1, ("past", "c")),
        Equality("mean gap after", -1),
        Equality("definition of gap.after", -1, ("past", "c", "E")),
    )
    proof.claim(
        "D.F3.s4",
        GAP - ETA * MU / 2 * times_power("s") + ETA / 2 * ZETA**2 + NOISE - NEXT,
        because("D.F3.s3"),
        *same,
    )
    twice = power_recursion.add_powers(proof, "pair", "floor.zeta", "floor.zeta")
    floor = power_recursion.add_powers(proof, "C", "pair", "floor.sigma")
    proof.claim(
        "one round of mean gaps",
        GAP - KAPPA * times_power("s") + KAPPA * FLOOR * power("C") - NEXT,
        because(half, over=["past"]),
        because("steepness", times=ETA / 2, over=["past"]),
        because(power_mean, times=ETA * MU / 2, over=["past"]),
        because(past_mean, times=ETA * MU / 2),
        because(floor, times=KAPPA),
        because(twice, times=KAPPA),
        Summand(KAPPA * times_power("s")),
        *same,
        Equality("definition of floor.zeta^alpha", 2 * KAPPA),
        Equality("definition of floor.sigma^alpha", KAPPA),
    )


PROOF = _prove()
