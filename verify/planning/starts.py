"""A start for a plan: of a few points with equal coordinates the one with the smallest bound."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import numpy as np

from bounds.language.statement import Statement
from synthetic.errors import Refusal
from synthetic.problem import Problem
from verify.planning.chosen import choose_numbers
from verify.planning.task import NotPlanned, Task


def choose_start(statement: Statement, task: Task, given: Mapping[str, float]) -> Task:
    """The task from the best of the origin, the nearest point to the minimizer, and the lowest value.

    The choice looks at the data, and nothing counts its privacy; NotPlanned if no start can be planned with.
    """
    problem = task.build()
    tasks = [replace(task, start=(c,) * problem.dimension) for c in candidate_starts(problem)]
    values, reasons = [], []
    for at in tasks:
        try:
            values.append(choose_numbers(statement, at, given)[1].value)
        except NotPlanned as error:
            values.append(float("inf"))
            reasons.append(error)
    if len(reasons) == len(tasks):
        raise reasons[0]
    return tasks[int(np.argmin(values))]


def candidate_starts(problem: Problem) -> tuple[float, ...]:
    """Values for every coordinate."""
    from scipy.optimize import minimize_scalar  # loaded on use: most verbs choose no start

    found = {0.0}
    with suppress(Refusal):  # without a known minimizer no distance to it is known either
        found.add(float(np.mean(np.asarray(problem.minimiser(), dtype=np.float64))))

    def value(coordinate: float) -> float:
        return float(problem.value(np.full((1, problem.dimension), coordinate))[0])

    lowest = minimize_scalar(value, bracket=(-0.5, 0.5), tol=1e-4, options={"maxiter": 50})
    if np.isfinite(lowest.x) and lowest.fun <= value(0.0):
        found.add(float(lowest.x))
    return tuple(sorted(found))
