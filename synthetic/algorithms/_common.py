"""Pieces that several listings share."""

import numpy as np

from synthetic.arithmetic import Array, Schedule, initial_state, norm, step_at
from synthetic.errors import NotDeterministic
from synthetic.problems.interface import Problem
from synthetic.randomness import Numbers

# A diverging replicate is a result, reported by the trace; the overflow on its way there is not an error.
tolerate_divergence = np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore")


def clip(vectors: Array, threshold: float) -> Array:
    """z min(1, threshold/||z||); the zero vector stays zero, and an infinite threshold clips nothing."""
    lengths = norm(vectors)[:, None]
    clipped: Array = np.where(lengths > threshold, vectors * (threshold / lengths), vectors)
    return clipped


def to_length(vectors: Array, length: float) -> Array:
    """length z/||z||; the zero vector, which has no direction, stays zero."""
    lengths = norm(vectors)[:, None]
    return np.where(lengths == 0, 0.0, length * vectors / lengths)


def smoothed_normalisation(vectors: Array, smoothing: float) -> Array:
    """z/(smoothing + ||z||); with smoothing 0 the zero vector stays zero."""
    lengths = smoothing + norm(vectors)[:, None]
    return np.where(lengths == 0, 0.0, vectors / lengths)


def local_descent(problem: Problem, client: int, start: Array, *, step: float, steps: int) -> Array:
    """All iterates of plain gradient descent on one client's function, (steps + 1, R, d)."""
    iterates = [start]
    for _ in range(steps):
        iterates.append(iterates[-1] - step * problem.client_gradient(client, iterates[-1]))
    return np.stack(iterates)


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
    return initial_state(start, replicates=numbers.replicates, dimension=problem.dimension, exact=False)


def float_step(steps: Schedule, index: int) -> float:
    # a fraction times a float64 array would silently become an array of objects
    return float(step_at(steps, index))
