"""DP-FedAvg: a left side that says less than it seems to."""

from math import sqrt

from verify.witness import Measured


def negative_left_side(rho: float = 1e-3) -> Measured:
    """Ten clients (w-1)^2/200, one (w+1/10)^2/2, at w = 0.185; w* = 0, E = alpha = L = 1.

    All Delta_i* are 1/200, and C_hat = 4 sqrt(1/200) is at its limit. The last client's update 0.285 is
    longer and clipped; the others have negative gaps, as w is nearer to their minimum than w* is.
    """
    w, clients, threshold = 0.185, 11, 4 * sqrt(1 / 200)
    others = ((w - 1) ** 2 - 1) / 200
    last = ((w + 0.1) ** 2 - 0.1**2) / 2
    update = w + 0.1
    left_side = ((2 - rho - rho**2) * 10 * others + 3 * threshold / 8 * update) / clients
    gap = (10 * others + last) / clients
    balanced = abs(10 * (0 - 1) / 100 + 0.1) < 1e-15  # w* = 0 is the minimizer of the mean
    return Measured(left=gap, right=left_side, applicable=balanced and update > threshold > abs(w - 1) / 100)


def squares_of_the_local_steps() -> Measured:
    """E = 2: E^3 = 8 against 0 + 1, the sum of the squared numbers of the local steps."""
    E = 2
    return Measured(left=float(E**3), right=float(sum(step**2 for step in range(E))), applicable=True)


def last_line_of_lemma_4() -> Measured:
    """eta L tau = 1/2: what the last display rounds up to 2 eta tau ||grad f|| is 1 + 1/2 times it."""
    return Measured(left=2.0, right=1 + 0.5, applicable=True)
