"""The code of a method on a few functions, where gradients are as close to one line as they are in a class.

The vectors of a basis, at whatever angles, are no gradients of one smooth function along a run: code that
takes another way only where gradients turn around, or stay along one line, looks linear on them.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from synthetic.engine.arithmetic import Array
from synthetic.problem import Problem
from synthetic.problems.huber import huber
from synthetic.problems.quadratic import diagonal
from synthetic.run import run
from verify.worst_case.errors import NoWorstCase
from verify.worst_case.methods.linear import ALIKE, NOT_FIXED, LinearMethod, Place, read_method, settings_from

# Curvatures of the coordinates in units of the scale: the steepest, others, and the flattest alone.
CURVATURES = ((1.0,), (0.4,), (1.0, 0.7, 0.3, 0.05))
THRESHOLDS = (0.3, 0.01)  # beyond which all gradients of a run are one vector; the start is at 1
APART = 0.2  # of the clients' minimizers


def read_confirmed_method(
    algorithm: str, clients: int, values: Mapping[str, Any], scale: Fraction
) -> LinearMethod:
    """The method that the code is with a basis; refused if it is another one on functions."""
    method = read_method(algorithm, clients, values, scale)
    for problem in _functions(clients, float(scale)):
        start = np.ones(problem.dimension) / np.sqrt(problem.dimension)
        settings = settings_from(algorithm, values, start)
        trace = run(
            algorithm, problem, settings, replicates=1, seed=0, stream="worst case", observe=("state",)
        )
        with np.errstate(over="ignore", invalid="ignore"):
            expected, largest = _follow(method, problem, start)
            near = np.abs(trace.measurements["state"][0] - expected) <= ALIKE * largest
        if not (near | ~np.isfinite(expected)).all():
            raise NoWorstCase(f"{algorithm} has no worst-case program: {NOT_FIXED}")
    return method


def _functions(clients: int, scale: float) -> Iterator[Problem]:
    turns = APART * (-1.0) ** np.arange(clients)[:, None]
    for curvatures in CURVATURES:
        rows = np.tile(np.array(curvatures), (clients, 1))
        yield diagonal(scale * rows, (turns - turns.mean()) * np.ones_like(rows))
    for threshold in THRESHOLDS:
        yield huber(curvature=scale, threshold=threshold, centers=np.zeros((clients, 1)))


def _follow(method: LinearMethod, problem: Problem, start: Array) -> tuple[Array, float]:
    """The iterates that the multiples lead to, and the largest sum of sizes that a point is made of."""
    gradients: list[Array] = []  # of each question: of every client, or of the one that is asked
    largest = 0.0

    def place(at: Place) -> Array:
        nonlocal largest
        parts = [float(times) * gradients[number] for number, times in at.own.items()]
        parts += [float(times) * gradients[number].mean(axis=0) for number, times in at.of_mean.items()]
        parts = [np.tile(start, (problem.clients, 1)), *parts]
        largest = max(largest, sum(float(np.abs(part).max()) for part in parts))
        return np.asarray(sum(parts))

    for question in method.asked:
        points = place(question.at)
        found = problem.client_gradients(points[:, None, :])[:, 0, :]
        gradients.append(
            found if question.client is None else np.tile(found[question.client], (len(found), 1))
        )
    return np.array([place(at)[0] for at in method.iterates]), largest
