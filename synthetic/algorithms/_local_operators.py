"""The two local operators T(x) of the error-feedback listings, and the local update (x - T(x))/gamma.

gradient_descent: T steps of length gamma/T on f_i. incremental: one cyclic pass over the N components, steps
of length gamma/N on f_{i,0}, f_{i,1}, ... in their stored order; where the listing writes T for the number of
its steps, N is meant, as in the result displayed with it.
"""

from collections.abc import Callable
from typing import Literal

from synthetic.algorithms._common import local_updates
from synthetic.engine.arithmetic import Array, namespace, norm
from synthetic.engine.client_vectors import ClientVectors
from synthetic.errors import BadValue, WrongProblem
from synthetic.problem import ComponentProblem, Problem

LocalOperator = Literal["gradient_descent", "incremental"]
Gradients = Callable[[int, Array], Array]


def local_gradients(problem: Problem, operator: LocalOperator, steps: int) -> Gradients:
    """The gradients that step j of a local pass uses."""
    if operator == "gradient_descent":
        return lambda _, points: problem.client_gradients(points)
    components = _components(problem)
    if steps != components.components:
        raise BadValue(
            asked="local_steps",
            failed="an incremental pass visits every component once",
            found=steps,
            needed=str(components.components),
            change="give the number of components",
        )
    return components.component_gradients


def _components(problem: Problem) -> ComponentProblem:
    if not hasattr(problem, "component_gradients"):
        raise WrongProblem(
            asked='local_operator "incremental"',
            failed="the problem is not a sum of components",
            found=type(problem).__name__,
            needed="a problem with component_gradients",
            change='use a component sum, or "gradient_descent"',
        )
    return problem  # type: ignore[return-value]  # it offers what a component problem offers


def local_update(
    problem: Problem, operator: LocalOperator, *, length: float, steps: int
) -> Callable[[Array], ClientVectors]:
    """(x - T(x))/length of every client, from common points (R, d)."""
    gradients = local_gradients(problem, operator, steps)

    def descent(x: Array) -> ClientVectors:
        return 1 / steps * local_updates(problem, x, step=length / steps, steps=steps)

    def visits(x: Array) -> ClientVectors:
        points = x
        for j in range(steps):
            points = points - length / steps * gradients(j, points)
        return (x - points) / length

    return descent if operator == "gradient_descent" else visits


def mean_drift(gradients: Gradients, x: Array, *, length: float, steps: int) -> Array:
    """Mean over the steps of a pass of the distance from where it started, (n, R)."""
    points = x - length / steps * gradients(0, x)
    total: Array = namespace(x).zeros_like(points[..., 0])  # step 0 starts at x itself
    for j in range(1, steps):
        total = total + norm(points - x)
        if j < steps - 1:
            points = points - length / steps * gradients(j, points)
    return total / steps
