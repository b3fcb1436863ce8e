"""FedAvg under a Lojasiewicz condition: relations of its proofs that do not follow."""

from bounds.language.finding import FindingClass
from verify.witness import Measured, Witness


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


WITNESSES = (
    Witness(
        statement="fedavg_lojasiewicz.lemma_f1",
        step="D.F1.s1",
        display=0,
        measure=model_of_an_agent,
        why="theta_r^c is nowhere defined, and as what agent c sends in round r it differs from theta_r",
        right="theta_r in its place, as the next display has it",
        grade=FindingClass.TYPO,
    ),
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
        statement="fedavg_lojasiewicz.lemma_f1",
        step="D.F1.s4",
        measure=longest_step,
        why="s4 takes the drift on the right of s3 to have a factor of at most 1/2; at H = 2, eta = 1/(LH) "
        "it is 1",
        right="from s3 for eta <= 1/(2LH), which the lemma does not ask; Theorem F.2, which uses it, asks "
        "more. The relation and the lemma are true as printed, by another way "
        "(docs/amended/fedavg_lojasiewicz.md)",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="fedavg_lojasiewicz.theorem_f2",
        step="D.eq35",
        measure=exact_gradients,
        why="(33) bounds the noise, and the line that uses it has an equality sign",
        right="at most, as the text beside it says (the last inequality)",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="fedavg_lojasiewicz.theorem_f2",
        step="D.F2.s9",
        measure=descent_left_out,
        why="(A) has -||grad F||^2/(2 beta^2) in (36), its bound here has not, and s13, drawn from it, has "
        "it again",
        right="with -(eta H/2) ||grad F||^2 on the right, or added to (A) on the left",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="fedavg_lojasiewicz.theorem_f2",
        step="D.F2.s11",
        display=0,
        measure=draws_one_step_late,
        why="the draws of a round are counted from h = 1 to H, and the listing has them from 0 to H - 1",
        right="h from 0 to H - 1, here and as far as D.F2.s12b; Lemma F.1 bounds that sum",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="fedavg_lojasiewicz.theorem_f2",
        step="D.F2.s12c",
        display=1,
        measure=lost_square,
        why="zeta^2 becomes zeta between two displays",
        right="zeta^2, as D.F2.s13 has it again",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="fedavg_lojasiewicz.theorem_f2",
        step="D.F2.s13",
        display=1,
        measure=bounds_added_up,
        why="the bounds on (A) and (B) are put in with an equality sign",
        right="at most, as (39) has it",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="fedavg_lojasiewicz.lemma_f3",
        step="D.F3.s6",
        measure=power_of_the_floor,
        why="with both noises C^alpha is above the sum of their powers: twice what is added is taken off",
        right="at most, with what (41) adds as amended; (42) follows as printed. With (41) as printed not "
        "even that: without noise eta zeta^2/2 is left over",
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
        right="by this way 16 + 2/3 in place of 16, as for eta <= 1/(18 M L H) the last noise is at most "
        "1/24 of the first; and of E[F(theta_R)] on the left, where one round from theta_r is printed",
        grade=FindingClass.PROOF_BROKEN,
    ),
)
