"""ALS-DPFL: what its tables and listings count."""

from fractions import Fraction
from math import e, erfc, log, sqrt

from verify.witness import Measured


def privacy_of_all_clients() -> Measured:
    """Ten clients, tau* = 1, a step consumes 1 of its own client: what line 13 adds in a round."""
    clients, of_a_step = 10, 1
    added = sum(of_a_step for _ in range(clients))
    return Measured(left=added, right=of_a_step, applicable=True, equality=True)


def budget_after_the_last_round() -> Measured:
    """One client, a budget of 5, tau* = 2 and counters that move: line 2 is asked before each round only."""
    budget, of_a_round, consumed = 5, 2, 0
    while consumed < budget:
        consumed += of_a_round
    return Measured(left=consumed, right=budget, applicable=True)


def size_of_a_batch() -> Measured:
    """Two samples, B = 1, each drawn with probability 1/2: the variance of the number that is drawn."""
    sizes = [Fraction(0), Fraction(1), Fraction(1), Fraction(2)]
    mean = sum(sizes) / 4
    spread = sum((size - mean) ** 2 for size in sizes) / 4
    return Measured(left=float(spread), right=0.0, applicable=mean == 1, equality=True)


def epsilon_of_the_experiments() -> Measured:
    """epsilon = 2, where the mechanism is stated below 1; at delta = 1e-5 its exact delta is below that."""
    epsilon, delta = 2.0, 1e-5
    sigma = sqrt(2 * log(1.25 / delta)) / epsilon

    def normal(z: float) -> float:
        return erfc(-z / sqrt(2)) / 2

    ahead, shift = 1 / (2 * sigma), epsilon * sigma
    exact = normal(ahead - shift) - e**epsilon * normal(-ahead - shift)
    return Measured(left=epsilon, right=1.0, applicable=0 < exact < delta)
