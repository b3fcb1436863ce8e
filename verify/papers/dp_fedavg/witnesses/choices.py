"""DP-FedAvg: what the bounds say of a choice that the paper reads off them, of E, of C_hat or of K.

All are in fractions, in the settings that the theorems prescribe; the derivation for E is in
docs/amended/dp_fedavg.md, the number of local steps.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import bounds
from verify.witness import Measured


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutClipping:
    """Theorem 2 with alpha = 1, gamma = L D0 and the C_hat of Proposition 1; every Delta_i* is `delta`."""

    L: Fraction
    lam: Fraction
    G: Fraction
    D0: Fraction
    rho: Fraction
    delta: Fraction

    def threshold(self, E: int) -> Fraction:
        return self.G * (1 - Fraction(11, 64) * (E - 1) * self.rho * (self.lam / self.L) ** 2)

    def rounds(self, E: int) -> Fraction:
        return 2 * self.L * self.D0 / (self.threshold(E) * E * self.rho**2)

    def applicable(self, E: int) -> bool:
        """The conditions of Theorem 2 hold, for a whole number of rounds."""
        high_enough = self.threshold(E) ** 2 >= 16 * self.L * self.delta
        return high_enough and 2 * self.rho * E <= 1 and self.rounds(E).denominator == 1

    def coefficient(self, E: int) -> Fraction:
        """The coefficient of the gap, on the left of eq. (6)."""
        return 2 - self.rho * E - (self.rho * E) ** 2

    def gap(self, E: int) -> Fraction:
        """What eq. (6) allows the mean gap to be."""
        right = 2 * self.threshold(E) * self.D0 + Fraction(3, 2) * E * self.delta
        return right * self.rho / self.coefficient(E)

    def chosen(self) -> int:
        """The choice of the rule, with the constant that eq. (11) gives it."""
        given = {"L": self.L, "lam": self.lam, "G": self.G, "D0": self.D0, "rho": self.rho}
        rule = bounds.get("dp_fedavg.equation_11_rule")
        numbers = {name: float(value) for name, value in given.items()}
        return round(float(rule.evaluate(**numbers, Delta_star_mean=float(self.delta), c_E=11 / 48).value))


NEAR_CLIENTS = WithoutClipping(
    L=Fraction(1),
    lam=Fraction(1),
    G=Fraction(1),
    D0=Fraction(149),
    rho=Fraction(1, 10),
    delta=Fraction(1, 20),
)


def most_local_steps() -> Measured:
    """L = lambda = G = 1, rho = 1/10, D0 = 149, Delta_i* = 1/20: E = 5, K = 6400 and E = 1, K = 29800."""
    E = NEAR_CLIENTS.chosen()
    applicable = E == 5 and all(NEAR_CLIENTS.applicable(steps) for steps in (1, E))
    left, right = float(NEAR_CLIENTS.gap(E)), float(NEAR_CLIENTS.gap(1))
    return Measured(left=left, right=right, applicable=applicable)


def initialization(largest_gap: Fraction, rho: Fraction) -> float:
    """Term A of eqs. (15), (16) at L = D0 = gamma = 1, C_hat = 4 sqrt(L max Delta_j*); it has no alpha."""
    return 4 * math.sqrt(largest_gap) * 2 * float(rho)


def distant_minima() -> Measured:
    """Largest gaps 2 and 1/2 at rho = 1/10: term A, which is left of the right sides as alpha grows."""
    left, right = (initialization(gap, Fraction(1, 10)) for gap in (Fraction(2), Fraction(1, 2)))
    return Measured(left=left, right=right, applicable=True, equality=True)


def noise_of_many_rounds(alpha: int) -> Measured:
    """d = r = n = E = L = gamma = C_hat = 1 and rho = 1/10, one client: K = 200 alpha."""
    gamma, C_hat, rho, E = 1, 1, Fraction(1, 10), 1
    K = 2 * alpha * gamma / (C_hat * E * rho**2)
    deviation = math.sqrt(K * rho**2) * C_hat * E
    mean_norm = math.sqrt(2 / math.pi) * deviation
    return Measured(left=mean_norm / (C_hat * E), right=100.0, applicable=2 * rho * E <= alpha)


def clipped_without_noise() -> Measured:
    """f = w^2/2 from 2, one client, E = C = 1, eta = beta = 1/2, rho = 0: a round of Algorithms 1 and 3."""
    w, eta, C, noise = Fraction(2), Fraction(1, 2), Fraction(1), Fraction(0)
    update = (w - (w - eta * w)) / eta
    bounded = update * min(Fraction(1), C / abs(update))
    algorithm_1, algorithm_3 = w - eta * (bounded + noise), w - eta * update
    return Measured(left=float(algorithm_1), right=float(algorithm_3), applicable=True, equality=True)


def noise_of_ten_thousand_rounds() -> Measured:
    return noise_of_many_rounds(10_000)
