"""Means of Huber functions of a Gaussian variable on the line, in closed form."""

from math import exp, pi, sqrt

from scipy.special import ndtr

from synthetic.problems.huber import Huber


def mean_value(problem: Huber, middle: float, spread: float) -> float:
    """E F(X) for X = N(middle, spread^2) on the line: a bowl inside the threshold, a cone outside."""
    slope = float(problem.curvature) * float(problem.threshold)
    total = 0.0
    for center in problem.centers[:, 0]:
        inside, square, outside = _parts(middle - float(center), spread, float(problem.threshold))
        cone = slope * (outside - float(problem.threshold) / 2 * (1 - inside))
        total += float(problem.curvature) / 2 * square + cone
    return total / problem.clients


def mean_squared_slope(problem: Huber, middle: float, spread: float) -> float:
    """E F'(X)^2 where all clients are alike."""
    inside, square, _ = _parts(middle - float(problem.centers[0, 0]), spread, float(problem.threshold))
    return float(problem.curvature) ** 2 * (square + float(problem.threshold) ** 2 * (1 - inside))


def _parts(middle: float, spread: float, threshold: float) -> tuple[float, float, float]:
    """Three means of y = N(middle, spread^2): P(|y| <= t), E[y^2; |y| <= t], E[|y|; |y| > t]."""
    low, high = ((end - middle) / spread for end in (-threshold, threshold))
    at_low, at_high = (spread * exp(-(z**2) / 2) / sqrt(2 * pi) for z in (low, high))
    inside = float(ndtr(high) - ndtr(low))
    square = (middle**2 + spread**2) * inside + (middle - threshold) * at_low - (middle + threshold) * at_high
    outside = middle * float(ndtr(-high) - ndtr(low)) + at_high + at_low
    return inside, square, outside
