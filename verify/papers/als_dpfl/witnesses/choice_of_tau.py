"""ALS-DPFL: what the rule of Algorithm 2 can choose, what it knows, and what a fixed tau has ahead of it."""

import math
from fractions import Fraction
from math import comb

import bounds
from verify.witness import Measured

LARGEST = 100


def growth(tau: int) -> tuple[Fraction, ...]:
    """The growth of h(tau)/tau by powers of u = eta beta; tau changes only ((1 + u)^tau - 1)/tau.

    The power j has C(tau, j)/tau = C(tau - 1, j - 1)/j, which grows with tau from j = 2 on.
    """
    return tuple(Fraction(comb(tau, j), tau) for j in range(1, LARGEST + 1))


def never_chosen(tau: int, R_S: Fraction, R_C: Fraction) -> bool:
    """A smaller tau has as many steps, and less to take from eta phi whatever eta, beta and the rest are.

    Of (13) with a positive bracket at tau: where it is negative (13) is below sqrt(3)/3, and bounds nothing.
    """

    def steps(tau: int) -> Fraction:
        return min(R_S * tau, R_C)

    smaller = (s for s in range(1, tau) if steps(s) >= steps(tau))
    return any(all(a <= b for a, b in zip(growth(s), growth(tau), strict=True)) for s in smaller)


def largest_choice(R_S: Fraction = Fraction(317, 2), R_C: Fraction = Fraction(317)) -> Measured:
    """2 R_s = R_c = 317: the tau of FashionMNIST, against the largest at which (13) can be smallest.

    If T is of the tau* before and not of the tau that is tried, it does not depend on tau, and 1 is left.
    """
    left = [tau for tau in range(1, LARGEST + 1) if not never_chosen(tau, R_S, R_C)]
    return Measured(left=3.0, right=float(max(left)), applicable=True)


def chosen(omega: float, lam: float = 0.1) -> tuple[int, bool]:
    """The choice between 1 and 2 at R_S = 1, R_C = 2, rho = beta = 1, xi = 1/125; if Theorem 2 allows both.

    Two clients F + x/125 and F - x/125 without noise, where F = x^2/2 up to slope 124/125, and linear from
    there. The round starts at 1/omega and takes no more than two steps, after which the gap is lambda still.
    """
    objective = bounds.get("als_dpfl.control_objective")
    known = {"eta": 0.1, "beta": 1.0, "rho": 1.0, "xi": 0.008, "d": 1, "C": 1.0, "B": 1, "sigma": 0.0}
    values = {
        tau: float(objective.evaluate(T=tau, tau=tau, omega=omega, lam=lam, **known).value) for tau in (1, 2)
    }
    first, last = ((shrunk / omega) ** 2 / 2 for shrunk in (1.0, 0.9**2))
    positive = min(values.values()) > math.sqrt(3) / 3
    return min(values, key=values.__getitem__), positive and lam <= last < first < 1


def two_farthest_starts(near: float = 1.8, far: float = 1.75) -> Measured:
    """The same estimates: brackets 0.011 and 0.007 at omega = 1.8, 0.00625 and 0.00225 at 1.75."""
    (first, bound), (second, also) = chosen(near), chosen(far)
    return Measured(left=float(first), right=float(second), applicable=bound and also, equality=True)


def two_rounds_for_four_steps(first: int = 1) -> Measured:
    """R_s = 2 and R_c = 4: the mean accuracy of tau = 2 is at least `left`, of ALS-DPFL at most `right`.

    One client of 64 equal samples, all in every batch, eta = 1/2, sigma = 1.1, C = 1, d = 1. From 0 up to 9
    the loss, smooth and convex with its minimizer at 10, has slope -1: a step is 1/2 and its noise, which is
    longer than 1/20 with chance q. The samples are told right beyond 7/4: four steps get there, not three.
    """
    eta, noise, limit, within = 0.5, 1.1 / 64, 7 / 4, 1 / 20
    adaptive, fixed = first + min(2 * first, LARGEST), 2 * 2
    q = math.erfc(within / (eta * noise) / math.sqrt(2))
    behind = adaptive * (eta + within) < limit < fixed * (eta - within)
    return Measured(left=1 - fixed * q, right=adaptive * q, applicable=behind)
