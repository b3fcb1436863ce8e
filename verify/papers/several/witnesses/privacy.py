"""What the papers say of privacy: rules for noise, first memories, and where the noise is drawn."""

import math

from bounds.language.finding import FindingClass
from verify.witness import Measured, Witness


def normal(x: float) -> float:
    """The distribution function of a standard Gaussian, exact in both tails."""
    return math.erfc(-x / math.sqrt(2)) / 2


def small_probability() -> Measured:
    """One round, p = 1/1000, c = 10, epsilon = 1, delta = 1e-5: a new client of update 1, the others 0.

    One noise of deviation sigma_DP on the sum. The event: the sum is above 1/2.
    """
    p, c, epsilon, delta = 1e-3, 10.0, 1.0, 1e-5
    sigma = c * p * math.sqrt(math.log(1 / delta)) / epsilon
    there = p * normal(0.5 / sigma) + (1 - p) * normal(-0.5 / sigma)
    absent = normal(-0.5 / sigma)
    return Measured(left=there, right=math.exp(epsilon) * absent + delta, applicable=0 < p <= 1)


def large_budget() -> Measured:
    """Everyone drawn, linear clients, q = c = 1, delta = 1e-5, K = 94, epsilon = 8 q log(1/delta) = 92.1.

    One client's update is C or 0, the others are 0. In deviations of its noise a step is then m = C/(n sigma)
    or 0 long. The event: the iterate returned, one of the K at random, is above t.
    """
    q, c, rounds, delta = 1.0, 1.0, 94, 1e-5
    epsilon = 8 * q * math.log(1 / delta)
    m = epsilon / math.sqrt(q * rounds * math.log(1 / delta))
    t = 1.05 * math.sqrt(2 * epsilon * rounds)

    def above(step: float) -> float:
        return sum(normal((k * step - t) / math.sqrt(k)) for k in range(1, rounds)) / rounds

    right = math.exp(epsilon) * above(0.0) + delta
    return Measured(left=above(m), right=right, applicable=0 < epsilon < c * rounds)


def first_memories() -> Measured:
    """Twenty clients, d = p = beta = 1, one round, c = 10, epsilon = 8; one update is 0 or -10000.

    The others are 0. The server's first memory is the mean of the updates, and the first step shows the sign
    of that memory plus the mean noise. With e up to 1 long, e and the correction move it by at most 1.
    """
    clients, epsilon, delta, moved = 20, 8.0, 1e-5, 10000.0
    sigma = 10.0 * math.sqrt(math.log(1 / delta)) / epsilon
    mean_noise = sigma / math.sqrt(clients)
    at_zero = normal(-1 / mean_noise)  # at least: the correction may pull down by 1
    moved_away = normal((1 - moved / clients) / mean_noise)  # at most: it may push up by 1
    return Measured(left=at_zero, right=math.exp(epsilon) * moved_away + delta, applicable=True)


def noise_of_the_drawn(drawn: int, expected: int) -> Measured:
    """The variance of the sum of the messages' noises against that of as many as are expected."""
    return Measured(left=drawn / expected, right=1.0, applicable=True, equality=True)


def replaced_entry() -> Measured:
    """One release, epsilon = 9/10, delta = 1e-5, sigma = c/epsilon: a gradient turned round moves by 2C."""
    epsilon, delta = 0.9, 1e-5
    sigma = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    moved = 2.0
    near, far = moved / (2 * sigma), epsilon * sigma / moved
    exact = normal(near - far) - math.exp(epsilon) * normal(-near - far)
    return Measured(left=exact, right=delta, applicable=epsilon < 1)


def noise_of_the_experiments() -> Measured:
    """2 sigma^2/p with the printed variance, beta = 1/10, at p = 1/4 against a quarter of that at p = 1."""

    def component(p: float) -> float:
        rounds, log_delta, epsilon, beta = 300, math.log(1e5), 8.0, 0.1
        variance = p * beta * math.sqrt(rounds * log_delta) / epsilon
        return 2 * variance / p

    return Measured(left=component(0.25), right=component(1.0) / 4, applicable=True, equality=True)


def delta_of_rounds(noise: float, rounds: int, epsilon: float) -> float:
    """The exact delta of several releases of a sum that one client moves by 1, with Gaussian noise."""
    moved = math.sqrt(rounds) / noise
    near, far = moved / 2 - epsilon / moved, -moved / 2 - epsilon / moved
    return normal(near) - math.exp(epsilon) * normal(far)


def noise_with_beta() -> Measured:
    """p = 1, all 20 noises, 300 rounds, epsilon = 8, delta = 1e-5 and the largest beta, 1/10, as a deviation.

    Line 14 multiplies messages by beta, and so an update of 1 as well as its noise. One client's update is 0
    or, far from its memory, nearly 1 in every round: 99/100 at least.
    """
    clients, rounds, epsilon, delta, beta, moved = 20, 300, 8.0, 1e-5, 0.1, 0.99
    deviation = beta * math.sqrt(rounds * math.log(1 / delta)) / epsilon
    noise = beta * deviation * math.sqrt(clients) / (beta * moved)
    return Measured(left=delta_of_rounds(noise, rounds, epsilon), right=delta, applicable=True)


_AT_THE_CLIENTS = "a variance that depends on how many were drawn, or one noise at the server"

WITNESSES = (
    Witness(
        statement="fed_norm_ec.noise_rule",
        measure=small_probability,
        why="the noise falls with p without limit and a client that is drawn stands out: no c serves "
        "all p and delta, as with p the root of a small delta",
        right="sigma_DP in each coordinate (sqrt(d) times it, if it is of the total variance), one noise at "
        "the server, and epsilon < c_1 p^2 (K+1), as the cited theorem has them and B.thm1 prints the last; "
        "and epsilon of the order of log(1/delta), as B.thm1 needs too",
    ),
    Witness(
        statement="fed_norm_ec.claims.amp",
        measure=small_probability,
        why="the rule with one c for all p and delta, which is said to come of it, does not keep them",
        right="of sampling; of the rule only with one noise at the server, sigma_DP in each coordinate and "
        "epsilon < c_1 p^2 (K+1)",
        grade=FindingClass.INTERPRETATION,
    ),
    Witness(
        statement="fed_norm_ec.claims.vhat0",
        measure=first_memories,
        why="secure aggregation reveals the mean of the first memories, exactly, and a change in one of them "
        "changes it by 1/M of that: no delta below 1. Where they are near the local updates, as a small R "
        "asks, the first step shows one client's data at any noise that the rule names",
        right="of one client's memory by itself; for privacy as in Definition 1, first memories that depend "
        "on no data, or the release of their mean counted",
        grade=FindingClass.INCONSISTENT,
    ),
    Witness(
        statement="fed_norm_ec.claims.sens",
        display=1,
        measure=lambda: noise_of_the_drawn(1, 2),
        why="the cited theorem has one noise on the aggregated update; Algorithm 1 (line 12) adds one for "
        "each client that was drawn: a round with one client has half the variance of a round with two",
        right=_AT_THE_CLIENTS,
        grade=FindingClass.INCONSISTENT,
    ),
    Witness(
        statement="dp_fedavg.theorem_1",
        display=1,
        measure=large_budget,
        why="the range of epsilon grows with K, and log(1/delta) does not: from epsilon = 8 q log(1/delta) "
        "on the noise hides little, whatever q >= 1 and the constant of the range are",
        right="with epsilon of the order of log(1/delta) too, at least where everyone is drawn: beyond it q "
        "has to grow like epsilon/log(1/delta)",
    ),
    Witness(
        statement="dp_fedavg.theorem_1",
        line="line 10",
        display=0,
        measure=lambda: noise_of_the_drawn(1, 2),
        why="the cited theorem has one noise of variance sigma^2 on the average; in Algorithm 1 (lines 3, "
        "10, 12) it has |S| sigma^2/r with |S| random: half of it where r = 2 and one client is drawn",
        right=_AT_THE_CLIENTS,
        grade=FindingClass.INCONSISTENT,
    ),
    Witness(
        statement="fed_norm_ec.claims.expb",
        measure=noise_of_the_experiments,
        why="p beta sqrt(K log(1/delta))/epsilon is printed as the variance of the noise, and used here as "
        "its deviation: with that variance the component is 2 beta sqrt(K log(1/delta))/epsilon, free of p, "
        "and a smaller p reduces nothing. Section 5.2 calls the rule for sigma_DP a variance too, and it has "
        "no beta",
        right="p sqrt(K log(1/delta))/epsilon as the deviation: Algorithm 1 multiplies noise by beta. The "
        "component is then proportional to p, and that of beta^2 B, which the bound has, to p beta^2",
        grade=FindingClass.INCONSISTENT,
    ),
    Witness(
        statement="fed_norm_ec.algorithm_1.variation",
        line="noise",
        display=1,
        measure=noise_with_beta,
        why="lines 12 and 14 of Algorithm 1 multiply the noise by beta, like the update that it hides, and "
        "A.disc.sigma has no beta: a noise in proportion to beta is beta times too small. With everybody "
        "taking part no printed beta keeps epsilon = 8 and delta = 1e-5, nor does that size as a variance",
        right="without the factor beta, as the deviation in each coordinate: with the 20 noises of full "
        "participation that keeps them",
        grade=FindingClass.INCONSISTENT,
    ),
    Witness(
        statement="als_dpfl.claims_from_experiments.privacy",
        measure=replaced_entry,
        why="with the clipping bound as sensitivity: databases that differ in one entry have sums 2C apart, "
        "and the exact delta of one release is then far above the one asked",
        right="sigma of twice c/epsilon, or neighbors of which one holds an entry more",
        grade=FindingClass.INTERPRETATION,
    ),
)
