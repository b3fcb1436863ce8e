"""FedAvg under a Lojasiewicz condition: relations of its proofs that do not follow."""

from bounds.finding import FindingClass
from verify.witness import Measured, Witness


def halved_noise() -> Measured:
    """H = 2, eta = sigma = 1, L = 1/100, at a stationary point: the first display against the second.

    One step drifts by eta^2 sigma^2 = 1 in mean square; the first display has no earlier drift to count.
    """
    smoothness, drift = 0.01, 1.0
    return Measured(left=4.0, right=2 * smoothness**2 * drift + 2.0, applicable=True)


def no_descent_left() -> Measured:
    """eta = 1/L = mu = 1, alpha = 2, gap and gradient 1, no noise: s1 against eq. (40), drawn from it."""
    eta, smoothness, mu, gap, gradient = 1.0, 1.0, 1.0, 1.0, 1.0
    first = gap - eta * (1 - smoothness * eta) * gradient**2
    return Measured(left=first, right=gap - eta * mu / 2 * gap**2, applicable=gradient**2 >= mu * gap**2)


def floor_of_the_recursion() -> Measured:
    """M = L = mu = sigma = 1, zeta = 0, H = 100, alpha = 2, eta = 1/(18 M L H): where s1 comes to rest.

    Read with mu (F - F*)^alpha, as (39) with (19) gives it: (eta H mu/4) s^2 is all of the noise of s1. The
    right side is that of s2 as R grows: C alone.
    """
    steps, eta = 100, 1 / 1800
    noise = 4 * eta**2 * steps + 3 * eta**3 * steps * (steps - 1)
    at_rest = (noise / (eta * steps / 4)) ** 0.5
    return Measured(left=at_rest, right=(16 * eta) ** 0.5, applicable=eta * 18 * steps <= 1 + 1e-15)


WITNESSES = (
    Witness(
        statement="fedavg_lojasiewicz.lemma_f1",
        step="D.F1.s3",
        display=1,
        measure=halved_noise,
        why="between two displays 4 eta^2 (H-1) sigma^2 becomes 2 eta^2 (H-1) sigma^2",
        right="2 in both: 4/H times the sum of the h is 2 (H-1)",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="fedavg_lojasiewicz.lemma_f3",
        step="D.eq40",
        measure=no_descent_left,
        why="at eta = 1/L nothing of the descent of s1 is left, and eq. (40) asks for half of it",
        right="for eta <= 1/(2L), or from the descent lemma with 1 - L eta/2 in place of 1 - L eta",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="fedavg_lojasiewicz.theorem_f4",
        step="D.F4.s2",
        measure=floor_of_the_recursion,
        why="the floor C pays for 4 eta^2 H L sigma^2/M and not for 3 eta^3 H (H-1) L^2 sigma^2",
        right="16 + 2/3 in place of 16: for eta <= 1/(18 M L H) the last noise is at most 1/6 of the first",
        grade=FindingClass.PROOF_BROKEN,
    ),
)
