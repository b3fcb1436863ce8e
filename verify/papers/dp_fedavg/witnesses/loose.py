"""DP-FedAvg: a left side that says less than it seems to."""

from math import sqrt

from verify.witness import Measured

# The clients and the point of `negative_left_side`.
CLIENTS, TEN, W, ELSEWHERE = 11, 10, 0.185, 0.1
THRESHOLD = 4 * sqrt(1 / 200)
# f_i(w) - f_i(w*) and ||grad f_i(w)|| of each of the ten, and of the last one
GAP_OF_TEN, GAP_OF_LAST = ((W - 1) ** 2 - 1) / 200, ((W + ELSEWHERE) ** 2 - ELSEWHERE**2) / 2
SLOPE_OF_TEN, SLOPE_OF_LAST = abs(W - 1) / 100, W + ELSEWHERE
GAP = (TEN * GAP_OF_TEN + GAP_OF_LAST) / CLIENTS


def negative_left_side(rho: float = 1e-3) -> Measured:
    """Ten clients (w-1)^2/200, one (w+1/10)^2/2, at w = 0.185; w* = 0, E = alpha = L = 1.

    All Delta_i* are 1/200, and C_hat = 4 sqrt(1/200) is at its limit. The last client's update 0.285 is
    longer and clipped; the others have negative gaps, as w is nearer to their minimum than w* is.
    """
    update = 3 * THRESHOLD / 8 * SLOPE_OF_LAST
    left_side = ((2 - rho - rho**2) * TEN * GAP_OF_TEN + update) / CLIENTS
    balanced = abs(TEN * (0 - 1) / 100 + ELSEWHERE) < 1e-15  # w* = 0 is the minimizer of the mean
    clipped = SLOPE_OF_LAST > THRESHOLD > SLOPE_OF_TEN
    return Measured(left=GAP, right=left_side, applicable=balanced and clipped)


def negative_left_side_of_theorem_3() -> Measured:
    """The clients of `negative_left_side`: with every constant that the proof of eq. (7) can give.

    It puts sqrt(7/32) E ||grad f_i|| for the update in (3/8) C_hat ||u||/(L E), and divides by a
    coefficient of the gap that is at least 5/4.
    """
    largest = 3 / 8 / (5 / 4) * sqrt(7 / 32) * THRESHOLD
    of_ten = min(GAP_OF_TEN, largest * SLOPE_OF_TEN)
    left_side = (TEN * of_ten + min(GAP_OF_LAST, largest * SLOPE_OF_LAST)) / CLIENTS
    return Measured(left=GAP, right=left_side, applicable=left_side < 0)


def squares_of_the_local_steps() -> Measured:
    """E = 2: E^3 = 8 against 0 + 1, the sum of the squared numbers of the local steps."""
    E = 2
    return Measured(left=float(E**3), right=float(sum(step**2 for step in range(E))), applicable=True)


def last_line_of_lemma_4(L: float = 2.0, tau: int = 5, slope: float = 3.0) -> Measured:
    """The largest step that the lemma allows: both sides of the last relation of the display."""
    eta = 1 / (2 * L * tau)
    before = eta * tau * slope + 0.5 * eta * tau * slope
    return Measured(left=2 * eta * tau * slope, right=before, applicable=eta * L * tau <= 0.5)
