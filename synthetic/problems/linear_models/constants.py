"""The constants of a linear model, each between proved bounds.

With A_i = sum_j p_ij x_ij x_ij^T and c the loss's curvature, a client's Hessian is at most c lam_max(A_i)
plus what the penalty adds. With k the third derivative of the loss along unit scores, that of a client along
a unit U is at most k sum_j p_ij ||U x_ij||^3 <= k max_j ||x_ij|| lam_max(A_i), plus what the penalty adds;
along two directions it is no larger than along one (Banach: it is a symmetric trilinear form).
"""

from collections.abc import Callable

import numpy as np

from synthetic.certified import enclosures
from synthetic.certified.divergence import DIVERGENCES, divergences_between
from synthetic.certified.enclosures import Ball, ball
from synthetic.certified.facts import (
    Constant,
    Facts,
    certified_upper,
    exactly,
    known,
    lojasiewicz_of,
    lower,
    upper,
)
from synthetic.data.samples import Samples
from synthetic.problems.linear_models.minima import Solution, constants_of_minima, estimated
from synthetic.problems.linear_models.objective import Loss, Penalty
from synthetic.problems.linear_models.spread import Spread

Known = dict[str, Constant | None]


def constants_of(samples: Samples, loss: Loss, penalty: Penalty, solution: Solution) -> Known:
    spread = Spread(samples=samples, loss=loss)
    curvatures = _curvatures(spread, penalty)
    smoothness = known(curvatures, "client_smoothness")
    return {
        **curvatures,
        "hessian_lipschitz": _hessian_lipschitz(spread, penalty),
        **_slopes(spread, penalty),
        **constants_of_minima(solution, ball(certified_upper("client_smoothness", smoothness))),
        **_divergences(spread),
        "mean_squared_divergence_growth": _divergence_growth(spread),
    }


def facts_of(samples: Samples, loss: Loss, penalty: Penalty, attained: Callable[[], bool]) -> Facts:
    """Without solving, unless nothing else tells whether the minimum is attained."""
    spread = Spread(samples=samples, loss=loss)
    constants = _curvatures(spread, penalty) | _slopes(spread, penalty) | _divergences(spread)
    strong = constants["client_strong_convexity"]
    return Facts(
        clients=samples.clients,
        dimension=int(samples.answers.shape[1] * samples.features.shape[2]),
        convex=penalty.curvatures[0] >= 0,
        quadratic=loss.steepness == 0,
        smoothness=upper(constants, "smoothness"),
        strong_convexity=0.0
        if constants["strong_convexity"] is None
        else lower(constants, "strong_convexity"),
        lipschitz=None if constants["lipschitz"] is None else upper(constants, "lipschitz"),
        bounded_below=True,
        bounded_gradient_divergence=constants["gradient_divergence"] is not None,
        minimum_attained=penalty.curvatures[0] > 0 or loss.steepness == 0 or attained(),
        lojasiewicz=None if strong is None else lojasiewicz_of(strong),
    )


def _curvatures(spread: Spread, penalty: Penalty) -> Known:
    loss, high = spread.loss, penalty.curvatures[1]
    shown = loss.shown_curvature(spread.samples.answers.shape[1], intercept=spread.intercept)
    mean = enclosures.extreme_eigenvalues(enclosures.mean(spread.moments))
    highs, lows = (loss.curvature * spread.largest + high).upper, (shown * spread.largest + high).lower
    largest = mean[1].clip(0.0)
    longest = enclosures.maximum(spread.lengths)
    sample = loss.curvature * longest * longest + high
    return {
        "smoothness": enclosures.at_most(highs.max(), lower=lows.max()),
        "client_smoothness": enclosures.at_most(highs, lower=lows),
        "mean_smoothness": enclosures.at_most(
            (loss.curvature * largest + high).upper, lower=(shown * largest + high).lower
        ),
        "largest_component_smoothness": enclosures.at_most(sample.upper, lower=sample.lower),
        **_strong_convexities(spread, mean[0], penalty.curvatures[0]),
    }


def _hessian_lipschitz(spread: Spread, penalty: Penalty) -> Constant | None:
    """None where the cube of a length of 1e140 leaves float64."""
    longest = ball(spread.lengths.upper.max(axis=-1))
    with np.errstate(over="ignore"):
        clients = spread.loss.third_derivative * longest * spread.largest + penalty.third_derivative
    largest = clients.upper.max()
    return enclosures.at_most(largest, lower=0.0) if np.isfinite(largest) else None


def _strong_convexities(spread: Spread, weakest: Ball, low: float) -> Known:
    if spread.loss.steepness == 0:
        clients = enclosures.extreme_eigenvalues(spread.moments)[0]
        return {
            "strong_convexity": enclosures.constant(weakest + low, low=low),
            "client_strong_convexity": enclosures.constant(clients + low, low=low),
        }
    if low < 0:  # far out only the penalty bends the function, and downwards: it is not convex
        return dict.fromkeys(("strong_convexity", "client_strong_convexity"))
    # far out in almost every direction all samples are certain, and only the penalty bends the function
    return {
        "strong_convexity": exactly(low),
        "client_strong_convexity": exactly((low,) * spread.samples.clients),
    }


def _slopes(spread: Spread, penalty: Penalty) -> Known:
    names = ("lipschitz", "client_lipschitz", "largest_component_lipschitz")
    outputs, features = spread.samples.answers.shape[1], spread.samples.features.shape[2]
    if penalty.slope is None or spread.loss.largest_slope is None:
        return dict.fromkeys(names)
    pushed = penalty.slope * enclosures.sqrt(ball(float(outputs * features)))
    bounds, longest = spread.slope_bounds(), enclosures.maximum(spread.lengths)
    highs = (bounds + pushed).upper
    steepest = spread.loss.largest_slope * longest
    sample = steepest + pushed
    return {
        "lipschitz": enclosures.at_most(highs.max(), lower=bounds.lower.max()),
        "client_lipschitz": enclosures.at_most(highs, lower=bounds.lower),
        # far out the slopes of a sample approach their bound, and the penalty is flat
        "largest_component_lipschitz": enclosures.at_most(sample.upper, lower=(steepest * (1 - 1e-15)).lower),
    }


def _divergences(spread: Spread) -> Known:
    if spread.samples.clients == 1:
        return divergences_between(np.zeros(1), np.zeros(1))
    if spread.loss.largest_slope is None:
        return _quadratic_divergences(spread)
    bounds = spread.divergence_bounds()
    return divergences_between(bounds.lower, bounds.upper)


def _divergence_growth(spread: Spread) -> Constant:
    """A bound on the mean of ||d_i(x) - d_i(y)||^2/||x - y||^2 with d_i the gradient of f_i less that of f.

    The penalty cancels. Of half squares d_i has the Hessian A_i less the mean of all; else the mean square
    about the mean is at most the mean square, and a client's gradient is c lam_max(A_i)-Lipschitz.
    """
    if spread.samples.clients == 1:
        return exactly(0.0)
    if spread.loss.steepness > 0:
        steep = spread.largest * spread.loss.curvature
        return enclosures.at_most(enclosures.mean(steep * steep).upper, lower=0.0)
    apart = spread.moments - enclosures.mean(spread.moments)
    squares = enclosures.mean(apart @ apart)
    return enclosures.constant(enclosures.extreme_eigenvalues(squares)[1], low=0.0)


def _quadratic_divergences(spread: Spread) -> Known:
    """Finite only where all clients have one Hessian: the difference of two gradients is then constant."""
    apart = spread.moments - enclosures.mean(spread.moments)
    if (np.abs(apart.middle) > apart.radius).any():
        return dict.fromkeys(DIVERGENCES)
    at_zero = enclosures.norm(spread.slopes_at_zero - enclosures.mean(spread.slopes_at_zero))
    found = divergences_between(at_zero.lower, at_zero.upper)
    features = spread.samples.features
    if (features == features[0]).all() and len(set(spread.samples.sizes)) == 1:
        return found
    return {name: constant and estimated(constant.value) for name, constant in found.items()}
