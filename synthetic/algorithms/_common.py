"""Pieces that several listings share. Vectors are along the last axis, whatever stands before it."""

import math
from collections.abc import Callable

import numpy as np

from synthetic.engine.arithmetic import Array, Schedule, initial_state, namespace
from synthetic.engine.client_vectors import (
    ClientVectors,
    Rescaled,
    Summands,
    lengths,
    rescaled,
    sum_of_taking,
)
from synthetic.engine.per_row import fitting, number_beside, of_lengths
from synthetic.engine.randomness import Numbers, Place
from synthetic.errors import NotDeterministic
from synthetic.problem import Problem

# A diverging replicate is a result, reported by the trace; the overflow on its way there is not an error.
tolerate_divergence = np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore")


def clip(vectors: Rescaled, threshold: float) -> Rescaled:
    """z min(1, threshold/||z||); the zero vector stays zero, and an infinite threshold clips nothing."""

    def factors(sizes: Array) -> Array | None:
        most = of_lengths(threshold, sizes)
        where, long = namespace(sizes).where, sizes > most
        if namespace(sizes) is np and not long.any():
            return None
        return where(long, most / where(long, sizes, 1.0), 1.0)

    return rescaled(vectors, factors)


def to_length(vectors: Rescaled, length: float) -> Rescaled:
    """length z/||z||; the zero vector, which has no direction, stays zero."""
    return rescaled(vectors, lambda sizes: _one_over(sizes / of_lengths(length, sizes)))


def smoothed_normalisation(vectors: Rescaled, smoothing: float) -> Rescaled:
    """z/(smoothing + ||z||); with smoothing 0 the zero vector stays zero."""
    return rescaled(vectors, lambda sizes: _one_over(smoothing + sizes))


def _one_over(sizes: Array) -> Array:
    where, zero = namespace(sizes).where, sizes == 0
    return where(zero, 0.0, 1.0 / where(zero, 1.0, sizes))


def local_descent(gradients: Callable[[Array], Array], start: Array, *, step: float, steps: int) -> Array:
    """The last iterate of gradient descent of every client on its own function, (n, R, d)."""
    points = start
    for _ in range(steps):
        points = points - step * gradients(points)
    return points


def local_updates(problem: Problem, start: Array, *, step: float, steps: int) -> ClientVectors:
    """(x - T(x))/step with T the local gradient descent of every client, from common points (R, d)."""
    if hasattr(problem, "local_updates") and not problem.exact:
        closed: ClientVectors = problem.local_updates(start, step=step, steps=steps)
        return closed
    length = fitting(step, start)
    last = local_descent(problem.client_gradients, start, step=length, steps=steps)
    return (start - last) / length


def updates_to_sum(problem: Problem, start: Array, *, step: float, steps: int) -> Summands:
    """The same where only their sum is wanted, after each was rescaled."""
    if hasattr(problem, "local_updates_in_panels") and not problem.exact:
        in_panels: Summands = problem.local_updates_in_panels(start, step=step, steps=steps)
        return in_panels
    return local_updates(problem, start, step=step, steps=steps)


def sum_of_normals(numbers: Numbers, place: Place, width: int, clients: int, taking: Array | None) -> Array:
    """The sum (R, width) of a standard normal vector from each client that takes part; None: from all.

    Given who takes part it is normal with as much variance as there are of them: it can be drawn at once.
    """
    if not numbers.together:
        return sum_of_taking(taking, numbers.normals(place, width, clients))
    drawn = numbers.normals(Place(purpose=f"{place.purpose} together", round=place.round), width)
    if taking is None:
        return math.sqrt(clients) * drawn
    heard = namespace(drawn).sqrt(taking.sum(axis=1) + 0.0 * drawn[:, 0])
    return heard[:, None] * drawn


def starting_point(problem: Problem, start: object, numbers: Numbers) -> Array:
    everyone = initial_state(
        start, replicates=numbers.of_run, dimension=problem.dimension, exact=problem.exact
    )
    own = everyone[numbers.first : numbers.first + numbers.wanted]
    # rows that fill up the block start where the last replicate does
    missing = numbers.replicates - numbers.wanted
    return numbers.array(np.concatenate([own, np.repeat(own[-1:], missing, axis=0)]) if missing else own)


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
    return number_beside(steps, index)


def observe_round(
    client_gap: Callable[[Array], Array], x: Array, movement: ClientVectors, taking: Array
) -> dict[str, Callable[[], Array]]:
    """Measure every client, taking part or not: the statements average over all of them."""
    return {
        "client_update_norm": lambda: lengths(movement).T,
        "client_gap": lambda: client_gap(x),
        "taking_part": lambda: taking,
    }
