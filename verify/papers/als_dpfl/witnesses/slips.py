"""ALS-DPFL: indices out of their place, and names that a listing sets and never reads."""

from fractions import Fraction

from verify.witness import Measured

# Line 1 of Algorithm 2, and its guard.
SET = {"k", "t", "w_0", "tau*", "r_s", "r_c"}
COMPARED = {"c_b", "p_b"}


def divergence_outside_its_sum() -> Measured:
    """Two clients of one size with xi_1 = 0 and xi_2 = 2, no noise, eta = beta = 1, at t = (k-1) tau + 2.

    The third display for i = 1 against the one after it, which has the mean.
    """
    divergences, growth = (0, 2), (1 + 1) ** 1 - 1
    mean = Fraction(sum(divergences), 2)
    return Measured(
        left=float(divergences[0] * growth), right=float(mean * growth), applicable=True, equality=True
    )


def gap_of_another_step() -> Measured:
    """Gaps 1/4 of w(t) with t < T, 1/2 of w(T) and of theta: lambda = 1/2 meets C.thm2.3 and C.thm2.4."""
    before, last, theta, lam = Fraction(1, 4), Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)
    return Measured(
        left=float(1 / (before * theta)),
        right=float(1 / lam**2),
        applicable=lam <= min(last, theta) and last < 1,
    )


def column_times_row() -> Measured:
    """A gradient and a noise in two dimensions: the entries of grad F n^T, and of n^T grad F."""
    gradient, noise = (1, 2), (3, 4)
    outer = [g * n for g in gradient for n in noise]
    inner = [sum(g * n for g, n in zip(gradient, noise, strict=True))]
    return Measured(left=float(len(outer)), right=float(len(inner)), applicable=True, equality=True)


def first_model_of_a_round() -> Measured:
    """tau = 2, round 2: the t at which its first step reads w_i, and (k-1) tau, where the average is put."""
    tau, k, j = 2, 2, 1
    return Measured(left=float((k - 1) * tau + j), right=float((k - 1) * tau), applicable=True, equality=True)


def counters_without_a_start() -> Measured:
    """How many of the names in the guard line 1 sets, and how many there are."""
    return Measured(
        left=float(len(COMPARED & SET)), right=float(len(COMPARED)), applicable=True, equality=True
    )


def steps_of_all_clients() -> Measured:
    """Lines 3 to 6 for ten clients and tau* = 2: t after a round, and the steps of a client."""
    clients, tau, t = 10, 2, 0
    for _ in range(clients):
        for _ in range(tau):
            t += 1
    return Measured(left=float(t), right=float(tau), applicable=True, equality=True)
