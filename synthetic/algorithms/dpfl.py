"""Private federated learning with noisy clipped local steps, and its noisy centralised companion.

A round (an interval of tau steps): all clients start at the average, each takes tau noisy steps, and the
round ends with their plain mean. `rounds` is the number of averagings that are carried out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import final

from synthetic.algorithms import _noisy_steps as noisy
from synthetic.algorithms._common import random_start, tolerate_divergence
from synthetic.arguments import integer_at_least, to_floats
from synthetic.engine.arithmetic import Array, namespace, norm
from synthetic.engine.randomness import Numbers, Place
from synthetic.engine.trace import Recorder, Trace
from synthetic.measures import OF_STATE, OF_STATE_ON_REQUEST, Yardstick, yardstick
from synthetic.problem import Problem

OF_COMPANION = (
    "distance_to_auxiliary",
    "value_difference_to_auxiliary",
    "auxiliary_gap",
    "auxiliary_squared_distance",
    "auxiliary_gradient_norm",
    "client_distance_to_auxiliary",
)
OBSERVABLES = (*OF_STATE, *OF_COMPANION, "client_gradient_norm", "client_gradient_error")
ON_REQUEST = OF_STATE_ON_REQUEST
AuxiliaryNoise = noisy.AuxiliaryNoise
Stash = dict[str, list[Array]]


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """noise_multiplier is sigma: the noise has standard deviation sigma * clip_threshold per coordinate."""

    start: object
    rounds: int
    local_steps: int
    step: float
    clip_threshold: float
    noise_multiplier: float
    batch_size: int
    auxiliary_noise: AuxiliaryNoise

    def __post_init__(self) -> None:
        integer_at_least("rounds", self.rounds, 0)
        integer_at_least("local_steps", self.local_steps, 1)
        noisy.check(self)
        to_floats(self, "step", "clip_threshold", "noise_multiplier")


@tolerate_divergence
def dpfl(problem: Problem, settings: Settings, numbers: Numbers, recorder: Recorder) -> Trace:
    """Averages 0..K: gap, squared_distance, gradient_norm (R, K + 1).

    Within each interval, steps 0..tau, (R, K, tau + 1): distance_to_auxiliary, value_difference_to_auxiliary,
    auxiliary_gap, auxiliary_squared_distance, auxiliary_gradient_norm, and per client (R, K, tau + 1, n)
    client_distance_to_auxiliary; steps 0..tau-1 per client (R, K, tau, n) client_gradient_norm,
    client_gradient_error (injected minus true gradient).
    """
    measure, average = yardstick(problem), random_start(problem, settings.start, numbers)
    recorder.note(0, average, measure.of_state(average))
    for k in range(settings.rounds):
        average, stash = _interval(measure, settings, numbers, recorder, k, average)
        recorder.note(k + 1, average, _stacked(stash) | measure.of_state(average))
    return recorder.finish(average)


def _interval(
    measure: Yardstick, settings: Settings, numbers: Numbers, recorder: Recorder, k: int, average: Array
) -> tuple[Array, Stash]:
    problem, companion = measure.problem, average
    models = namespace(average).broadcast_to(average, (problem.clients, *average.shape))
    followed = any(recorder.wants(name) for name in OF_COMPANION)
    stash: Stash = {}
    _keep(stash, recorder, _observe_models(measure, models, companion))
    for j in range(settings.local_steps):
        place = Place(purpose="client noise", round=k, local_step=j)
        step = noisy.client_step(problem, settings, numbers, place, models)
        models = step.models
        _keep(stash, recorder, _observe_gradients(step))
        if followed:
            place = Place(purpose="auxiliary noise", round=k, local_step=j)
            companion = noisy.companion_step(problem, settings, numbers, place, companion, step)
            _keep(stash, recorder, _observe_models(measure, models, companion))
    return noisy.mean_model(models), stash


def _observe_models(measure: Yardstick, models: Array, companion: Array) -> dict[str, Callable[[], Array]]:
    mean, value = noisy.mean_model(models), measure.problem.value
    return {
        "distance_to_auxiliary": lambda: norm(mean - companion),
        "value_difference_to_auxiliary": lambda: value(mean) - value(companion),
        "auxiliary_gap": lambda: measure.gap(companion),
        "auxiliary_squared_distance": lambda: measure.squared_distance(companion),
        "auxiliary_gradient_norm": lambda: norm(measure.problem.gradient(companion)),
        "client_distance_to_auxiliary": lambda: norm(models - companion).T,
    }


def _observe_gradients(step: noisy.ClientStep) -> dict[str, Callable[[], Array]]:
    return {
        "client_gradient_norm": lambda: norm(step.gradients).T,
        "client_gradient_error": lambda: norm(step.sent - step.gradients).T,
    }


def _keep(stash: Stash, recorder: Recorder, measured: Mapping[str, Callable[[], Array]]) -> None:
    for name, measure in measured.items():
        if recorder.wants(name):
            stash.setdefault(name, []).append(measure())


def _stacked(stash: Stash) -> dict[str, Callable[[], Array]]:
    def over_steps(rows: list[Array]) -> Callable[[], Array]:
        return lambda: namespace(rows[0]).stack(rows, axis=1)

    return {name: over_steps(rows) for name, rows in stash.items()}
