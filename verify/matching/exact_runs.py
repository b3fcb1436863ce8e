"""Observables without sampling error: of our methods on problems with exact data, in rationals.

Gradient descent is run in fractions. On quadratics stochastic gradient descent and federated averaging have
exact moments, in which only the covariance of the noise enters.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from bounds.language.quantity import Observable, Over
from synthetic.moments.fedavg import fedavg_moments
from synthetic.moments.gradient_descent import Moments, exact_moments
from synthetic.oracles import Minibatch
from synthetic.problems.interface import Problem
from synthetic.problems.quadratic import Quadratic
from synthetic.run import run
from verify.matching.certified import exact_upper
from verify.matching.measurement import OF_STATES, Exact

ByState = dict[str, Any]


def measured_exactly(
    observables: Mapping[str, Observable], algorithm: str, problem: Problem, settings: Any
) -> Exact | None:
    """The observables as fractions; None where the run, or one of them, has none."""
    how = WAYS.get(algorithm)
    if how is None or not problem.exact or not all(_is_rational(x) for x in settings.start):
        return None
    by_state, method = how(problem, settings), "exact rational run"
    if algorithm != "gradient_descent":
        method = "exact moments in rationals"
    if by_state is None or not all(o.measured in by_state for o in observables.values()):
        return None
    found = {name: _reduced(o, by_state[o.measured]) for name, o in observables.items()}
    return Exact(observables=found, method=method)


def _is_rational(number: Any) -> bool:
    return isinstance(number, int | Fraction)


def _reduced(observable: Observable, values: Any) -> Any:
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


def _moments_of_sgd(problem: Problem, settings: Any) -> ByState | None:
    variance = _variance(settings.oracle, problem.dimension)
    if variance is None or not isinstance(problem, Quadratic) or not _is_rational(settings.step):
        return None
    moments = exact_moments(
        problem, start=settings.start, steps=settings.steps, step=settings.step, noise_covariance=variance
    )
    return _by_state(moments)


def _moments_of_fedavg(problem: Problem, settings: Any) -> ByState | None:
    variance = _variance(settings.oracle, problem.dimension)
    if variance is None or not isinstance(problem, Quadratic) or not _is_rational(settings.local_step):
        return None
    moments = fedavg_moments(
        problem,
        start=settings.start,
        rounds=settings.rounds,
        local_steps=settings.local_steps,
        local_step=settings.local_step,
        participation=settings.participation,
        server_step=Fraction(settings.server_step),
        gradient_noise=variance,
    )
    if problem.constants()["infimum_gap"] is None:
        return _by_state(moments)
    # above the mean of the clients' minima, which is below the minimum of the mean
    apart = exact_upper(problem, "infimum_gap")
    return {**_by_state(moments), "gap_to_client_minima": [gap + apart for gap in moments.gap]}


def _by_state(moments: Moments) -> ByState:
    return {
        "gap": moments.gap,
        "squared_distance": moments.squared_distance,
        "squared_gradient_norm": moments.squared_gradient_norm,
    }


def _variance(oracle: Any, dimension: int) -> Fraction | None:
    """The variance of a coordinate of the noise; None where it depends on the point, or is no fraction."""
    if oracle is None:
        return Fraction(0)
    if isinstance(oracle, Minibatch) or not _is_rational(oracle.scale):
        return None
    return Fraction(oracle.scale) ** 2 / dimension


WAYS: Final[Mapping[str, Callable[[Problem, Any], ByState | None]]] = {
    "gradient_descent": _descend,
    "stochastic_gradient_descent": _moments_of_sgd,
    "fedavg": _moments_of_fedavg,
}
