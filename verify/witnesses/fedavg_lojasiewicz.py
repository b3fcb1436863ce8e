"""FedAvg under a Lojasiewicz condition."""

from typing import Any

from bounds.finding import FindingClass
from verify.witness import Measured, Witness, at_a_point, measured_on

ONE_STEP: dict[str, Any] = {
    "M": 1, "L": 1.0, "eta": 1.0, "mu": 1.0, "alpha": 2.0, "zeta": 0.0, "sigma": 0.0,
}  # fmt: skip
# f = m theta^2/2 with m = 1/1000: L = m, and in the paper's convention mu = 2 m.
FLAT: dict[str, Any] = {
    "M": 1, "L": 1e-3, "eta": 1 / 18e-3, "mu_1": 2e-3, "zeta": 0.0, "sigma": 1.0,
}  # fmt: skip


def theorem_f2() -> Measured:
    """The stationary gap of noisy gradient descent on f = m theta^2/2 is eta sigma^2/(2 (2 - eta m))."""
    stationary = FLAT["eta"] / (2 * (2 - FLAT["eta"] * FLAT["L"]))
    return at_a_point("fedavg_lojasiewicz.theorem_f2", stationary, f0_gap=0.0, R=10**6, **FLAT, H=1)


_BY_MU = "with both noise terms divided by mu, as its recursion gives"

WITNESSES = (
    Witness(
        statement="fedavg_lojasiewicz.theorem_f2",
        measure=theorem_f2,
        why="on a flat quadratic the noise piles up like 1/mu, and the printed noise terms have no 1/mu",
        right=_BY_MU,
    ),
    Witness(
        statement="fedavg_lojasiewicz.claims_of_theorem_f2.h1end",
        measure=lambda: measured_on(
            "fedavg_lojasiewicz.claims_of_theorem_f2.h1end", **FLAT, f0_gap=0.0, R=10**4
        ),
        why="the recursion for one local step gives a noise of 2 L eta sigma^2/(mu M)",
        right=_BY_MU,
    ),
    Witness(
        statement="fedavg_lojasiewicz.claims_of_theorem_f2.unroll",
        measure=lambda: measured_on(
            "fedavg_lojasiewicz.claims_of_theorem_f2.unroll", **FLAT, H=1, f0_gap=0.0, R=2000
        ),
        why="summing the contraction factors gives 4/(eta H mu), which the printed noise terms lack",
        right=_BY_MU,
    ),
    Witness(
        statement="fedavg_lojasiewicz.claims_of_lemma_f3.eta1l",
        measure=lambda: measured_on(
            "fedavg_lojasiewicz.claims_of_lemma_f3.eta1l", **ONE_STEP, gap=1.0, gradient_norm=1.0
        ),
        why="at eta = 1/L the right-hand side of (35) has no descent left",
        right="for eta <= 1/(2L); (40) itself is not refuted by this",
    ),
    Witness(
        statement="fedavg_lojasiewicz.equation_41",
        measure=lambda: measured_on("fedavg_lojasiewicz.equation_41", **ONE_STEP | {"sigma": 1.0}, s_r=2.0),
        why="the noise L eta^2 sigma^2/M of the line before is gone",
        right="with (eta/2) zeta^2 + L eta^2 sigma^2/M in place of eta zeta^2",
    ),
    Witness(
        statement="fedavg_lojasiewicz.claims_of_lemma_f3.twice_the_floor",
        measure=lambda: measured_on(
            "fedavg_lojasiewicz.claims_of_lemma_f3.twice_the_floor",
            **ONE_STEP | {"mu": 100.0, "zeta": 1.0},
            s_r=0.0,
            rounds=1,
        ),
        why="from F* a round may lead to (eta/2) zeta^2 = 1/2, and C is zeta/sqrt(mu) = 1/10",
        right="with kappa C^(alpha-1) <= 1; or for the gaps of a run, which FL-1 and FL-2 bound",
        grade=FindingClass.INTERPRETATION,
    ),
    Witness(
        statement="fedavg_lojasiewicz.claims_of_theorem_f4.same",
        measure=lambda: measured_on(
            "fedavg_lojasiewicz.claims_of_theorem_f4.same",
            **ONE_STEP | {"eta": 1 / 36, "sigma": 1.0},
            H=2,
        ),
        why="with zeta = 0 the floor holds the noise of the round exactly, and not the drift by noise",
        right="of that type in its form; for its C with 17 in place of 16 in the noise, for which the "
        "conclusion of Theorem F.4 has room",
        grade=FindingClass.INTERPRETATION,
    ),
)
