"""Observables without sampling error: of our methods on problems with exact data, in rationals.

Gradient descent is run in fractions. On quadratics stochastic gradient descent and federated averaging have
exact moments, in which only the covariance of the noise enters.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

import numpy as np

from bounds.language.quantity import Observable, Over
from synthetic.moments.fedavg import fedavg_moments
from synthetic.moments.gradient_descent import Moments, exact_moments
from synthetic.oracles import Gaussian, Sphere, StudentT, TwoPoint
from synthetic.problem import Problem
from synthetic.problems.quadratic import Quadratic
from synthetic.run import run
from verify.matching.constants.certified import exact_upper
from verify.matching.measurements.measurement import OF_STATES, Exact

ByState = dict[str, Any]


def measure_exactly(
    observables: Mapping[str, Observable], algorithm: str, problem: Problem, settings: Any
) -> Exact | None:
    """The observables as fractions; None where the run, or one of them, has none."""
    how = WAYS.get(algorithm)
    weighted = any(o.over is Over.SUM for o in observables.values())
    if how is None or weighted or not problem.exact or not all(_is_rational(x) for x in settings.start):
        return None
    by_state, method = how(problem, settings), "exact rational run"
    if algorithm != "gradient_descent":
        method = "exact moments in rationals"
    if by_state is None or not all(o.measured in by_state for o in observables.values()):
        return None
    found = {name: _reduce(o, by_state[o.measured]) for name, o in observables.items()}
    return Exact(observables=found, method=method)


def _is_rational(number: Any) -> bool:
    return isinstance(number, int | Fraction)


def _reduce(observable: Observable, values: Any) -> Any:
    """One number of those at every state."""
    if observable.over in (Over.LAST, Over.FIXED_STEP):
        return values[-1]
    values = values[OF_STATES[observable.states]]
    return min(values) if observable.over is Over.MINIMUM_OF_MEANS else sum(values) / len(values)


def _descend(problem: Problem, settings: Any) -> ByState | None:
    if not _is_rational(settings.step):
        return None
    names = ("gap", "squared_distance", "squared_gradient_norm")
    trace = run("gradient_descent", problem, settings, replicates=1, seed=0, stream="exact", observe=names)
    return {name: trace.measurements[name][0] for name in names}


def _compute_sgd(problem: Problem, settings: Any) -> ByState | None:
    noise = _find_covariance(settings.oracle, problem.dimension)
    if noise is None or not isinstance(problem, Quadratic) or not _is_rational(settings.step):
        return None
    moments = exact_moments(
        problem, start=settings.start, steps=settings.steps, step=settings.step, noise_covariance=noise
    )
    return _list_moments(moments)


def _compute_fedavg(problem: Problem, settings: Any) -> ByState | None:
    noise = _find_covariance(settings.oracle, problem.dimension)
    if noise is None or not isinstance(problem, Quadratic) or not _is_rational(settings.local_step):
        return None
    moments = fedavg_moments(
        problem,
        start=settings.start,
        rounds=settings.rounds,
        local_steps=settings.local_steps,
        local_step=settings.local_step,
        participation=settings.participation,
        server_step=Fraction(settings.server_step),
        gradient_noise=noise,
    )
    if problem.constants()["infimum_gap"] is None:
        return _list_moments(moments)
    # above the mean of the clients' minima, which is below the minimum of the mean
    apart = exact_upper(problem, "infimum_gap")
    return {**_list_moments(moments), "gap_to_client_minima": [gap + apart for gap in moments.gap]}


def _list_moments(moments: Moments) -> ByState:
    return {
        "gap": moments.gap,
        "squared_distance": moments.squared_distance,
        "squared_gradient_norm": moments.squared_gradient_norm,
    }


def _find_covariance(oracle: Any, dimension: int) -> Any:
    """A variance of every coordinate, or a matrix; None where it depends on the point, or is no fraction."""
    if oracle is None:
        return Fraction(0)
    if not isinstance(oracle, Gaussian | Sphere | StudentT | TwoPoint) or not _is_rational(oracle.scale):
        return None
    square = Fraction(oracle.scale) ** 2 / dimension
    # a fair sign along (1, ..., 1): all coordinates are one
    return np.full((dimension, dimension), square) if isinstance(oracle, TwoPoint) else square


WAYS: Final[Mapping[str, Callable[[Problem, Any], ByState | None]]] = {
    "gradient_descent": _descend,
    "stochastic_gradient_descent": _compute_sgd,
    "fedavg": _compute_fedavg,
}
