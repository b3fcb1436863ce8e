"""Pieces that several listings share. Vectors are along the last axis, whatever stands before it."""

from collections.abc import Callable

import numpy as np

from synthetic.arithmetic import Array, Schedule, initial_state, namespace, norm, step_at
from synthetic.errors import NotDeterministic
from synthetic.problems.interface import Problem
from synthetic.randomness import Numbers

# A diverging replicate is a result, reported by the trace; the overflow on its way there is not an error.
tolerate_divergence = np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore")


def clip(vectors: Array, threshold: float) -> Array:
    """z min(1, threshold/||z||); the zero vector stays zero, and an infinite threshold clips nothing."""
    lengths, where = norm(vectors), namespace(vectors).where
    long = lengths > threshold
    factors: Array = where(long, threshold / where(long, lengths, 1.0), 1.0)
    return vectors * factors[..., None]


def to_length(vectors: Array, length: float) -> Array:
    """length z/||z||; the zero vector, which has no direction, stays zero."""
    return _divided(vectors, norm(vectors) / length)


def smoothed_normalisation(vectors: Array, smoothing: float) -> Array:
    """z/(smoothing + ||z||); with smoothing 0 the zero vector stays zero."""
    return _divided(vectors, smoothing + norm(vectors))


def _divided(vectors: Array, lengths: Array) -> Array:
    where, zero = namespace(vectors).where, lengths == 0
    factors: Array = where(zero, 0.0, 1.0 / where(zero, 1.0, lengths))
    return vectors * factors[..., None]


def local_descent(gradients: Callable[[Array], Array], start: Array, *, step: float, steps: int) -> Array:
    """The last iterate of gradient descent of every client on its own function, (n, R, d)."""
    points = start
    for _ in range(steps):
        points = points - step * gradients(points)
    return points


def sum_of_taking(taking: Array, messages: Array) -> Array:
    """The sum (R, d) of the messages (n, R, d) of the clients that take part, taking (R, n)."""
    # not a product: what a client that stays away would have sent may not even be a number
    total: Array = namespace(messages).where(taking.T[..., None], messages, 0.0).sum(axis=0)
    return total


def starting_point(problem: Problem, start: object, numbers: Numbers) -> Array:
    return numbers.array(
        initial_state(start, replicates=numbers.replicates, dimension=problem.dimension, exact=problem.exact)
    )


def random_start(problem: Problem, start: object, numbers: Numbers) -> Array:
    """The initial state of a run that draws random numbers, which exact arithmetic cannot."""
    if problem.exact:
        raise NotDeterministic(
            asked="a random run",
            failed="the problem is exact",
            found="fractions",
            needed="float64 data",
            change="use gradient_descent, exact_moments, or float64 data",
        )
    return starting_point(problem, start, numbers)


def float_step(steps: Schedule, index: int) -> float:
    # a fraction times a float64 array would silently become an array of objects
    return float(step_at(steps, index))
