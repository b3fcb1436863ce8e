"""Fed-alpha-NormEC: constants that a printed argument improves, the printed one on the left."""

from math import expm1, sqrt

from verify.witness import Measured

SHORT = 0.5  # gamma L of the prescribed gamma


def tangent_of_lemma_6() -> Measured:
    """L = Delta_inf = 1 at a gap of 8: A.lem6.s4 has the root sqrt(2L (gap + Delta_inf)), of 18."""
    L, Delta, gap = 1.0, 1.0, 8.0
    printed = sqrt(2 * L / Delta) * gap + sqrt(2 * L * Delta)
    return Measured(left=printed, right=sqrt(2 * L * (gap + Delta)), applicable=True)


def tangent_of_lemma_8() -> Measured:
    """L = Delta_inf = 1, gamma = 1/2, a gap of 8 and Delta_i^inf of mean 1: the root of A.lem8.s3."""
    L, Delta, within, gap, gamma = 1.0, 1.0, 1.0, 8.0, SHORT
    printed = 2 * sqrt(2) * L * gamma * gap / sqrt(L * Delta) + sqrt(2) * gamma * sqrt(L * Delta)
    printed += 2 * gamma * sqrt(L * within)
    root = gamma * sqrt(L * (4 * gap + 2 * Delta + 2 * within))
    return Measured(left=printed, right=root, applicable=gamma <= 1 / (2 * L))


def drift_of_lemma_7() -> Measured:
    """gamma L = 1/2 and a gradient of length 1: A.lem7.s13, solved as it stands, compounds the steps."""
    gamma = SHORT
    return Measured(left=2 * gamma, right=expm1(SHORT) / SHORT - 1, applicable=True)


def last_error_for_all_rounds() -> Measured:
    """beta^2 B/M = 1, K = 99: the error of round k has sqrt(k + 1), and s19 takes sqrt(K + 1) for each."""
    rounds = 100
    mean = sum(sqrt(k) for k in range(1, rounds + 1)) / rounds
    return Measured(left=2 * sqrt(rounds), right=2 * mean, applicable=2 * mean <= sqrt(2 * (rounds + 1)))


def cross_term_of_lemma_3() -> Measured:
    """p = 1/2, no noise: 2 (1 - p)^2/p + 2 (1 - p) against the variance (1 - p)/p of q/p itself."""
    p = 0.5
    variance = p * (1 / p - 1) ** 2 + (1 - p)
    return Measured(left=2 * (1 - p) ** 2 / p + 2 * (1 - p), right=variance, applicable=True)
