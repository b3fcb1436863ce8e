"""Private federated learning with noisy clipped local steps, and its noisy centralised companion.

A round (an interval of tau steps): all clients start at the average, each takes tau steps
w_i <- w_i - step * (clip(grad f_i(w_i)) + N(0, sigma^2 C^2 I)/B), and the round ends with their plain mean.
The batch is the client's whole function B times over, so the mean of the B clipped gradients is the clipped
client gradient and only the noise keeps the 1/B.

The companion v restarts at the average in every interval and takes the steps
v <- v - step * (clip(grad f(v)) + noise). Its noise is, by setting, "independent" N(0, sigma^2 C^2 I), as
printed: not divided by B; "independent_divided", the same draws divided by B; or "average_of_clients", the
mean of the noises that the clients injected.
`rounds` is the number of averagings that are carried out.
"""

from dataclasses import dataclass
from typing import Literal, final, get_args

import numpy as np

from synthetic.algorithms._common import clip, random_start, tolerate_divergence
from synthetic.arithmetic import Array, norm, squared_norm
from synthetic.checks import at_least, one_of, positive, positive_or_infinite, to_floats, whole
from synthetic.errors import BadValue
from synthetic.problems.interface import Problem
from synthetic.randomness import Numbers, Place
from synthetic.trace import Recorder, Trace, Yardstick, yardstick

AuxiliaryNoise = Literal["independent", "independent_divided", "average_of_clients"]


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
        whole("rounds", self.rounds, 0)
        whole("local_steps", self.local_steps, 1)
        whole("batch_size", self.batch_size, 1)
        positive("step", self.step)
        positive_or_infinite("clip_threshold", self.clip_threshold)
        at_least("noise_multiplier", self.noise_multiplier, 0)
        one_of("auxiliary_noise", self.auxiliary_noise, get_args(AuxiliaryNoise))
        if self.noise_multiplier > 0 and np.isinf(self.clip_threshold):
            raise BadValue(
                asked="noise",
                failed="its scale is the clip threshold, which is infinite",
                found=self.noise_multiplier,
                needed="noise_multiplier 0 or a finite threshold",
                change="set a finite clip_threshold",
            )
        to_floats(self, "step", "clip_threshold", "noise_multiplier")

    @property
    def noise_scale(self) -> float:
        """Per coordinate, before the division by the batch size."""
        # 0 * inf is not a number; without noise the threshold does not matter
        return 0.0 if self.noise_multiplier == 0 else self.noise_multiplier * self.clip_threshold


@tolerate_divergence
def dpfl(problem: Problem, settings: Settings, numbers: Numbers) -> Trace:
    """Averages 0..K: gap, squared_distance, gradient_norm (R, K + 1).

    Within each interval, steps 0..tau, (R, K, tau + 1): distance_to_auxiliary, value_difference_to_auxiliary,
    auxiliary_gap, auxiliary_squared_distance, auxiliary_gradient_norm, and per client (R, K, tau + 1, n)
    client_distance_to_auxiliary; steps 0..tau-1 per client (R, K, tau, n) client_gradient_norm,
    client_gradient_error (injected minus true gradient).
    """
    measure, recorder = yardstick(problem), Recorder(replicates=numbers.replicates)
    average = random_start(problem, settings.start, numbers)
    recorder.note(0, measure.of_state(average))
    for k in range(settings.rounds):
        average, measured = _interval(measure, settings, numbers, k, average)
        recorder.note(k + 1, {**measured, **measure.of_state(average)})
    return recorder.finish("dpfl", average)


def _interval(
    measure: Yardstick, settings: Settings, numbers: Numbers, k: int, average: Array
) -> tuple[Array, dict[str, Array]]:
    problem = measure.problem
    models, auxiliary = [average] * problem.clients, average
    at_states, at_steps = [_of_models(measure, models, auxiliary)], []
    for j in range(settings.local_steps):
        noises = [
            _client_noise(settings, numbers, k, j, client, average.shape[1])
            for client in range(problem.clients)
        ]
        gradients = [problem.client_gradient(client, model) for client, model in enumerate(models)]
        sent = [
            clip(gradient, settings.clip_threshold) + noise
            for gradient, noise in zip(gradients, noises, strict=True)
        ]
        models = [model - settings.step * message for model, message in zip(models, sent, strict=True)]
        auxiliary = _auxiliary_step(
            problem, settings, auxiliary, _auxiliary_noise(settings, numbers, k, j, noises)
        )
        at_states.append(_of_models(measure, models, auxiliary))
        at_steps.append(_of_gradients(gradients, sent))
    return mean_model(models), {**_stacked(at_states), **_stacked(at_steps)}


def mean_model(models: list[Array]) -> Array:
    total: Array = sum(models[1:], start=models[0]) / len(models)
    return total


def _auxiliary_step(problem: Problem, settings: Settings, auxiliary: Array, noise: Array) -> Array:
    stepped: Array = auxiliary - settings.step * (
        clip(problem.gradient(auxiliary), settings.clip_threshold) + noise
    )
    return stepped


def _client_noise(settings: Settings, numbers: Numbers, k: int, j: int, client: int, dimension: int) -> Array:
    if settings.noise_scale == 0:
        return np.zeros((numbers.replicates, dimension))
    place = Place(purpose="client noise", round=k, client=client, local_step=j)
    return settings.noise_scale / settings.batch_size * numbers.normals(place, dimension)


def _auxiliary_noise(settings: Settings, numbers: Numbers, k: int, j: int, noises: list[Array]) -> Array:
    if settings.auxiliary_noise == "average_of_clients" or settings.noise_scale == 0:
        return mean_model(noises)
    place = Place(purpose="auxiliary noise", round=k, local_step=j)
    scale = settings.noise_scale
    if settings.auxiliary_noise == "independent_divided":
        scale = scale / settings.batch_size
    return scale * numbers.normals(place, noises[0].shape[1])


def _of_models(measure: Yardstick, models: list[Array], auxiliary: Array) -> dict[str, Array]:
    mean = mean_model(models)
    value = measure.problem.value
    return {
        "distance_to_auxiliary": norm(mean - auxiliary),
        "value_difference_to_auxiliary": value(mean) - value(auxiliary),
        "auxiliary_gap": measure.gap(auxiliary),
        "auxiliary_squared_distance": squared_norm(auxiliary - measure.minimiser),
        "auxiliary_gradient_norm": norm(measure.problem.gradient(auxiliary)),
        "client_distance_to_auxiliary": np.stack([norm(model - auxiliary) for model in models], axis=1),
    }


def _of_gradients(gradients: list[Array], sent: list[Array]) -> dict[str, Array]:
    errors = [norm(message - gradient) for gradient, message in zip(gradients, sent, strict=True)]
    return {
        "client_gradient_norm": np.stack([norm(gradient) for gradient in gradients], axis=1),
        "client_gradient_error": np.stack(errors, axis=1),
    }


def _stacked(rows: list[dict[str, Array]]) -> dict[str, Array]:
    return {name: np.stack([row[name] for row in rows], axis=1) for name in rows[0]}
