"""FedAvg under a Lojasiewicz condition: constants that a printed argument improves, the printed one left."""

from fractions import Fraction

from verify.witness import Measured


def squares_of_the_agents() -> Measured:
    """Gradients 3 and 1: the mean of their squares is ||grad F||^2 + zeta^2 = 4 + 1, not twice it."""
    gradients = [Fraction(3), Fraction(1)]
    mean = sum(gradients) / 2
    zeta_square = sum((g - mean) ** 2 for g in gradients) / 2
    squares = sum(g**2 for g in gradients) / 2
    printed = 2 * mean**2 + 2 * zeta_square
    return Measured(left=float(printed), right=float(squares), applicable=True)


def noise_of_lemma_f3() -> Measured:
    """L = eta = sigma = M = mu = 1, alpha = 2, no heterogeneity: D.F2.s1(b) has half of the noise of its end.

    The round is s - (1 - L eta/2) eta mu s^alpha + L eta^2 sigma^2/2: C^alpha is L eta sigma^2/(M mu).
    """
    L = eta = sigma = mu = 1.0
    floor = (L * eta**2 * sigma**2 / 2) / (eta * mu * (1 - L * eta / 2))
    return Measured(left=(2 * L * eta * sigma**2 / mu) ** 0.5, right=floor**0.5, applicable=True)


def variance_of_a_round() -> Measured:
    """One agent theta^2/2, H = 2, eta = 1/36, sigma = 1: 8 eta^2 H sigma^2 against the variance.

    A variance is at most the second moment about any point: no Young inequality is needed.
    """
    eta, H = Fraction(1, 36), 2
    variance = eta**2 * sum((1 - eta) ** (2 * k) for k in range(H))
    return Measured(left=float(8 * eta**2 * H), right=float(variance), applicable=True)


def heterogeneity_of_a_round() -> Measured:
    """eta H L = 1/18, very many local steps: the factor of eta H zeta^2 in (39) and in D.F2.s13."""
    x = Fraction(1, 18)
    return Measured(left=1.0, right=float(2 * x**2 + 16 * x**3), applicable=True)


def floor_of_theorem_f4() -> Measured:
    """L = zeta/sqrt(mu) = 1, mu = 1/100, alpha = 2, H = M = 1, exact gradients: where the recursion rests.

    With mu (F - F*)^alpha in D.F4.s1 a round is s - (eta mu/4) s^2 + 2 eta zeta^2, which increases with s
    up to the largest gap 2L/mu that FL-1 and FL-2 allow: a gap below its resting point stays below it.
    """
    mu, eta, alpha = 0.01, 1 / 18, 2
    zeta_square, gap, largest = mu, 200.0, 200.0
    for _ in range(200_000):
        gap += -eta * mu / 4 * gap**alpha + 2 * eta * zeta_square
    increases = 1 - eta * mu / 4 * alpha * largest > 0
    printed = 2 * (8 * zeta_square / mu) ** (1 / alpha)
    return Measured(left=printed, right=gap, applicable=increases)
