"""A problem of an author's own as a shape of the search: nothing of it is chosen but where a run starts."""

import numpy as np

from synthetic.errors import Refusal
from synthetic.problem import Problem as Given
from verify.search.hard_problems import Coordinates, Problem, Shape, decades


def started_anywhere(name: str, problem: Given) -> Shape:
    """Runs that start on either side of the minimizer, near or far, in one coordinate or in all."""

    def make(u: Coordinates, exact: bool) -> Problem:
        away = np.zeros(problem.dimension)
        away[: 1 if u[1] < 0.5 else None] = decades(u[0], -3, 3, False) * (1 if u[2] < 0.5 else -1)
        return Problem(
            name=name,
            arguments={},
            start=(_middle(problem) + away).tolist(),
            clients=problem.clients,
            smoothness=float(problem.facts().smoothness),
        )

    return Shape(name=f"{name}, started anywhere", size=3, make=make, counted=False)


def _middle(problem: Given) -> np.ndarray:
    try:
        return np.asarray(problem.minimiser(), dtype=np.float64)
    except Refusal:
        return np.zeros(problem.dimension)
