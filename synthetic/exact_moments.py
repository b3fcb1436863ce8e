"""Exact moments of noisy gradient descent on a quadratic: no sampling, no error but rounding.

x <- x - step * (grad f(x) + noise), noise independent of the past with mean 0 and a known covariance; its
law does not matter beyond that. The mean follows noiseless descent; the covariance S follows
S <- (I - step A) S (I - step A) + step^2 V with A the mean Hessian. In fractions if the problem is exact.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from synthetic.arithmetic import (
    Array,
    Schedule,
    as_numbers,
    initial_state,
    number_like,
    squared_norm,
    step_at,
)
from synthetic.checks import at_least, schedule, schedule_length, whole
from synthetic.errors import BadShape
from synthetic.problems.quadratic import Quadratic
from synthetic.yardstick import yardstick


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """Entry k speaks of the state x_k after k steps, k = 0..steps: its mean and covariance,

    E||x_k - x*||^2, E||grad f(x_k)||^2, E[f(x_k) - f*]; gaussian says whether x_k is certainly Gaussian.
    """

    mean: Array
    covariance: Array
    squared_distance: Array
    squared_gradient_norm: Array
    gap: Array
    gaussian: bool


def exact_moments(
    problem: Quadratic,
    *,
    start: object,
    steps: int,
    step: Schedule,
    noise_covariance: object,
    gaussian_noise: bool = False,
) -> Moments:
    """noise_covariance: a variance per coordinate or a (d, d) matrix."""
    whole("steps", steps, 0)
    schedule("step", step)
    schedule_length("step", step, steps)
    hessian = mean_hessian(problem)
    noise = covariance_of(noise_covariance, problem)
    mean = initial_state(start, replicates=1, dimension=problem.dimension, exact=problem.exact)
    spread = noise * 0
    means, spreads = [mean[0]], [spread]
    number = number_like(mean)
    for k in range(steps):
        length = number(step_at(step, k))
        shrink = identity(problem) - length * hessian
        mean = mean - length * problem.gradient(mean)
        spread = shrink @ spread @ shrink + length * length * noise
        means.append(mean[0])
        spreads.append(spread)
    return summary(problem, np.stack(means), np.stack(spreads), gaussian=gaussian_noise)


def summary(problem: Quadratic, means: Array, spreads: Array, *, gaussian: bool) -> Moments:
    """E||x - x*||^2 = ||E x - x*||^2 + tr S, E f(x) = f(E x) + tr(A S)/2, and, with grad f(x) = A (x - x*),

    E||grad f(x)||^2 = ||grad f(E x)||^2 + tr(A S A).
    """
    measure, hessian = yardstick(problem), mean_hessian(problem)
    spread = spreads[:, range(problem.dimension), range(problem.dimension)].sum(axis=1)
    slopes = squared_norm(problem.gradient(means))
    return Moments(
        mean=means,
        covariance=spreads,
        gap=measure.gap(means) + (hessian * spreads).sum(axis=(1, 2)) / 2,
        squared_distance=measure.squared_distance(means) + spread,
        squared_gradient_norm=slopes + ((hessian @ hessian) * spreads).sum(axis=(1, 2)),
        gaussian=gaussian,
    )


def mean_hessian(problem: Quadratic) -> Array:
    mean: Array = problem.hessians.sum(axis=0) / problem.clients
    return mean


def identity(problem: Quadratic) -> Array:
    return as_numbers(np.eye(problem.dimension), exact=problem.exact)


def covariance_of(given: object, problem: Quadratic) -> Array:
    if isinstance(given, int | float | Fraction):
        at_least("noise_covariance", given, 0)
    covariance = as_numbers(given, exact=problem.exact)
    if covariance.shape == ():
        return identity(problem) * covariance
    if covariance.shape != (problem.dimension, problem.dimension):
        raise BadShape(
            asked="noise_covariance",
            failed="wrong shape",
            found=covariance.shape,
            needed=f"a number or {(problem.dimension, problem.dimension)}",
            change="fit it to the problem",
        )
    return covariance
