"""DP-FedAvg: a displayed relation that does not follow, and Theorem 3."""

from fractions import Fraction

from bounds.finding import FindingClass
from verify.witness import Measured, Witness


def more_clients_than_expected() -> Measured:
    """Two clients with the update 1 = C, each with probability 1/2: r = 1, and |S| is 0, 1, 1 or 2."""
    r = 1
    sizes = [Fraction(0), Fraction(1), Fraction(1), Fraction(2)]
    of_average = sum((size / r) ** 2 for size in sizes) / 4
    of_each = sum(size / r for size in sizes) / 4
    return Measured(left=float(of_average), right=float(of_each), applicable=True)


def one_round() -> Measured:
    """f = w^2/2 from 1, C_hat = E = alpha = K = 1, rho = 1/1000: gamma = rho^2/2 is at most L D0 = 1.

    The random round is the first. Its gap is 1/2, and the gradient 1 enters with at most 3/16 of the root of
    7/32. The constant on the right is 10; a smaller rho does the same for any other.
    """
    rho, constant = 1e-3, 10.0
    left = min(0.5, 3 / 16 * (7 / 32) ** 0.5)
    return Measured(left=left, right=constant * rho, applicable=rho**2 / 2 <= 1)


WITNESSES = (
    Witness(
        statement="dp_fedavg.theorem_5.general",
        step="B.thm5.eq23",
        measure=more_clients_than_expected,
        why="Fact 2 for r vectors needs at most r clients in the round; clients that each come with their "
        "own coin may be more",
        right="with exactly r clients a round; with coins a factor 1 + (1 - r/n)/r on the last summand",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="dp_fedavg.theorem_3",
        measure=one_round,
        why="gamma = O(L D0) lets gamma be so small that one round is prescribed, which leaves the start",
        right="with gamma of the order of L D0 from below too",
    ),
)
