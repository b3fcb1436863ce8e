"""The Gaussian mechanism at full participation, exactly (Balle and Wang, 2018, Theorem 8).

k Gaussians of sensitivity s and deviation sigma are one with the ratio mu = s sqrt(k) / sigma: their joint
privacy loss is a sum of independent normal losses, and only its law matters.
"""

from math import erfc, exp, inf, isfinite, log, sqrt

from scipy.special import erfcx

from verify.privacy.release import Release

# Rounding of the special functions stays below this for ratios from 1e-4 to 1e3; answers are moved up by it.
MARGIN = 1e-9
ROUNDING = "up: the upper end of a bisection, moved up by 1e-9 of itself for rounding"


def epsilon(release: Release, delta: float) -> float:
    """The smallest epsilon for this delta, rounded up; every unit takes part in every round."""
    ratio = sqrt(release.rounds) / release.per_sensitivity
    target = log(delta)
    if log_delta(0.0, ratio) <= target:
        return 0.0
    low, high = 0.0, 1.0
    while log_delta(high, ratio) > target:
        low, high = high, 2 * high
        if not isfinite(high):
            return inf
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if log_delta(middle, ratio) > target else (low, middle)
    return high * (1 + MARGIN)


def log_delta(epsilon: float, ratio: float) -> float:
    """log of Phi(a) - e^epsilon Phi(b) with a, b = +-ratio/2 - epsilon/ratio.

    e^epsilon phi(b) = phi(a), so with Mills' ratios (erfcx) no power of e is ever large.
    """
    a, b = ratio / 2 - epsilon / ratio, -ratio / 2 - epsilon / ratio
    if a <= 0:
        difference = float(erfcx(-a / sqrt(2)) - erfcx(-b / sqrt(2))) / 2
        return log(difference) - a * a / 2 if difference > 0 else -inf
    delta = erfc(-a / sqrt(2)) / 2 - exp(-a * a / 2) * float(erfcx(-b / sqrt(2))) / 2
    return log(delta) if delta > 0 else -inf
