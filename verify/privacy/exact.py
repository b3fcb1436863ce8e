"""The Gaussian mechanism at full participation, exactly (Balle and Wang, 2018, Theorem 8).

k Gaussians of sensitivity s and deviation sigma are one with the ratio mu = s sqrt(k) / sigma: their joint
privacy loss is a sum of independent normal losses, and only its law matters.
"""

from math import erf, erfc, exp, inf, isfinite, log, pi, sqrt

from scipy.special import erfcx

from verify.privacy.release import Release

# Rounding of the special functions stays below this for ratios from 1e-4 to 1e3; answers are moved up by it.
MARGIN = 1e-9
# Below this ratio Mills' ratios are nearly equal, and the slope bounds their difference from above.
SMALL = 1e-6
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
    if epsilon == 0:
        return log(erf(ratio / sqrt(8))) if ratio > 1e-307 else -inf
    if a <= 0:
        x, y = -a / sqrt(2), -b / sqrt(2)
        difference = (_slope(x) * ratio / sqrt(2) if ratio < SMALL else float(erfcx(x) - erfcx(y))) / 2
        return log(difference) - a * a / 2 if difference > 0 else -inf
    delta = erfc(-a / sqrt(2)) / 2 - exp(-a * a / 2) * float(erfcx(-b / sqrt(2))) / 2
    return log(delta) if delta > 0 else -inf


def _slope(x: float) -> float:
    """How fast erfcx falls at x >= 0: it is convex, so to the right of x it falls no faster."""
    if x > 1e3:  # there the difference would be rounding; the first term of the series is above it
        return 1 / (sqrt(pi) * x * x)
    return 2 / sqrt(pi) - 2 * x * float(erfcx(x))
