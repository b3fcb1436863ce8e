"""Run the attaining instance in the engine, and measure the observable of its setting.

A run with drawn clients or noise is repeated, and its mean has a standard error; any other run is made once.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import final

import numpy as np

from synthetic.algorithms import dp_fedavg, fedavg
from synthetic.engine.randomness import Place, PlacedNumbers
from synthetic.engine.trace import Trace
from synthetic.oracles.sphere import Sphere
from synthetic.participation import FixedSize, Full, Participation
from synthetic.run import run
from verify.worst_case.equal_quadratics import equal_quadratics
from verify.worst_case.instance import Attained
from verify.worst_case.instance_problem import Problem, equal_problem, instance_problem
from verify.worst_case.methods.linear import settings_from
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.setting import (
    CENTRAL,
    DISTANCE,
    GAP,
    GRADIENT,
    MEAN_GAP,
    SMALLEST_GAP,
    SMALLEST_GRADIENT,
    ProblemClass,
    Setting,
)
from verify.worst_case.solver import Array

MOST_REPLICATES, LEAST_REPLICATES = 4096, 64
WORK = 2 * 10**7  # numbers that a repeated run may draw
ERRORS = 6  # standard errors between a mean and what it should be
# Of the observable, or of its unit if that is larger: functions through points amplify what floats round off.
ROUNDING = 1e-7
STREAM = "worst case"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The mean of the observable over the replicates, and its standard error; 0 for a run without chance."""

    mean: float
    standard_error: float
    replicates: int

    def confirms(self, setting: ProblemClass, lower: Fraction) -> bool:
        """Whether the run measures the lower end, up to rounding and to chance."""
        size = max(float(setting.unit), float(lower))
        room = ERRORS * self.standard_error + ROUNDING * size
        return abs(self.mean - float(lower)) <= room


def _take_last(along: Array) -> Array:
    last: Array = along[:, -1]
    return last


def _average_over_rounds(along: Array) -> Array:
    mean: Array = along[:, :-1].mean(axis=1)
    return mean


def _where_the_mean_is_lowest(along: Array) -> Array:
    lowest: Array = along[:, np.argmin(along.mean(axis=0))]
    return lowest


# The measures that the engine takes at x_0..x_K, and how the observable of a replicate follows from them.
MEASURED: dict[str, tuple[str, Callable[[Array], Array]]] = {
    GAP: ("gap", _take_last),
    SMALLEST_GAP: ("gap", _where_the_mean_is_lowest),
    MEAN_GAP: ("gap", _average_over_rounds),
    DISTANCE: ("squared_distance", _take_last),
    GRADIENT: ("squared_gradient_norm", _take_last),
    SMALLEST_GRADIENT: ("squared_gradient_norm", _where_the_mean_is_lowest),
}


def measured(setting: ProblemClass, attained: Attained | None) -> Measurement:
    """Run the algorithm on the instance, or on equal quadratics, and measure the observable."""
    if isinstance(setting, MethodSetting):
        assert attained is not None
        problem, start = instance_problem(setting, attained)
        return _reduced(setting, _run_method(setting, problem, start))
    assert isinstance(setting, Setting)
    if attained is None:
        problem, start = equal_problem(setting, equal_quadratics(setting))
    else:
        problem, start = instance_problem(setting, attained)
    if setting.observable == CENTRAL:
        return _distance_to_central(setting, problem, start)
    replicates = _replicates(setting, problem)
    return _reduced(setting, _along(setting, problem, start, replicates, MEASURED[setting.observable][0]))


def _reduced(setting: ProblemClass, along: Array) -> Measurement:
    """The observable of every replicate from what was measured at x_0..x_K, and its mean."""
    values = MEASURED[setting.observable][1](along)
    error = 0.0 if len(values) == 1 else float(values.std(ddof=1)) / sqrt(len(values))
    return Measurement(mean=float(values.mean()), standard_error=error, replicates=len(values))


def _run_method(setting: MethodSetting, problem: Problem, start: Array) -> Array:
    """The author's own code on the instance."""
    name, asked = MEASURED[setting.observable][0], settings_from(setting.algorithm, setting.values, start)
    return _trace(setting.algorithm, problem, asked, 1, name).measurements[name]


def _replicates(setting: Setting, problem: Problem) -> int:
    if not setting.is_random:
        return 1
    each = setting.clients * problem.dimension * max(1, setting.rounds * setting.local_steps)
    return min(MOST_REPLICATES, max(LEAST_REPLICATES, WORK // each))


def _along(setting: Setting, problem: Problem, start: Array, replicates: int, name: str) -> Array:
    """The measure at x_0..x_K of every replicate."""
    if not (setting.sigma and setting.server_noise):
        along: Array = _run(setting, problem, start, replicates, name).measurements[name]
        return along
    return _alternate(setting, problem, start, replicates, name)


def _alternate(setting: Setting, problem: Problem, start: Array, replicates: int, name: str) -> Array:
    """No algorithm has noise of clients and of the server: its noise is added between rounds of the engine.

    Every round has a stream of its own, and the state after the last noise is measured by a run of no round.
    """
    of_round, of_none = (_plain(replace(setting, rounds=rounds), start) for rounds in (1, 0))
    numbers = PlacedNumbers(seed=0, stream=STREAM, replicates=replicates)
    columns, states = [], np.tile(start, (replicates, 1))
    for k in range(setting.rounds + 1):
        asked = replace(of_round if k < setting.rounds else of_none, start=states)
        trace = _trace("fedavg", problem, asked, replicates, name, stream=f"{STREAM}, round {k}")
        columns.append(trace.measurements[name][:, 0])
        drawn = numbers.normals(Place(purpose="server noise", round=k), problem.dimension)
        states = trace.final_state + float(setting.server_noise or 0) / sqrt(problem.dimension) * drawn
    return np.stack(columns, axis=1)


def _run(setting: Setting, problem: Problem, start: Array, replicates: int, name: str) -> Trace:
    """Noise of the server is that of private averaging, in which nothing is clipped here."""
    asked = _private(setting, problem, start) if setting.server_noise else _plain(setting, start)
    algorithm = "dp_fedavg" if setting.server_noise else "fedavg"
    return _trace(algorithm, problem, asked, replicates, name)


def _trace(
    algorithm: str, problem: Problem, asked: object, replicates: int, name: str, stream: str = STREAM
) -> Trace:
    return run(algorithm, problem, asked, replicates=replicates, seed=0, stream=stream, observe=(name,))


def _taking_part(setting: Setting) -> Participation:
    return Full() if setting.cohort is None else FixedSize(count=setting.cohort)


def _plain(setting: Setting, start: Array) -> fedavg.Settings:
    return fedavg.Settings(
        start=start,
        rounds=setting.rounds,
        local_steps=setting.local_steps,
        local_step=float(setting.local_step),
        server_step=float(setting.server_step),
        participation=_taking_part(setting),
        oracle=Sphere(scale=float(setting.sigma)) if setting.sigma else None,
    )


def _private(setting: Setting, problem: Problem, start: Array) -> dp_fedavg.Settings:
    """There the clients send what they moved over the local step, and noise is named by coordinate."""
    assert setting.server_noise is not None
    server_step = float(setting.server_step * setting.local_step)
    return dp_fedavg.Settings(
        start=start,
        rounds=setting.rounds,
        local_steps=setting.local_steps,
        local_step=float(setting.local_step),
        server_step=server_step,
        participation=_taking_part(setting),
        clip_threshold=float("inf"),
        clients_per_round=setting.cohort or setting.clients,
        noise_scale=float(setting.server_noise) / (server_step * sqrt(problem.dimension)),
        noise_placement="server",
    )


def _distance_to_central(setting: Setting, problem: Problem, start: Array) -> Measurement:
    """From the state after a round to where as many rounds of one step lead."""
    steps = replace(setting, rounds=setting.local_steps, local_steps=1, server_step=Fraction(1))
    ends = [_run(one, problem, start, 1, "gap").final_state[0] for one in (setting, steps)]
    apart = ends[0] - ends[1]
    return Measurement(mean=float(apart @ apart), standard_error=0.0, replicates=1)
