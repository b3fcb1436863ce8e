"""DP-FedAvg: displayed relations that do not follow, slips in them, and Theorem 3."""

from fractions import Fraction

from verify.witness import Measured


def more_clients_than_expected() -> Measured:
    """Two clients with the update 1 = C, each with probability 1/2: r = 1, and |S| is 0, 1, 1 or 2."""
    r = 1
    sizes = [Fraction(0), Fraction(1), Fraction(1), Fraction(2)]
    of_average = sum((size / r) ** 2 for size in sizes) / 4
    of_each = sum(size / r for size in sizes) / 4
    return Measured(left=float(of_average), right=float(of_each), applicable=True)


def no_client() -> Measured:
    """Two clients, r = 1: with probability 1/4 none comes and no noise is added; a Gaussian is never 0."""
    return Measured(left=float(Fraction(1, 2) ** 2), right=0.0, applicable=True, equality=True)


def one_round() -> Measured:
    """f = w^2/2 from 1, C_hat = E = alpha = K = 1, rho = 1/1000: gamma = rho^2/2 is at most L D0 = 1.

    The random round is the first. Its gap is 1/2, and the gradient 1 enters with at most 3/16 of the root of
    7/32. The constant on the right is 10; a smaller rho does the same for any other.
    """
    rho, constant = 1e-3, 10.0
    left = min(0.5, 3 / 16 * (7 / 32) ** 0.5)
    return Measured(left=left, right=constant * rho, applicable=rho**2 / 2 <= 1)


def beyond_one_half() -> Measured:
    """C_hat = gamma = 1, rho = 1/10, E = 10 and K = 3 > 2: eta L E = gamma/(C_hat K rho)."""
    gamma, C_hat, rho, E, K = 1.0, 1.0, 0.1, 10, 3
    return Measured(left=gamma / (C_hat * K * rho), right=0.5, applicable=2 * gamma / (C_hat * E) / rho < K)


def prescribed_rounds() -> Measured:
    """alpha = 2, gamma = C_hat = E = 1, rho = 1/10: what the theorem prescribes against the display."""
    alpha, gamma, C_hat, E, rho = 2.0, 1.0, 1.0, 1, 0.1
    stated, displayed = 2 * alpha * gamma / (C_hat * E) / rho**2, 2 * gamma / (C_hat * E) / rho**2
    return Measured(left=stated, right=displayed, applicable=True, equality=True)


def threshold_twice() -> Measured:
    """G = 3, E = 4, rho = 1/10, lambda = L: the two sides of the display."""
    G, E, bracket = 3.0, 4, 1 - 11 * 3 * 0.1 / 64
    return Measured(left=G * bracket, right=bracket / E, applicable=True, equality=True)


def shorter_than_an_order() -> Measured:
    """f = w^2/2 from 1 and E = 1: 2 E ||grad f|| is O(E ||grad f||), and the update is half of it."""
    gradient, E, constant = Fraction(1), 1, 2
    return Measured(left=float(constant * E * gradient), right=float(gradient), applicable=True)
