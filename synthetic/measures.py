"""Measurements of a state on any problem, each computed on demand."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from synthetic.engine.arithmetic import Array, is_exact, like, namespace, norm, squared_norm
from synthetic.errors import Refusal
from synthetic.problem import Problem

OF_STATE = ("gap", "squared_distance", "gradient_norm")
OF_STATE_ON_REQUEST = ("squared_gradient_norm", "client_value", "state")
NEED_MINIMUM = frozenset({"gap"})
NEED_MINIMISER = frozenset({"squared_distance", "client_gap", "auxiliary_squared_distance"})


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Yardstick:
    """A problem with its optimum at hand, so that a run computes the optimum once.

    minimiser and minimum are None if the problem has none, or does not know it.
    """

    problem: Problem
    minimiser: Array | None
    minimum: Any

    def of_state(self, points: Array) -> dict[str, Callable[[], Array]]:
        return {
            "gap": lambda: self.gap(points),
            "squared_distance": lambda: self.squared_distance(points),
            # rounded to float64 in exact runs too; its square is not
            "gradient_norm": lambda: norm(self.problem.gradient(points)),
            "squared_gradient_norm": lambda: squared_norm(self.problem.gradient(points)),
            "client_value": lambda: self.problem.client_values(points).T,
            "state": lambda: points,
        }

    def gap(self, points: Array) -> Array:
        return self.above_minimum(self.problem.value(points))

    def above_minimum(self, values: Array) -> Array:
        # asked again if it is not known, the problem says why
        minimum = self.problem.minimum() if self.minimum is None else self.minimum
        return without_rounding(values - minimum, minimum)

    def squared_distance(self, points: Array) -> Array:
        return squared_norm(points - like(self._minimiser(), points))

    def client_gap(self, points: Array) -> Array:
        """Client value minus its value at the minimiser of the mean, (R, n); may be negative."""
        at_minimiser = self.problem.client_values(like(self._minimiser(), points)[None, :])
        return (self.problem.client_values(points) - at_minimiser).T

    def _minimiser(self) -> Array:
        # asked again where it is not known, the problem says why
        return self.problem.minimiser() if self.minimiser is None else self.minimiser


def yardstick(problem: Problem) -> Yardstick:
    minimum, minimiser = _unless_refused(problem.minimum), _unless_refused(problem.minimiser)
    known = problem.exact or minimum is None
    return Yardstick(problem=problem, minimiser=minimiser, minimum=minimum if known else float(minimum))


def _unless_refused(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except Refusal:
        return None


def without_rounding(gaps: Array, minimum: Any) -> Array:
    """A gap below zero by rounding alone is zero; a larger negative one is a defect and stays visible."""
    if is_exact(gaps):
        return gaps
    tolerance = 1e-12 * max(1.0, abs(float(minimum)))
    return namespace(gaps).where((gaps < 0) & (gaps > -tolerance), 0.0, gaps)
