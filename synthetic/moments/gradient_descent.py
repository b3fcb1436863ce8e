"""Exact moments of noisy gradient descent on a quadratic: no sampling, no error but rounding.

x <- x - step * (grad f(x) + noise), noise independent of the past with mean 0 and a known covariance; its
law does not matter beyond that. The mean follows noiseless descent; the covariance S follows
S <- (I - step A) S (I - step A) + step^2 V with A the mean Hessian. In fractions if the problem is exact.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from synthetic.arguments import at_least, integer_at_least, schedule, schedule_length
from synthetic.engine.arithmetic import (
    Array,
    Schedule,
    as_numbers,
    initial_state,
    number_like,
    squared_norm,
    step_at,
)
from synthetic.errors import BadShape
from synthetic.measures import yardstick
from synthetic.problems.quadratic import Quadratic


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """Exact moments of every state of gradient descent.

    Entry k describes the state x_k after k steps, k = 0..steps: its mean and covariance, E||x_k - x*||^2,
    E||grad f(x_k)||^2, E[f(x_k) - f*]. The covariances are `spreads` along the columns of `axes`, None for
    the coordinates.
    """

    mean: Array
    spreads: Array
    axes: Array | None
    squared_distance: Array
    squared_gradient_norm: Array
    gap: Array

    @property
    def covariance(self) -> Array:
        return self.spreads if self.axes is None else self.axes @ self.spreads @ self.axes.T


def exact_moments(
    problem: Quadratic,
    *,
    start: object,
    steps: int,
    step: Schedule,
    noise_covariance: object,
) -> Moments:
    """noise_covariance: a variance per coordinate or a (d, d) matrix."""
    integer_at_least("steps", steps, 0)
    schedule("step", step)
    schedule_length("step", step, steps)
    mean = initial_state(start, replicates=1, dimension=problem.dimension, exact=problem.exact)
    number, means = number_like(mean), [mean[0]]
    lengths = [number(step_at(step, k)) for k in range(steps)]
    for length in lengths:
        mean = mean - length * problem.gradient(mean)
        means.append(mean[0])
    noise = covariance_of(noise_covariance, problem)
    if problem.exact:
        spreads = _spreads(mean_hessian(problem), noise, lengths, identity(problem))
        return summary(problem, np.stack(means), spreads)
    curvatures, axes = np.linalg.eigh(mean_hessian(problem))
    spreads = _spreads_along_axes(curvatures, axes.T @ noise @ axes, lengths)
    return summary(problem, np.stack(means), spreads, axes=axes)


def _spreads(hessian: Array, noise: Array, lengths: list[Any], unit: Array) -> Array:
    spreads = [noise * 0]
    for length in lengths:
        shrink = unit - length * hessian
        spreads.append(shrink @ spreads[-1] @ shrink + length * length * noise)
    return np.stack(spreads)


def _spreads_along_axes(curvatures: Array, noise: Array, lengths: list[Any]) -> Array:
    """Along the eigenvectors of A each entry of the covariance goes its own way."""
    spreads = np.zeros((len(lengths) + 1, *noise.shape))
    for k, length in enumerate(lengths):
        shrink = 1 - length * curvatures
        np.multiply(spreads[k], shrink[:, None] * shrink, out=spreads[k + 1])
        spreads[k + 1] += length * length * noise
    return spreads


def summary(problem: Quadratic, means: Array, spreads: Array, *, axes: Array | None = None) -> Moments:
    """The expected squared distance, gap and squared gradient norm of a state.

    E||x - x*||^2 = ||E x - x*||^2 + tr S, E f(x) = f(E x) + tr(A S)/2, and, with grad f(x) = A (x - x*),
    E||grad f(x)||^2 = ||grad f(E x)||^2 + tr(A S A). axes: the eigenvectors of A, where S is along them.
    """
    measure, hessian = yardstick(problem), mean_hessian(problem)
    own = spreads[:, range(problem.dimension), range(problem.dimension)]
    if axes is None:
        bend, bend_twice = ((matrix * spreads).sum(axis=(1, 2)) for matrix in (hessian, hessian @ hessian))
    else:
        curvatures = ((hessian @ axes) * axes).sum(axis=0)
        bend, bend_twice = own @ curvatures, own @ curvatures**2
    return Moments(
        mean=means,
        spreads=spreads,
        axes=axes,
        gap=measure.gap(means) + bend / 2,
        squared_distance=measure.squared_distance(means) + own.sum(axis=1),
        squared_gradient_norm=squared_norm(problem.gradient(means)) + bend_twice,
    )


def mean_hessian(problem: Quadratic) -> Array:
    return problem.hessians.sum(axis=0) / problem.clients


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
