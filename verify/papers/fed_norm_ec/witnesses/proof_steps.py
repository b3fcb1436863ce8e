"""Fed-alpha-NormEC: displayed relations of its proofs that do not follow."""

from fractions import Fraction
from itertools import product

import bounds
from verify.witness import Measured

TENTH = Fraction(1, 10)


def normalized(u: Fraction, alpha: Fraction) -> Fraction:
    return u / (alpha + abs(u))


def beta_lost() -> Measured:
    """One client at rest with memory error u = 1, alpha = 1, beta = 1/10: u loses 1/20, not 1/2."""
    u, alpha = Fraction(1), Fraction(1)
    after = abs(u - TENTH * normalized(u, alpha))
    return Measured(left=float(after), right=float(abs(u - normalized(u, alpha))), applicable=True)


def error_against_its_limit(after: str) -> Measured:
    """u = 31/1024 below C = 1 with alpha = 1/1024, beta = 1: the step leads from u to -31 u."""
    u, alpha, beta, limit = Fraction(31, 1024), Fraction(1, 1024), Fraction(1), Fraction(1)
    factor = abs(1 - beta / (alpha + u))
    left = factor * u if after == "s15" else abs(u - normalized(u, alpha))
    right = (1 - beta / (alpha + limit)) * limit
    return Measured(left=float(left), right=float(right), applicable=beta < alpha + limit and u <= limit)


def large_beta() -> Measured:
    """u = 1, alpha = 1, beta = 3/2 < alpha + C at C = 1."""
    u, alpha, beta = Fraction(1), Fraction(1), Fraction(3, 2)
    left, right = abs(u - normalized(u, alpha)), abs(1 - beta / (alpha + u)) * u
    return Measured(left=float(left), right=float(right), applicable=beta < alpha + 1)


def two_signs() -> Measured:
    """Two increments, each 1 or -1, independent: their mean is 0, 1 or -1."""
    squares = [Fraction(a + b, 2) ** 2 for a, b in product((1, -1), repeat=2)]
    return Measured(left=float(sum(squares) / 4), right=1.0, applicable=True, equality=True)


def increments_of_two_rounds() -> Measured:
    """M = 1, f = x^2/2, one local step, no noise, p = 1/2, alpha = beta = 1, v^0 = -1/4, x^0 = 0, eta = 1/8.

    The mean of (n^1)^2 where the client came in the first round, against that where it did not: independence
    makes them one.
    """
    x, v = Fraction(0), Fraction(-1, 4)
    eta, q_of_the_drawn = Fraction(1, 8), 2
    means = []
    for q in (q_of_the_drawn, 0):
        first = normalized(x - v, Fraction(1))
        memory, server = v + first, v + q * first
        x_next = x - eta * (1 if server > 0 else -1)
        second = normalized(x_next - memory, Fraction(1))
        means.append(sum((1 - q_next) ** 2 * second**2 for q_next in (q_of_the_drawn, 0)) / 2)
    return Measured(left=float(means[0]), right=float(means[1]), applicable=True, equality=True)


def longest_step_allowed() -> Measured:
    """L = alpha = beta = R = 1, gamma = 1/2: eta as h4 of the theorem allows it, against what s3 chooses."""
    L, alpha, beta, R, rho = 1, 1, 1, 1, 2
    gamma, share = Fraction(1, 2 * L), Fraction(beta * R, alpha + R)
    return Measured(
        left=float(share / (4 * L)), right=float(gamma * share / (1 + rho)), applicable=beta < alpha + R
    )


def memory_error_after_a_round(theorem: str) -> Measured:
    """f_1, f_2 = (x -+ 2)^2/2, T = 1 or one data point, x^0 = 0, p = 1, no noise, the first of two rounds.

    L = R = beta = 1, alpha = 1/10^4, gamma = 1/2 and eta = 1/7, which is short enough for h6 of Lemma 1 too.
    The first memory is (alpha beta)^(1/2) - alpha from its update, where a step overshoots most; the second
    is R away, and keeps the server's memory above 0.
    """
    centers, alpha, beta, eta = (Fraction(2), Fraction(-2)), Fraction(1, 10**4), Fraction(1), Fraction(1, 7)
    x = Fraction(0)
    memories = [x - centers[0] - (Fraction(1, 100) - alpha), x - centers[1] + 1]
    R = max(abs(x - c - v) for c, v in zip(centers, memories, strict=True))
    memories = [v + beta * normalized(x - c - v, alpha) for c, v in zip(centers, memories, strict=True)]
    x -= eta if sum(memories) > 0 else -eta
    errors = [abs(x - c - v) for c, v in zip(centers, memories, strict=True)]
    given = {
        "K": 1, "M": 2, "L": 1, "p": 1, "sigma_DP": 0, "f0_gap": 0, "Delta_inf": 2, "R": float(R),
        "alpha": float(alpha), "beta": float(beta), "eta": float(eta),
    } | ({"T": 1} if theorem == _FIRST else {"Delta_i_inf_mean": 2})  # fmt: skip
    lemma = eta <= Fraction(1, 2) * beta * R / (3 * (alpha + R))
    allowed = bounds.get(theorem).evaluate(**given).applicable is True
    return Measured(left=float(max(errors)), right=float(R), applicable=allowed and lemma)


def weights() -> Measured:
    """b_1 gamma^2 = 1, w^k = 1, V^k = 1, V^{k+1} = 0, b_2 gamma = 1; s1 then makes w^{k-1} = w^k/2."""
    growth, weight = 2.0, 1.0
    return Measured(left=weight * growth, right=weight / growth, applicable=True, equality=True)


def variance_of_the_noise() -> Measured:
    """sigma_DP = c p sqrt((K+1) log(1/delta))/epsilon with c = 1, p = 1/2, K + 1 = 4, epsilon = 1/2."""
    c, p, rounds, log_delta, epsilon = 1.0, 0.5, 4.0, 1.0, 0.5
    deviation = c * p * (rounds * log_delta) ** 0.5 / epsilon
    printed = 2 * c * rounds**0.5 * log_delta / epsilon
    return Measured(left=2 * deviation**2 / p, right=printed, applicable=True, equality=True)


def divided_by_gamma() -> Measured:
    """Memories of mean 1 beside a server's memory of 0, gamma = 1/(2L) = 2."""
    return Measured(left=1.0, right=0.5, applicable=True)


def gamma_gone() -> Measured:
    """Lemma 3 gives 1 for the memories, gamma = 1/2: what s18 gives for them against what s19 has."""
    memories, gamma, eta = 1.0, 0.5, 1.0
    return Measured(left=2 * eta * memories / gamma, right=2 * eta * memories, applicable=True)


def growth_over_the_rounds() -> Measured:
    """L = 1/2, Delta_inf = 4, K + 1 = 100, eta gamma as large as is allowed: 1 + 2/100 a round before."""
    smoothness, heterogeneity, rounds = 0.5, 4.0, 100
    slope = 4 * smoothness * (2 * smoothness) ** 0.5
    step = heterogeneity / slope / rounds
    growth = (1 + slope / heterogeneity**0.5 * step) ** rounds
    return Measured(left=growth, right=3.0, applicable=step * slope * rounds <= heterogeneity)


def dropped_orders(heterogeneity: float, units: tuple[float, float] = (1e15, 1e6)) -> Measured:
    """d = 1, L = 1/2, gamma = 1, a gap of 1, B_hat = 1, M = 2, c = log(1/delta) = 1, (B_2/M)^(1/4) = q.

    With alpha = R = q the explicit bound is (6 sqrt 3 + 2) q, here times the 2 or alpha of Delta, and with
    several steps the drift 8 gamma L sqrt(2 L Delta_inf), beside the orders in K; K + 1 is nearly as small as
    beta < 2 R allows. h4, eta < 1 and Delta compare what has different units: `units` are those of F and X in
    which they hold. One step has no drift, and Delta_inf as large as h5 asks.
    """
    q, L, gamma, gap, sampling_of_M = 1e-6, 0.5, 1.0, 1.0, 1.0
    of_f, of_x = units
    beta_hat, alpha = 3**0.5 / q, q * of_f / of_x
    rounds = float(int(0.6 * beta_hat / q))
    left = 2 * beta_hat * (sampling_of_M / rounds) ** 0.5
    right = (6 * 3**0.5 + 2) * q * max(alpha, 2.0) + 8 * gamma * L * (2 * L * heterogeneity) ** 0.5
    limit = 2 * (heterogeneity * of_f) ** 2 / (3 * (L * of_f / of_x**2) * gap * of_f) * q**2
    within = heterogeneity == 0 or gamma * of_x**2 / of_f < limit
    short = gamma / 2 * beta_hat / 2 / rounds * of_x < 1
    return Measured(left=left, right=right, applicable=within and short and beta_hat / rounds < 2 * q)


_FIRST, _SECOND = "fed_norm_ec.theorem_1.main", "fed_norm_ec.theorem_2"


def error_above_its_limit_s8() -> Measured:
    return error_against_its_limit("s8")


def error_above_its_limit_s15() -> Measured:
    return error_against_its_limit("s15")


def memory_error_of_theorem_1() -> Measured:
    return memory_error_after_a_round(_FIRST)


def memory_error_of_theorem_2() -> Measured:
    return memory_error_after_a_round(_SECOND)


def dropped_orders_without_drift() -> Measured:
    return dropped_orders(0.0)


def dropped_orders_with_drift() -> Measured:
    return dropped_orders(0.03)
