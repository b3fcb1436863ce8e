"""DP-FedAvg over many rounds: what normalization comes to where clients disagree, for every d.

Three clients |w - b_i|^2/2 with the minimizers 0, 0 and b, all in each round, L = E = 1: the minimizer of f
is their mean b/3. The mean of the normalized updates is C_hat/3 long at least and leads to 0, their geometric
median: a run of the normalized algorithm stays around it, at the gap |b|^2/18, however small the noise is.
That of the clipped updates vanishes at b/3 only. Both mean gaps are bounded in fractions, for every number of
rounds; the derivation is in docs/amended/dp_fedavg.md, many rounds.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import hypot
from typing import final

from verify.witness import Measured

CLIENTS = 3


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Median:
    """`start` is w_0 - b/3, along the line through the minimizers."""

    b: Fraction
    start: Fraction
    C_hat: Fraction
    K: int
    alpha: Fraction
    rho: Fraction

    @property
    def minimizer(self) -> Fraction:
        return self.b / CLIENTS

    @property
    def eta(self) -> Fraction:
        return self.rho / (2 * self.alpha)

    @property
    def gamma(self) -> Fraction:
        """What K is prescribed with; its square is the variance of all noises of a run together."""
        return self.K * self.C_hat * self.rho**2 / (2 * self.alpha)

    @property
    def noise(self) -> Fraction:
        """E|zeta|^2 = K C^2 rho^2, be d what it may."""
        return self.K * self.C_hat**2 * self.rho**2

    def applicable(self) -> bool:
        """The conditions of Theorems 2 and 4 hold, and no client has its minimum where the run starts."""
        largest_gap = (2 * self.minimizer) ** 2 / 2
        starts_elsewhere = self.minimizer + self.start not in (0, self.b)
        return self.C_hat**2 >= 16 * largest_gap and 2 * self.rho <= self.alpha and starts_elsewhere

    def clipped(self) -> Fraction:
        """The mean gap of the clipped algorithm over the rounds is at most this."""
        unclipped_up_to = self.C_hat - 2 * self.minimizer
        square, total = self.start**2, self.gamma**2
        near = (square / (self.K * self.eta) + self.eta * self.noise) / (2 - self.eta)
        far = (square**2 + 6 * total * square + 3 * total**2) / unclipped_up_to**2
        return (near + far) / 2

    def normalized(self) -> Fraction:
        """The mean gap of the normalized algorithm over the rounds is at least this."""
        first = (self.minimizer + self.start) ** 2
        moved = first / (self.K * self.eta) + self.eta * (self.C_hat**2 + self.noise)
        mean_distance = CLIENTS * moved / (2 * self.C_hat)
        return self.minimizer**2 / 2 - self.minimizer * mean_distance


RUN = Median(
    b=Fraction(3),
    start=Fraction(5, 2),
    C_hat=Fraction(60),
    K=320_000,
    alpha=Fraction(4),
    rho=Fraction(1, 2000),
)


def at_the_median() -> Measured:
    """b = 3 from 7/2, C_hat = 60, alpha = 4, rho = 1/2000 and gamma = 3/5, so K = 320,000; any d."""
    left, right = float(RUN.normalized()), float(RUN.clipped())
    return Measured(left=left, right=right, applicable=RUN.applicable())


def updates_that_cancel() -> Measured:
    """Clients (w -+ 1)^2/2 from 1/2, L = E = alpha = 1, r = n = 2, C_hat = 3, rho = 1/100, K = 333.

    Between -1 and 1 the normalized updates cancel: the run is the sum of its noises, of variance gamma^2 in
    all, and by Kolmogorov's inequality it stays there throughout but with probability 4 gamma^2.
    """
    K, C_hat, rho = 333, Fraction(3), Fraction(1, 100)
    gamma = K * C_hat * rho**2 / 2
    largest_gap, room = Fraction(1, 2), Fraction(1, 2)
    stays = 1 - gamma**2 / room**2
    return Measured(left=float(stays), right=0.5, applicable=C_hat**2 >= 16 * largest_gap)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TwoRounds:
    """In the plane, from (3, 0): 50 half squares around (0, 1), 50 around (0, -1), a flat one around (6, 0).

    In the second round the threshold is between the common update length of the 100 after a clipped step and
    after a normalized one, which the flat client makes longer. L = E = alpha = 1, and K = 2.
    """

    flat: float = 1e-3
    rho: float = 1e-4
    sides: int = 50

    @property
    def C_hat(self) -> float:
        """Between the two lengths that it brings about, which it hardly moves."""
        threshold = hypot(3, 1)
        for _ in range(20):
            threshold = sum(hypot(self.second(threshold, cut), 1) for cut in (True, False)) / 2
        return threshold

    def second(self, C_hat: float, clipped: bool) -> float:
        """The first coordinate after the first round; by symmetry the other one stays 0."""
        length, pull = hypot(3, 1), self.flat * 3
        of_the_sides = 2 * self.sides * 3 * min(1.0, C_hat / length)
        of_the_flat = -pull if clipped else -C_hat
        return 3 - self.rho / 2 * (of_the_sides + of_the_flat) / (2 * self.sides + 1)

    def gaps(self) -> tuple[float, float]:
        """Delta_i* of one of the 100, and of the flat client."""
        best = 6 * self.flat / (2 * self.sides + self.flat)
        return (best**2 + 1) / 2, self.flat * (6 - best) ** 2 / 2

    def terms(self) -> tuple[float, float]:
        """B of the clipped run and B_2 of the normalized one; in the first round the flat client is short."""
        clients, C_hat, (side, flat) = 2 * self.sides + 1, self.C_hat, self.gaps()
        stretched = [
            C_hat**2 / 2 + C_hat / (self.flat * (6 - x)) * flat * self.rho
            for x in (3.0, self.second(C_hat, clipped=False))
        ]
        first, second = flat / clients, (flat + 2 * self.sides * side) / clients
        return 1.5 * self.rho * (first + second) / 2, self.rho * sum(stretched) / 2 / clients


def each_over_its_own_run() -> Measured:
    """The noise moves the second point by 1.6e-8, and the threshold is 7e-7 off: 40 deviations."""
    run = TwoRounds()
    C_hat, largest_gap = run.C_hat, max(run.gaps())
    lengths = [hypot(run.second(C_hat, clipped), 1) for clipped in (True, False)]
    room = 40 * run.rho / 2 * C_hat * run.rho
    within = lengths[0] + room < C_hat < min(lengths[1] - room, hypot(3, 1)) and C_hat**2 >= 16 * largest_gap
    left, right = run.terms()
    return Measured(left=left, right=right, applicable=within)
