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


def negative_left_side_of_theorem_3() -> Measured:
    """The clients of `negative_left_side`: with every constant that the proof of eq. (7) can give.

    It puts sqrt(7/32) E ||grad f_i|| for the update in (3/8) C_hat ||u||/(L E), and divides by a
    coefficient of the gap that is at least 5/4.
    """
    w, clients, threshold = 0.185, 11, 4 * sqrt(1 / 200)
    others = ((w - 1) ** 2 - 1) / 200
    last = ((w + 0.1) ** 2 - 0.1**2) / 2
    largest = 3 / 8 / (5 / 4) * sqrt(7 / 32) * threshold
    of_others = min(others, largest * abs(w - 1) / 100)
    left_side = (10 * of_others + min(last, largest * (w + 0.1))) / clients
    return Measured(left=(10 * others + last) / clients, right=left_side, applicable=left_side < 0)


def squares_of_the_local_steps() -> Measured:
    """E = 2: E^3 = 8 against 0 + 1, the sum of the squared numbers of the local steps."""
    E = 2
    return Measured(left=float(E**3), right=float(sum(step**2 for step in range(E))), applicable=True)


def last_line_of_lemma_4(L: float = 2.0, tau: int = 5, slope: float = 3.0) -> Measured:
    """The largest step that the lemma allows: both sides of the last relation of the display."""
    eta = 1 / (2 * L * tau)
    before = eta * tau * slope + 0.5 * eta * tau * slope
    return Measured(left=2 * eta * tau * slope, right=before, applicable=eta * L * tau <= 0.5)
