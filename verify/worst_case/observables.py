"""Observables of values and gradients at the iterates x_0..x_K, as the objective of a program."""

from collections.abc import Callable

from verify.worst_case.checker import Form
from verify.worst_case.setting import GAP, GRADIENT, MEAN_GAP, SMALLEST_GAP, SMALLEST_GRADIENT
from verify.worst_case.space import Space
from verify.worst_case.vectors import Sum, Vector, mean


def measured_rounds(name: str, last: int) -> range:
    """The rounds at whose iterates the observable needs values and gradients."""
    if name in (SMALLEST_GAP, SMALLEST_GRADIENT):
        return range(last + 1)
    if name == MEAN_GAP:
        return range(last)
    return range(last, last + 1) if name in (GAP, GRADIENT) else range(0)


def observed(
    name: str, last: int, space: Space, gap: Callable[[int], Sum], gradient: Callable[[int], Vector]
) -> tuple[Form, list[Form]]:
    """The objective, and the constraints of a free number that stands for a minimum.

    `gap` and `gradient` give F - F* and grad F at x_k; only `measured_rounds` are asked for.
    """
    if name == GAP:
        return gap(last).form(name), []
    if name == MEAN_GAP:
        return mean([gap(k) for k in range(last)]).form(name), []
    if name == SMALLEST_GAP:
        return _smallest(space, [gap(k) for k in range(last + 1)])
    if name == GRADIENT:
        return _square(gradient(last)).form(name), []
    assert name == SMALLEST_GRADIENT
    return _smallest(space, [_square(gradient(k)) for k in range(last + 1)])


def _square(vector: Vector) -> Sum:
    return Sum().add_inner(vector, vector)


def _smallest(space: Space, each: list[Sum]) -> tuple[Form, list[Form]]:
    """A free number that is at most every one of these, and is maximized."""
    smallest = space.value()
    below = [one.add_value(smallest, -1).form(f"minimum at {k}") for k, one in enumerate(each)]
    return Sum().add_value(smallest, 1).form("minimum"), below
