"""Theorem F.4 as amended: the recursion of the mean gaps for an exponent above 1, over all rounds."""

from fractions import Fraction

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import Equality, MachineForm, Summand, because
from bounds.papers.fedavg_lojasiewicz.proofs import one_round, power_recursion
from bounds.papers.fedavg_lojasiewicz.proofs.one_round import (
    ETA,
    SIGMA,
    SMALL,
    ZETA,
    H,
    L,
    M,
    Mean,
    Round,
    Steps,
    X,
)
from bounds.papers.fedavg_lojasiewicz.proofs.power_recursion import (
    ALPHA,
    FLOOR,
    GAP,
    KAPPA,
    MU,
    NEXT,
    power,
    times_power,
)
from bounds.papers.fedavg_lojasiewicz.theorem_f4 import AMENDED as STATEMENT

FLOORS = {
    "floor.zeta": Fraction(61, 60) * ZETA**2 / MU,
    "floor.sigma": Fraction(29, 36) * L * ETA * SIGMA**2 / (M * MU),
}


def _prove() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.theorem_f4", "amended")
    power_recursion.declare_rounds(proof)
    few = (because("D.F4", times=1 / (18 * M * H * L)), because("domain of M", times=18 * X))
    found = one_round.describe(
        proof, ("past", "r"), few, lambda steps, mean: _declare(proof, steps, mean), lowest=Scalar("f_star")
    )
    power_recursion.prove_largest(
        proof,
        because(SMALL, times=Fraction(1, 6)),
        because("m <= 1", times=Fraction(3, 2) * X),
        Summand(Fraction(5, 6)),
        Equality("largest gap", -Fraction(3, 4) * ETA * H * ALPHA),
    )
    _prove_round(proof, found)
    first_term, *floors = (term.expression for term in STATEMENT.terms)
    return power_recursion.conclude(proof, first_term, dict(zip(floors, map(Scalar, FLOORS), strict=True)))


def _declare(proof: MachineForm, steps: Steps, mean: Mean) -> None:
    proof.domain("M")
    floor = Scalar("floor.zeta") + Scalar("floor.sigma")
    kappa = Fraction(3, 4) * ETA * H * MU
    power_recursion.declare_gaps(proof, steps.start, mean.after, kappa, FLOORS, floor)


def _prove_round(proof: MachineForm, found: Round) -> None:
    """s.next <= s - kappa s^alpha + kappa C^alpha."""
    power_mean, past_mean = power_recursion.prove_means(proof, found.gradient, found.dissimilarity)
    unit = ETA**2 * H * L * SIGMA**2 / M
    floor = power_recursion.add_powers(proof, "C", "floor.zeta", "floor.sigma")
    proof.claim(
        "one round of mean gaps",
        GAP - KAPPA * times_power("s") + KAPPA * FLOOR * power("C") - NEXT,
        because(found.recursion, over=["past"]),
        because("steepness", times=Fraction(3, 4) * ETA * H, over=["past"]),
        because(power_mean, times=KAPPA, over=["past"]),
        because(past_mean, times=KAPPA),
        because(floor, times=KAPPA),
        because("D.F4", times=unit / (24 * 18 * M * H * L)),
        Summand(Fraction(3, 4) * ETA**3 * H * L**2 * SIGMA**2),
        Equality("mean gap"),
        Equality("definition of gap", 1, ("past",)),
        Equality("definition of gap.start", 1, ("past", "c")),
        Equality("mean gap after", -1),
        Equality("definition of gap.after", -1, ("past", "c", "E")),
        *(Equality(f"definition of {name}^alpha", KAPPA) for name in FLOORS),
    )


AMENDED = _prove()
