"""The ball around the minimizer w* of F that no global iterate leaves, for a theorem that asks there only.

Let eta H L <= 1/18, F have the modulus m > 0, every client be L-smooth, and the noise of a step be at most
sigma long. Two gradient steps of a client end at most 1 + eta L times as far apart as they begin. So with
x = eta H L and a = (e^x - 1)/x the noises of a round move its end by at most a eta H sigma, and without noise
a local path is after h steps at most a eta h ||grad f_c(theta)|| from theta, where the round starts. Hence a
round is the step -eta H (grad F(theta) - w), with ||w|| <= L a eta (H - 1)/2 mean_c ||grad f_c(theta)||, that
is at most k = (e^x - 1)/2 times that mean, and the noises. Let s^2 be the mean of ||grad f_c(w*)||^2. Where
||theta - w*|| <= r, the mean is at most s + L r, and theta - eta H grad F(theta) is at most (1 - eta H m) r
from w*. So a ball of radius r that holds the start is not left if m r >= k (s + L r) + a sigma.

Or else, where client c has the modulus m_c > 0: a local step leads from within r of w* to within
(1 - eta m_c) r + eta (||grad f_c(w*)|| + sigma) of it, and a mean stays in the ball that holds its summands.
So it is enough that m_c r >= ||grad f_c(w*)|| + sigma for every client.

At w* the gradients grad f_c - grad F have the mean square s^2, as grad F(w*) = 0, and from there that changes
by a rate that the problem certifies: on the ball zeta <= s + (root of the rate) r.
"""

from collections.abc import Mapping, Sequence
from math import expm1, inf, nextafter, sqrt
from typing import Any, Final

import numpy as np

from synthetic.certified.facts import Constant, certified_lower, certified_upper
from synthetic.errors import NotCertified
from synthetic.problem import Problem
from verify.matching.confined import Confined
from verify.matching.constants.known import Known, known

ABOVE: Final = 1 + 1e-12  # the roundings of the sums below, which are short
CLEAR: Final = 1e-3  # of the modulus, that a difference must be for ABOVE to cover its roundings
LONGEST: Final = 1 / 18  # of eta H L
STRETCH: Final = expm1(LONGEST) / LONGEST  # a
DRIFT: Final = expm1(LONGEST) / 2  # k


def confine(problem: Problem, start: Sequence[Any], given: Mapping[str, Any]) -> Confined | None:
    """The ball and zeta on it, for noise of length `sigma`; None where no ball is known."""
    about, place = known(problem, {}), problem.constants().get("minimiser")
    growth, spread = _find_growth(about), about.upper("mean_squared_client_gradient_at_minimiser")
    away = _measure_farthest(place, start)
    if away is None or growth is None or spread is None:
        return None
    radius = _find_radius(about, sqrt(spread), float(given.get("sigma", 0.0)), away)
    if radius == inf:
        return None
    zeta = (sqrt(spread) + growth * radius) * ABOVE
    everywhere = about.upper("mean_squared_gradient_divergence")
    if everywhere is not None:
        zeta = min(zeta, nextafter(sqrt(everywhere), inf))
    far = _measure_farthest(place, [0.0] * problem.dimension)
    assert far is not None
    return Confined(reach=(far + radius) * ABOVE, constants={"zeta": zeta})


def _measure_farthest(place: Constant | None, point: Sequence[Any]) -> float | None:
    """How far the point is from the minimizer at most; None where nothing encloses that."""
    if place is None:
        return None
    try:
        ends = (certified_lower("minimiser", place), certified_upper("minimiser", place))
    except NotCertified:
        return None
    at = np.asarray([float(x) for x in point], dtype=np.float64)
    return float(np.linalg.norm(np.max([np.abs(at - np.asarray(end, dtype=float)) for end in ends], axis=0)))


def _find_growth(about: Known) -> float | None:
    """How fast grad f_c - grad F may change; its mean square is at most that of grad f_c."""
    own = about.upper("mean_squared_divergence_growth")
    if own is not None:
        return sqrt(own)
    smoothness = float(about.facts.smoothness)
    return smoothness if smoothness < inf else None


def _find_radius(about: Known, spread: float, sigma: float, away: float) -> float:
    smoothness, modulus = float(about.facts.smoothness), float(about.facts.strong_convexity)
    slack = modulus - DRIFT * smoothness
    limits = [(DRIFT * spread + STRETCH * sigma) / slack] if slack > CLEAR * modulus else []
    moduli, slopes = about.lower("client_strong_convexity"), about.upper("client_gradient_norms_at_minimiser")
    if moduli is not None and moduli > 0 and slopes is not None:
        limits.append((slopes + sigma) / moduli)
    return max(away, min(limits, default=inf)) * ABOVE
