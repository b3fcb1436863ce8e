"""What the papers say of privacy: rules for noise, first memories, and where the noise is drawn."""

import math

from verify.witness import Measured


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


def noise_of_one_and_of_two() -> Measured:
    return noise_of_the_drawn(1, 2)
