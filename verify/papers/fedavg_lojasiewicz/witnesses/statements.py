"""FedAvg under a Lojasiewicz condition."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.language.finding import FindingClass
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


def noise_alone() -> Measured:
    """f = 0, two local steps of 1/10 with noise 1 or -1, L = 1: both relations hold noise and its drift."""
    return measured_on(
        "fedavg_lojasiewicz.claims_of_lemma_f1.complete",
        gradient=np.zeros_like,
        deviations=np.array([[[1.0], [-1.0]]]),
        theta=np.zeros(1),
        eta=0.1,
        H=2,
        L=1.0,
    )


def steep_exponent() -> Measured:
    """theta^2/2 from a gap of 1, M = L = H = R = mu = 1, eta = 1/18, no noise; alpha = 3 as gap^2 <= 2.

    The bound is 1/(1 + sqrt(eta mu 2/4)) = 6/7 there.
    """
    step, initialization = Fraction(17, 18), 1 / (1 + Fraction(1, 6))
    lojasiewicz = all(2 * gap >= gap**3 for gap in (Fraction(1), step**2))
    return Measured(left=float(step**2), right=float(initialization), applicable=lojasiewicz)


def noise_without_its_bound() -> Measured:
    """theta^2/2 from its minimum, one step of 1/18 against noise 1 or -1, and sigma = 0, tied to nothing."""
    reached = Fraction(1, 18) ** 2 / 2
    point = {"L": 1.0, "M": 1, "H": 1, "R": 1, "eta": 1 / 18, "mu": 1.0, "alpha": 2.0, "zeta": 0.0}
    return at_a_point("fedavg_lojasiewicz.theorem_f4", float(reached), **point, f0_gap=0.0, sigma=0.0)


def exponent_one_of_a_quartic() -> Measured:
    """theta^4 on [-1/2, 1/2] meets FL-2 with alpha = 3/2 and mu = 16, with equality; at theta = 1/4."""
    theta, mu = Fraction(1, 4), 16
    gap, square = theta**4, (4 * theta**3) ** 2
    # gap^(3/2) = theta^6; L = 12 theta^2 at the end of the interval bounds its second derivative.
    return Measured(left=float(mu * gap), right=float(square), applicable=square >= mu * theta**6)


def one_noise_for_both_agents() -> Measured:
    """Two agents whose gradients err by the same 1 or -1, sigma = 1: the second equality of (33).

    The last relation holds, at 1/2 against sigma^2/M = 1/2.
    """
    errors = [(Fraction(1), Fraction(1)), (Fraction(-1), Fraction(-1))]
    double = sum(Fraction(sum(a * b for a in e for b in e), 4) for e in errors) / 2
    single = sum(sum(a * a for a in e) / 4 for e in errors) / 2
    return Measured(
        left=float(double), right=float(single), applicable=single <= Fraction(1, 2), equality=True
    )


def one_noisy_step() -> Measured:
    """theta^2/2 from 2, one step of 1 against noise 1 or -1: from a gap of 2 to one of 1/2; C = sqrt(2).

    FL-2 with alpha = 2 and mu = 1 holds at all three points: theta^2 is at least theta^4/4.
    """
    reached = Fraction(1, 2)
    lojasiewicz = all(theta**2 >= Fraction(theta**4, 4) for theta in (2, 1, -1))
    point = ONE_STEP | {"sigma": 1.0}
    seen = at_a_point("fedavg_lojasiewicz.equation_41", float(reached) - 2**0.5, **point, s_r=2.0)
    return replace(seen, applicable=seen.applicable and lojasiewicz)


def first_term_of_lemma_f3() -> Measured:
    """eta = mu = gap = 1, alpha = 2, R = 4, no floor: as printed, and as D.F3.s11 has it with kappa = 1/2."""
    eta, mu, gap, rounds = 1.0, 1.0, 1.0, 4

    def term(rate: float) -> float:
        return gap / (rate * rounds * gap + 1)

    return Measured(left=term(eta * mu / 4), right=term(eta * mu / 2), applicable=True)


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
        statement="fedavg_lojasiewicz.claims_of_lemma_f1.complete",
        measure=noise_alone,
        why="the sums do as is said, and beside them 4 eta^2 (H-1) sigma^2 becomes 2 eta^2 (H-1) sigma^2",
        right="for the double sum alone, or with 2 (H-1), which is 4/H times the sum of the h, in both",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="fedavg_lojasiewicz.lemma_f1",
        line="hypothesis FL-2",
        display=0,
        measure=exponent_one_of_a_quartic,
        why="FL-2 with alpha = 1 excludes theta^4, which has alpha = 3/2: its squared slope is 16 theta^2 "
        "times the gap, near 0 less than any mu. The proof of Theorem F.4, with alpha > 1, follows that of "
        "Theorem F.2 as far as (39), and the lemma in it",
        right="without FL-2: no step of its proof uses it, and none of Theorem F.2 as far as (35) and (39), "
        "from which Lemma F.3 and Theorem F.4 start with alpha > 1",
        grade=FindingClass.LOOSE,
    ),
    Witness(
        statement="fedavg_lojasiewicz.equation_33.bound",
        line="reason",
        display=1,
        measure=one_noise_for_both_agents,
        why="the last inequality is said to use that the cross terms are zero: they are gone before it, and "
        "with one noise for both agents it holds and the equality fails",
        right="in the second equality; the last inequality uses FL-4 alone",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="fedavg_lojasiewicz.lemma_f3",
        line="term initialization",
        display=0,
        measure=first_term_of_lemma_f3,
        why="kappa = eta mu/2 in the last display of the proof becomes eta mu/4 in the lemma",
        right="1/2 in place of 1/4",
        grade=FindingClass.LOOSE,
    ),
    Witness(
        statement="fedavg_lojasiewicz.theorem_f4",
        line="hypothesis FL-2",
        display=0,
        measure=steep_exponent,
        why="FL-2 is asked with any alpha > 1, and the power of a sum, which gives the first term its form, "
        "needs 1/(alpha-1) of at least 1",
        right="for alpha <= 2, as the title of the section has it; for every alpha > 1 with the first term "
        "as in D.F4.s2, the form of Lemma F.3",
        grade=FindingClass.INTERPRETATION,
    ),
    Witness(
        statement="fedavg_lojasiewicz.theorem_f4",
        line="hypothesis FL-4",
        display=0,
        measure=noise_without_its_bound,
        why="FL-4 is not among the hypotheses, and nothing else ties sigma to the noise",
        right="with FL-4, as the amended form has it",
        grade=FindingClass.INTERPRETATION,
    ),
    Witness(
        statement="fedavg_lojasiewicz.claims_of_lemma_f3.eta1l",
        measure=lambda: measured_on(
            "fedavg_lojasiewicz.claims_of_lemma_f3.eta1l", **ONE_STEP, gap=1.0, gradient_norm=1.0
        ),
        why="at eta = 1/L the last line of (35) has no descent left",
        right="for eta <= 1/(2L); (40) itself is true for eta <= 1/L, by the line of (35) before the second "
        "moment is split",
        grade=FindingClass.INTERPRETATION,
    ),
    Witness(
        statement="fedavg_lojasiewicz.equation_41",
        measure=one_noisy_step,
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
