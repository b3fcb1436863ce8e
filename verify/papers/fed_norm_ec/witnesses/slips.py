"""Fed-alpha-NormEC: an index, a factor or a number out of its place, where the displays around it have it."""

from fractions import Fraction
from math import sqrt

import bounds
from verify.witness import Measured

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def weight_of_the_error() -> Measured:
    """b_1 = gamma = b_2 = b_3 = 1, V = 0, W = 1 throughout, so that h2 is an equality; w^0 = 1, w^1 = 2."""
    b_1, gamma, b_2, b_3, V, W = 1, 1, 1, 1, 0, 1
    growth = 1 + b_1 * gamma**2
    w = growth
    right = Fraction(w * growth * V - w * V, b_2 * gamma) + Fraction(b_3, b_2)
    meets = growth * V - b_2 * gamma * W + b_3 * gamma >= V
    return Measured(left=float(w * W), right=float(right), applicable=meets)


def index_of_the_smallest_weight() -> Measured:
    """b_1 gamma^2 = 1 and K = 0, with the weights that A.lem5.s3 needs: w^{-1} = 1, w^0 = 1/2, w^1 = 1/4."""
    growth, K = 2, 0
    weights = {k: Fraction(1, growth ** (k + 1)) for k in range(-1, K + 2)}
    smallest = min(weights[k] for k in range(K + 1))
    return Measured(
        left=float((K + 1) * smallest),
        right=float((K + 1) * weights[K + 1]),
        applicable=weights[K] * growth == weights[K - 1],
        equality=True,
    )


def another_number_of_clients() -> Measured:
    """M = 2 with the memories 0 and 1, and n = 1: the clients' mean against the server's first memory."""
    memories, n = (Fraction(0), Fraction(1)), 1
    mean = sum(memories) / len(memories)
    return Measured(left=float(mean), right=float(sum(memories[:n]) / n), applicable=True, equality=True)


def point_of_the_sum(j: int, terms: int, equality: bool) -> Measured:
    """f = x^2/2 from 1 with gamma = 1/2 and T = 4: ||x^k - x^{k,j}||, and a sum of l terms, as displayed.

    In A.lem7.s9 (an equality) it is the gradients' sum, in A.lem7.s11 that of their parts.
    """
    gamma, T, start = HALF, 4, Fraction(1)
    path = [start]
    for _ in range(T):
        path.append(path[-1] - gamma / T * path[-1])
    total = sum(path[:terms], Fraction(0))
    parts = sum((abs(x - start) for x in path[:terms]), terms * start)
    right = gamma / T * (total if equality else parts)
    return Measured(left=float(start - path[j]), right=float(right), applicable=True, equality=equality)


def passes_apart(L: Fraction, gamma: Fraction) -> tuple[Fraction, Fraction]:
    """f_i1 = f_i2 = -L x^2/2 around the passes from 1 and from 0: their mean distance, and the start's."""
    second = 1 + gamma * L / 2
    return (1 + second) / 2, Fraction(1)


def smoothness_lost() -> Measured:
    """L = 8, gamma = 1/16: a step along a data point moves points apart by gamma L/2."""
    L, gamma = Fraction(8), Fraction(1, 16)
    distance, start = passes_apart(L, gamma)
    return Measured(left=float(distance), right=float(start + gamma * distance), applicable=gamma * L <= HALF)


def server_at_rest() -> Measured:
    """x^{k+1} = x^k with eta = 1, which h5 allows."""
    moved, eta = 0.0, 1.0
    return Measured(left=2 * moved, right=2 * eta, applicable=moved <= eta, equality=True)


def gradient_at_the_end() -> Measured:
    """f = x^2/2 from 1 with gamma = 1/2: x^{k,2} after two steps of length 1/4, and as it is displayed."""
    step = QUARTER
    end = (1 - step) ** 2
    return Measured(left=float(end), right=float(1 - step * 2 * end), applicable=True, equality=True)


def steps_for_rounds(equality: bool) -> Measured:
    """f = -x^2/2 around 0, T = 2, gamma = 1/2, l = 1, x^k = 0 and x^{k+1} = 1: local steps from 0 stay there.

    The right side has the server's move alone, and T_i moves the points apart by (1 + 1/4)^2.
    """
    moved = (1 + QUARTER) ** 2
    return Measured(left=float(moved), right=1.0, applicable=True, equality=equality)


def gap_out_of_the_order() -> Measured:
    """d = c = log(1/delta) = 1, B_hat = M = 2, epsilon = 10^6, gamma = 10^16 and a gap of 10^22; K large.

    So B_2/M = 10^-12 and sqrt(gap/gamma) = 10^3: with alpha = R = 1, the order of h6, the display before has
    6 sqrt 3 + 2 and the drift. This one has the drift and 100 Delta (1/2)^(1/4)/1000, Delta = 4 sqrt 3.
    """
    M, epsilon, gamma, gap, heterogeneity, constant = 2.0, 1e6, 1e16, 1e22, 1e14, 100.0
    L, share = 1 / (2 * gamma), 2 / epsilon**2 / M
    R = sqrt(gap / gamma) * share**0.25
    drift = gamma * 8 * L * sqrt(2 * L) * sqrt(heterogeneity)
    displayed = 2 * sqrt(3) * max(R, 2.0) * (1 / M / epsilon**2) ** 0.25
    within = gamma < 2 * heterogeneity**2 / (3 * L * gap * sqrt(1 / share))
    return Measured(left=(6 * sqrt(3) + 2) * R + drift, right=constant * displayed + drift, applicable=within)


def lemma_of_the_operator_error() -> Measured:
    """The number of the lemma that bounds ||x - gamma grad f_i - T_i(x)||, against the one that is named."""
    error = r"(x^{k}-\gamma\nabla f_{i}(x^{k}))-\mathcal{T}_{i}(x^{k})"
    (found,) = (n for n, part in ((6, "lemma_6"), (7, "lemma_7.c5")) if error in _printed(part))
    return Measured(left=float(found), right=6.0, applicable=True, equality=True)


def line_of_the_server_step() -> Measured:
    """The line of Algorithm 1 that divides by the length of the server's memory, against the one named."""
    return Measured(left=15.0, right=12.0, applicable=True, equality=True)


def _printed(part: str) -> str:
    return bounds.get(f"fed_norm_ec.{part}").printed[0]


def point_before_the_end_of_the_sum() -> Measured:
    return point_of_the_sum(1, 3, True)


def point_after_the_end_of_the_sum() -> Measured:
    return point_of_the_sum(3, 1, False)


def steps_for_rounds_as_an_equality() -> Measured:
    return steps_for_rounds(True)


def steps_for_rounds_as_a_bound() -> Measured:
    return steps_for_rounds(False)


def another_b_in_the_utility() -> Measured:
    """M = 10, B_hat = 2, no noise: the fourth root of B/M^2, with the B of the theorems, and of B_hat/M^2."""
    M, B_hat = 10, 2
    p = B_hat / M
    B = 2 * (p - 1) ** 2 / p + 2 * (1 - p)
    return Measured(left=(B / M**2) ** 0.25, right=(B_hat / M**2) ** 0.25, applicable=True, equality=True)


def data_point_beyond_the_last() -> Measured:
    """N = 2 data points and T = 3: the recursion asks for data point 2, and those of (3) end at N - 1 = 1."""
    N, T = 2, 3
    return Measured(left=float(T - 1), right=float(N - 1), applicable=True)
