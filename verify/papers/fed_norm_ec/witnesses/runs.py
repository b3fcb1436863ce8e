"""Fed-alpha-NormEC: runs that stay where the gradient is longer than the printed bounds with local steps say.

h4 limits eta by Delta^inf where the proof needs its root. For a f in place of f that limit grows like the
root of a, while lengths, and so eta, stay as they are: in a small unit of F it limits nothing. The conditions
then hold for as many rounds as one likes, and the bound has no term for what local steps cost far from the
infimum. `UNIT` is such a unit; every run is described in the one in which L = 1.

On the line, with everybody taking part and no noise, the server's memory is the mean of the clients'. After
every update it is within R of the mean P of the local updates at x^k, as the error of each memory is: by
induction it is at most R + 2 L eta before the update, and t - beta t/(alpha + t) maps [0, R + 2 L eta] into
[-R, R] where beta < alpha + R and 2 L eta <= beta R/(alpha + R). So where P < -R the server steps to the
right, and where P > R to the left. Two clients that drift in opposite directions make P change its sign where
the gradient of f does not: between two such places the run is trapped, however many rounds it has.

The clients are given by their derivatives, piecewise linear with rational corners; what is claimed of the
place where the run stays is decided in rationals.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import erfc, isclose, log, sqrt
from typing import final

import bounds
from verify.witness import Measured

Corner = tuple[Fraction, Fraction]
Function = Callable[[Fraction], Fraction]
CLIENTS = 2
STEPS = 2  # local ones; a pass has them where a client has two equal data points
UNIT = 2.0**60
# The units of the inputs of a statement; gamma is prescribed, and eta is a length.
GROW_WITH_THE_UNIT = (
    "L", "f0_gap", "Delta_inf", "Delta_i_inf_mean", "R", "alpha", "beta", "D_1", "D_2",
)  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class Client:
    """f_i by the corners of its derivative, which is 0 beyond them; f_i is 0 on the far left."""

    corners: tuple[Corner, ...]

    def slope(self, x: Fraction) -> Fraction:
        for (a, low), (b, high) in pairwise(self.corners):
            if a <= x <= b:
                return low + (high - low) * (x - a) / (b - a)
        return Fraction(0)

    def value(self, x: Fraction) -> Fraction:
        total = Fraction(0)
        for (a, low), (b, high) in pairwise(self.corners):
            if a < x:
                end = min(b, x)
                total += (2 * low + (high - low) * (end - a) / (b - a)) / 2 * (end - a)
        return total


def tent(top: Fraction | int, height: Fraction | int) -> tuple[Corner, ...]:
    """A derivative that goes up to its height and down again, or down and up, with slopes 1 and -1."""
    c, h = Fraction(top), Fraction(height)
    return (c - abs(h), Fraction(0)), (c, h), (c + abs(h), Fraction(0))


def dip(bottom: int, root_of_depth: Fraction) -> tuple[Corner, ...]:
    """f falls by the depth, and rises to where it was."""
    r = root_of_depth
    return *tent(bottom - r, -r), *tent(bottom + r, r)[1:]


def lowest(value: Function, slope: Function, corners: Sequence[Fraction]) -> Fraction:
    """The minimum of a function whose slope is linear between the corners and 0 beyond them."""
    found = [value(x) for x in corners]
    for a, b in pairwise(sorted(corners)):
        low, high = slope(a), slope(b)
        if low < 0 < high:
            found.append(value(a - (b - a) * low / (high - low)))
    return min(found)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Two clients and the settings of a run. `top` and `root` shape the clients.

    f_1 rises around 0, by top^2; f_2 rises by 1 around -2, and falls by as much around 0: so the derivative
    of f is (top - 1)/2 on all of [-1, 1]. Each has a dip of depth root^2, far away and not at the same place.
    """

    top: Fraction
    root: Fraction
    start: Fraction
    gamma: Fraction
    alpha: Fraction
    beta: Fraction
    eta: Fraction
    R: Fraction

    @property
    def clients(self) -> tuple[Client, Client]:
        first = Client((*dip(-9, self.root), *tent(0, self.top)))
        return first, Client((*tent(-2, 1), *tent(0, -1)[1:], *dip(5, self.root)))

    def slope(self, x: Fraction) -> Fraction:
        return sum((client.slope(x) for client in self.clients), Fraction(0)) / CLIENTS

    def value(self, x: Fraction) -> Fraction:
        return sum((client.value(x) for client in self.clients), Fraction(0)) / CLIENTS

    def infimum(self) -> Fraction:
        return lowest(self.value, self.slope, [x for client in self.clients for x, _ in client.corners])

    def heterogeneity(self) -> Fraction:
        """Delta^inf; with equal data points it is the mean of the Delta_i^inf too."""
        own = [lowest(c.value, c.slope, [x for x, _ in c.corners]) for c in self.clients]
        return self.infimum() - sum(own, Fraction(0)) / CLIENTS

    def local_updates(self, x: Fraction) -> list[Fraction]:
        """(x - T_i(x))/gamma."""
        out = []
        for client in self.clients:
            point, total = x, Fraction(0)
            for _ in range(STEPS):
                slope = client.slope(point)
                point -= self.gamma / STEPS * slope
                total += slope
            out.append(total / STEPS)
        return out

    def mean_update(self, x: Fraction) -> Fraction:
        return sum(self.local_updates(x), Fraction(0)) / CLIENTS

    def most(self, a: Fraction, b: Fraction, sign: int) -> Fraction:
        """An upper bound of sign P over [a, b], from 65 points: P is 2-Lipschitz where gamma <= 1/2."""
        step = (b - a) / 64
        return max(sign * self.mean_update(a + k * step) for k in range(65)) + step

    def memories_stay_close(self) -> bool:
        close = 2 * self.eta <= self.beta * self.R / (self.alpha + self.R)
        return close and self.beta < self.alpha + self.R and self.gamma <= Fraction(1, 2)

    def trapped(self, left: Fraction, right: Fraction, noise: Fraction = Fraction(0)) -> bool:
        """No step leads out of [left - eta, right + eta], for a server's memory off by `noise` at most."""
        reach = self.R + noise
        back = self.most(left - self.eta, left, 1) < -reach
        forth = self.most(right, right + self.eta, -1) < -reach
        return back and forth and left <= self.start <= right and self.memories_stay_close()

    def gradient(self, left: Fraction, right: Fraction) -> Fraction:
        """The least |f'| over [left - eta, right + eta], where it is piecewise linear and has one sign."""
        a, b = left - self.eta, right + self.eta
        corners = {x for client in self.clients for x, _ in client.corners if a < x < b}
        slopes = [self.slope(x) for x in (a, b, *corners)]
        return min(slopes) if min(slopes) > 0 else Fraction(0)

    def literal(self, rounds: int) -> float:
        """The smallest |f'(x^k)| of Algorithm 1 itself, in float64; every x^k is x^0 + j eta."""
        seen: dict[int, tuple[list[float], float]] = {}

        def at(j: int) -> tuple[list[float], float]:
            if j not in seen:
                x = self.start + j * self.eta
                seen[j] = [float(update) for update in self.local_updates(x)], float(abs(self.slope(x)))
            return seen[j]

        alpha, beta, place, smallest = float(self.alpha), float(self.beta), 0, float("inf")
        first, second = at(0)[0][0] + float(self.R), at(0)[0][1] - float(self.R)
        server = (first + second) / CLIENTS
        for _ in range(rounds):
            (one, two), gradient = at(place)
            smallest = min(smallest, gradient)
            sent_1 = (one - first) / (alpha + abs(one - first))
            sent_2 = (two - second) / (alpha + abs(two - second))
            first, second = first + beta * sent_1, second + beta * sent_2
            server += beta / CLIENTS * (sent_1 + sent_2)
            place += -1 if server > 0 else 1
        return smallest


def against(identity: str, run: Run, gradient: float, **given: float) -> Measured:
    """The statement's own right side, and whether its own conditions hold, in the small unit."""
    gap, apart = run.value(run.start) - run.infimum(), float(run.heterogeneity())
    known = {"M": CLIENTS, "T": STEPS, "L": 1, "f0_gap": float(gap), "Delta_inf": apart} | given
    if "theorem_2" in identity:
        del known["T"]
    if "theorem_2" in identity or "corollary_5" in identity:
        known["Delta_i_inf_mean"] = apart
    point = {n: float(x) * UNIT if n in GROW_WITH_THE_UNIT else x for n, x in known.items()}
    evaluation = bounds.get(identity).evaluate(**point)
    set_by_it = evaluation.derived | point
    ran = {"alpha": run.alpha, "beta": run.beta, "R": run.R, "eta": run.eta, "gamma": run.gamma}
    powers = {"eta": 0, "gamma": -1}
    as_prescribed = all(
        isclose(set_by_it[name], float(value) * UNIT ** powers.get(name, 1), rel_tol=1e-12)
        for name, value in ran.items()
    )
    applicable = evaluation.applicable is True and as_prescribed
    return Measured(left=gradient * UNIT, right=float(evaluation.value), applicable=applicable)


def of_theorem(rounds_per_length: int) -> tuple[Run, int]:
    """eta K is 64 lengths: 1/eta is above 4 (1 + 128) for Theorem 1 and above 6 (1 + 128) for Theorem 2."""
    one, small = Fraction(1), Fraction(1, 128)
    run = Run(
        top=Fraction(6, 5), root=Fraction(1, 256), start=Fraction(-1, 10), gamma=one / 2,
        alpha=one, beta=one, eta=one / rounds_per_length, R=small,
    )  # fmt: skip
    return run, 64 * rounds_per_length


def theorem(form: str, rounds_per_length: int) -> Measured:
    run, rounds = of_theorem(rounds_per_length)
    given = {n: float(getattr(run, n)) for n in ("R", "alpha", "beta", "eta")}
    trapped = run.trapped(Fraction(-1, 5), Fraction(0))
    # The run itself, beside the reason why it cannot leave.
    gradient = run.literal(rounds) if trapped else 0.0
    return against(f"fed_norm_ec.{form}", run, gradient, K=rounds - 1, p=1, sigma_DP=0, **given)


def of_rate() -> tuple[Run, dict[str, float]]:
    """n = (K + 1)^(1/8) = 8 and eta_hat = D_1 D_2/(4 L (alpha + D_1)) = 64."""
    n, alpha, D_1, eta_hat = 8, Fraction(10), Fraction(1, 100), 64
    D_2 = 4 * eta_hat * (alpha + D_1) / D_1
    run = Run(
        top=Fraction(257, 250), root=Fraction(1, 256), start=Fraction(-1, 50), gamma=Fraction(1, 2 * n),
        alpha=alpha, beta=D_2 / n**5, eta=Fraction(eta_hat, n**7), R=D_1 / n,
    )  # fmt: skip
    return run, {"K": n**8 - 1, "D_1": float(D_1), "D_2": float(D_2), "alpha": float(alpha)}


def rate(form: str) -> Measured:
    run, given = of_rate()
    left, right = Fraction(-61, 2000), Fraction(0)
    gradient = run.gradient(left, right) if run.trapped(left, right) else 0
    return against(f"fed_norm_ec.{form}", run, float(gradient), p=1, sigma_DP=0, **given)


def of_utility() -> tuple[Run, dict[str, float], float]:
    """B_2 = 2 y^4 with y = 6/10^4: nearly no privacy. The third is the deviation of the noise, summed up."""
    y, delta, radius, gamma = 6e-4, 1e-5, Fraction(1, 256), Fraction(1, 2)
    # beta and eta follow from the gap at the start.
    run = Run(
        top=Fraction(9, 8), root=Fraction(1, 512), start=Fraction(-1, 10), gamma=gamma,
        alpha=radius, beta=radius, eta=radius, R=radius,
    )  # fmt: skip
    gap = float(run.value(run.start) - run.infimum())
    beta_hat = sqrt(3 * gap / float(gamma)) / y
    rounds = int(0.6 * beta_hat / float(radius)) + 1
    beta = Fraction(beta_hat / rounds)
    run = replace(run, beta=beta, eta=gamma / 4 * beta)
    given = {
        "K": rounds - 1, "R": float(radius), "B_hat": CLIENTS, "c": 1.0, "delta": delta,
        "epsilon": sqrt(log(1 / delta)) / y**2,
    }  # fmt: skip
    # beta sqrt((K + 1)/M) sigma_DP with sigma_DP = y^2 sqrt(K + 1), on the line the deviation of a client.
    return run, given, float(beta) * rounds * y**2 / sqrt(CLIENTS)


def utility() -> Measured:
    """Gaussian noise, summed up, stays below six times its last deviation but for 4 in 10^9 (Levy)."""
    run, given, deviation = of_utility()
    left, right = Fraction(-1, 5), Fraction(0)
    gradient = run.gradient(left, right) if run.trapped(left, right, Fraction(6 * deviation)) else 0
    probability = 1 - 2 * erfc(6 / sqrt(2))
    return against("fed_norm_ec.corollary_3.explicit", run, float(gradient) * probability, **given)


def theorem_1_main() -> Measured:
    return theorem("theorem_1.main", 520)


def theorem_1_appendix() -> Measured:
    return theorem("theorem_1.appendix", 520)


def theorem_2() -> Measured:
    return theorem("theorem_2", 780)


def corollary_2() -> Measured:
    return rate("corollary_2")


def corollary_5() -> Measured:
    return rate("corollary_5")
