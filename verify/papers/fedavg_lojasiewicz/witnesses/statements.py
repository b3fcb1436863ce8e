"""FedAvg under a Lojasiewicz condition."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from verify.witness import Measured, at_a_point, measured_on

ONE_STEP: dict[str, Any] = {
    "M": 1, "L": 1.0, "eta": 1.0, "mu": 1.0, "alpha": 2.0, "zeta": 0.0, "sigma": 0.0,
}  # fmt: skip
# f = m theta^2/2 with m = 1/1000: L = m, and in the paper's convention mu = 2 m.
FLAT: dict[str, Any] = {
    "M": 1, "L": 1e-3, "eta": 1 / 18e-3, "mu_1": 2e-3, "zeta": 0.0, "sigma": 1.0,
}  # fmt: skip


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


def noise_of_one_local_step() -> Measured:
    return measured_on("fedavg_lojasiewicz.claims_of_theorem_f2.h1end", **FLAT, f0_gap=0.0, R=10**4)


def one_round_with_a_large_mu() -> Measured:
    """The recursion D.F2.s2 with equality from a gap of 0: it allows eta (1 - L eta) zeta^2 = 1/4."""
    return measured_on(
        "fedavg_lojasiewicz.claims_of_theorem_f2.step2l",
        **{"M": 1, "L": 1.0, "eta": 0.5, "mu_1": 100.0, "zeta": 1.0, "sigma": 0.0},
        f0_gap=0.0,
        r=1,
    )


def sum_of_the_contractions() -> Measured:
    return measured_on("fedavg_lojasiewicz.claims_of_theorem_f2.unroll", **FLAT, H=1, f0_gap=0.0, R=2000)


def longest_step() -> Measured:
    return measured_on("fedavg_lojasiewicz.claims_of_lemma_f3.eta1l", **ONE_STEP, gap=1.0, gradient_norm=1.0)


def round_from_the_minimum() -> Measured:
    return measured_on(
        "fedavg_lojasiewicz.claims_of_lemma_f3.twice_the_floor",
        **ONE_STEP | {"mu": 100.0, "zeta": 1.0},
        s_r=0.0,
        rounds=1,
    )


def floor_of_two_steps() -> Measured:
    return measured_on(
        "fedavg_lojasiewicz.claims_of_theorem_f4.same",
        **ONE_STEP | {"eta": 1 / 36, "sigma": 1.0},
        H=2,
    )
