"""Fed-alpha-NormEC: words that another place of the paper contradicts, or that two readings decide apart."""

from fractions import Fraction
from math import log, pi, sqrt

import bounds
from verify.witness import Measured


def noise_in_every_coordinate() -> Measured:
    """M = p = beta = sigma_DP = 1, K = 0, d = 3: the gap is E||z|| = 2 sqrt(2/pi)."""
    bound = bounds.get("fed_norm_ec.lemma_3").evaluate(K=0, M=1, beta=1, p=1, sigma_DP=1)
    return Measured(left=2 * sqrt(2 / pi), right=float(bound.value), applicable=bound.applicable is True)


def balance_without_d() -> Measured:
    """d = 10^16, L = 1/2, a gap of 1, gamma = 1, B_2/M = 10^-16, alpha = R = 1, Delta_inf = 10^4, K large.

    A.cor1.s7 with d B_2 for B_2 has 2 beta_hat sqrt(d B_2/M), where beta_hat balances B_2 without d; against
    100 times the order that is claimed, with the drift of several local steps.
    """
    d, share, heterogeneity, L, constant = 1e16, 1e-16, 1e4, 0.5, 100.0
    beta_hat = sqrt(3) / share**0.25
    order = 2 * sqrt(L) * (d * share / 2) ** 0.25 + sqrt(L * heterogeneity)
    within = heterogeneity > beta_hat / 2 and heterogeneity**2 > 0.75 / sqrt(share)
    return Measured(left=2 * beta_hat * sqrt(d * share), right=constant * order, applicable=within)


def first_term_at_its_least() -> Measured:
    """L = 1/2, Delta_inf = 1, a gap of 1, K + 1 = 10^6, eta as long as h4 allows; against 100/sqrt(K+1)."""
    L, heterogeneity, gap, rounds = 0.5, 1.0, 1.0, 10**6
    eta = heterogeneity / (2 * sqrt(2 * L)) / rounds
    return Measured(left=3 * gap / (rounds * eta), right=100 / sqrt(rounds), applicable=True)


def only_drawn_clients_move() -> Measured:
    """M = 1, p = 1/2, no noise, 16 rounds, a local update that stays 1000, v^0 = 0, beta = 1, alpha = 1/1000.

    A drawn client's memory moves by Delta and the server's by 2 Delta, else none: the gap is the sum of the
    Delta of the drawn rounds, 8 of 16 in mean, and each is at least that of a memory of 16.
    """
    rounds, update, alpha, p = 16, Fraction(1000), Fraction(1, 1000), Fraction(1, 2)
    least = (update - rounds) / (alpha + update - rounds)
    bound = bounds.get("fed_norm_ec.lemma_3").evaluate(K=rounds - 1, M=1, beta=1, p=0.5, sigma_DP=0)
    return Measured(
        left=float(p * rounds * least), right=float(bound.value), applicable=bound.applicable is True
    )


def equal_hessians() -> Measured:
    """f_i = (x -+ 1)^2/2: ||grad f_i - grad f|| is to pass xi = 2 somewhere, and is 1 everywhere."""
    apart = max(abs((x - c) - x) for x in (0, 10, 10**6) for c in (1, -1))
    return Measured(left=2.0, right=float(apart), applicable=True)


def lower_bounds_of_one_client() -> Measured:
    """M = 1 and f = x^2/2 with the lower bounds f_1^inf = 0 and f^inf = -1."""
    f_inf, f_1_inf = -1.0, 0.0
    return Measured(left=0.0, right=f_inf - f_1_inf, applicable=max(f_inf, f_1_inf) <= 0)


def rate_under_its_own_noise(corollary: str, exponent: float) -> Measured:
    """All constants 1, p = 1, 10^8 + 1 rounds, the noise of A.disc.sigma at epsilon = 8 and delta = 1e-5.

    The corollary's bound, against 100 times the order that is announced.
    """
    K = 10**8
    noise = bounds.get("fed_norm_ec.noise_rule").evaluate(c=1, p=1, K=K, epsilon=8, delta=1e-5)
    constants = {"L": 1, "f0_gap": 1, "D_1": 1, "D_2": 1, "alpha": 1, "M": 1, "p": 1}
    several = {"T": 2, "Delta_inf": 1} if corollary == "corollary_2" else {}
    point = constants | several | {"K": K, "sigma_DP": float(noise.value)}
    bound = bounds.get(f"fed_norm_ec.{corollary}").evaluate(**point)
    announced = 100 * K**-exponent
    return Measured(left=float(bound.value), right=announced, applicable=bound.applicable is True)


def clients_that_h5_allows() -> Measured:
    """p = c = L = f(x^0) - f^inf = Delta_inf = 1, epsilon = 8, delta = 1e-5, alpha = R, gamma = 1/2.

    B_2 is 2 log(1/delta)/epsilon^2, and h5 reads gamma < 2 Delta_inf^2 (B_2/M)^(1/2)/(3 L (f(x^0) - f^inf)).
    One client, against the largest M.
    """
    L, gap, heterogeneity, gamma = 1.0, 1.0, 1.0, 0.5
    B_2 = 2 * log(1e5) / 8.0**2
    most = B_2 * (2 * heterogeneity**2 / (3 * L * gap * gamma)) ** 2
    return Measured(left=1.0, right=most, applicable=True)


def rate_of_corollary_2_under_its_noise() -> Measured:
    return rate_under_its_own_noise("corollary_2", 1 / 8)


def rate_of_corollary_4_under_its_noise() -> Measured:
    return rate_under_its_own_noise("corollary_4", 1 / 6)
