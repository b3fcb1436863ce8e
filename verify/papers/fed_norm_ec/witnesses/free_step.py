"""Fed-alpha-NormEC: Corollaries 3 and 6 with gamma free below its limit, as A.cor3.s13 has it.

A run moves by (K + 1) eta = gamma beta_hat/4 at most, whatever its noise, as every step is eta long and
alpha = R. The clients are (x - s)^2/2 and (x + s)^2/2, with equal data points for Corollary 6: L = 1, and
f^inf = s^2/2 = Delta^inf, which is the mean of the Delta_i^inf too. At the start the gap is 1, and the
gradient sqrt(2).
"""

from math import sqrt

from verify.witness import Measured

CONSTANT = 1e6  # of the O(.); the same choices refute every other one


def at_a_short_step(drifts: int) -> Measured:
    """`drifts` are the terms that have the root of Delta^inf. d = c = c_R = 1, and b is (B_2/M)^(1/4)."""
    b, Delta = 1 / (100 * CONSTANT), 1e-4 / CONSTANT**2
    gamma = 1e-4 * b**2
    moved = gamma * sqrt(3 / gamma) / b / 4
    gradient = sqrt(2) - moved
    # In units of F and X in which alpha, of the unit F/X, is at most 2, and h4 allows this gamma.
    alpha, loss, length = b / sqrt(gamma), 1.0, 1.0
    while not gamma / loss < 2 * Delta**2 * b**2 / 3:
        loss *= 2.0
    while alpha * loss / length > 2:
        length *= 2.0
    utility = 2 * b / 2**0.25  # (d B_hat/M^2 log(1/delta)/epsilon^2)^(1/4) is b/(2 c^2)^(1/4)
    claimed = CONSTANT * (utility + drifts * sqrt(Delta))
    return Measured(left=gradient, right=claimed, applicable=moved < sqrt(2) and gamma <= 1 / 2)


def corollary_3() -> Measured:
    return at_a_short_step(1)


def corollary_6() -> Measured:
    return at_a_short_step(2)
