"""FedAvg under a Lojasiewicz condition: relations of its proofs that do not follow."""

from verify.witness import Measured


def model_of_an_agent() -> Measured:
    """Agents (theta - 1)^2/2 and (theta + 1)^2/2 from 0, one step of 1/2: theta^c is 1/2, their mean 0.

    The two sides at a first local step without noise, for the first agent.
    """
    sampled, at_the_mean, at_its_own = -1.0, 0.0 - 1, 0.5 - 1
    return Measured(left=sampled, right=sampled - at_its_own + at_the_mean, applicable=True, equality=True)


def halved_noise() -> Measured:
    """H = 2, eta = sigma = 1, L = 1/100, at a stationary point: the first display against the second.

    One step drifts by eta^2 sigma^2 = 1 in mean square; the first display has no earlier drift to count.
    """
    smoothness, drift = 0.01, 1.0
    return Measured(left=4.0, right=2 * smoothness**2 * drift + 2.0, applicable=True)


def longest_step() -> Measured:
    """H = 2, L = 1, eta = 1/(LH), gradient 1, no noise: the mean square x of the drift in s3 against s4.

    The second display of s3 is x <= 1/4 + x then, which every x meets; s4 has x <= 1/2.
    """
    steps, smoothness, eta, drift = 2, 1.0, 0.5, 1.0
    gradient = eta**2 * (steps - 1) ** 2
    holds = drift <= gradient + 2 * eta**2 * steps * (steps - 1) * smoothness**2 * drift
    return Measured(left=drift, right=2 * gradient, applicable=holds and eta * steps * smoothness <= 1)


def exact_gradients() -> Measured:
    """F = 0 without noise, where sigma = L = eta = M = 1 are allowed: the last line of (35)."""
    return Measured(left=0.0, right=1.0, applicable=True, equality=True)


def bounds_added_up() -> Measured:
    """F = 0 without noise, where zeta = L = 1 are allowed: H = 2, eta = 1/36."""
    eta, steps = 1 / 36, 2
    both = 2 * eta**3 * steps * (steps - 1) ** 2 + 16 * eta**4 * steps**2 * (steps - 1) ** 2
    return Measured(left=0.0, right=both, applicable=18 * eta * steps <= 1, equality=True)


def descent_left_out() -> Measured:
    """theta^2/2 at theta = 1 without noise, H = 2, eta = 1/36: s9 and s12c put into (36), against s13."""
    eta, steps = 1 / 36, 2
    both = 2 * eta**3 * steps * (steps - 1) ** 2 + 16 * eta**4 * steps**2 * (steps - 1) ** 2
    return Measured(left=both, right=both - eta * steps / 2, applicable=18 * eta * steps <= 1)


def draws_one_step_late() -> Measured:
    """One step of length eta = 1/18 on theta^2/2, sigma = 1: its variance against that of the display.

    The display has the gradient at theta_{r,1}, after the step, whose mean gradient varies too.
    """
    eta, smoothness, variance = 1 / 18, 1.0, 1.0
    late = variance + smoothness**2 * eta**2 * variance
    return Measured(left=eta**2 * variance, right=eta**2 * late, applicable=True, equality=True)


def lost_square() -> Measured:
    """zeta = 2, L = 1, H = 2, eta = 1/36, at a stationary point without noise: the two displays of (B)."""
    eta, steps, zeta = 1 / 36, 2, 2.0
    first = 4 * eta**2 * steps**2 * (4 * eta**2 * (steps - 1) ** 2 * zeta**2)
    second = 16 * eta**4 * steps**2 * (steps - 1) ** 2 * zeta
    return Measured(left=first, right=second, applicable=18 * eta * steps <= 1, equality=True)


def power_of_the_floor() -> Measured:
    """eta = mu = L = M = 1, zeta = 1/4, sigma^2 = 1/32, alpha = 2, v = 1, where (41) adds as amended.

    C = 1/4 + 1/4: half its square is taken off, and zeta^2 added. The gap v + C is one that FL-1 and FL-2
    allow, at most 2L/mu.
    """
    v, kappa, zeta, variance = 1.0, 0.5, 0.25, 0.03125
    floor = zeta + (2 * variance) ** 0.5
    allowed = zeta**2 == zeta**2 / 2 + variance and v + floor <= 2
    left = v - kappa * v**2 - kappa * floor**2 + zeta**2
    return Measured(left=left, right=v - kappa * v**2, applicable=allowed, equality=True)


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
