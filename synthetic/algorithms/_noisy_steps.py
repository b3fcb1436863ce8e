"""The noisy clipped step of the adaptive-local-steps listings, and that of their centralised companion.

A client's step is w_i <- w_i - step * (clip(grad f_i(w_i)) + N(0, sigma^2 C^2 I)/B). The batch is the
client's whole function B times over, so the mean of the B clipped gradients is the clipped client gradient
and only the noise keeps the 1/B.

The companion v restarts at the average in every interval and takes the steps
v <- v - step * (clip(grad f(v)) + noise). Its noise is, by setting, "independent" N(0, sigma^2 C^2 I), as
printed: not divided by B; "independent_divided", the same draws divided by B; or "average_of_clients", the
mean of the noises that the clients injected.
"""

import math
from dataclasses import dataclass
from typing import Literal, Protocol, final, get_args

from synthetic.algorithms._common import clip
from synthetic.arguments import at_least, integer_at_least, one_of, positive, positive_or_infinite
from synthetic.engine.arithmetic import Array
from synthetic.engine.randomness import Numbers, Place
from synthetic.errors import BadValue
from synthetic.problem import Problem

AuxiliaryNoise = Literal["independent", "independent_divided", "average_of_clients"]


class NoisySettings(Protocol):
    """The fields that the listings of this family read."""

    @property
    def step(self) -> float: ...
    @property
    def clip_threshold(self) -> float: ...
    @property
    def noise_multiplier(self) -> float: ...
    @property
    def batch_size(self) -> int: ...
    @property
    def auxiliary_noise(self) -> AuxiliaryNoise: ...


def check(settings: NoisySettings) -> None:
    integer_at_least("batch_size", settings.batch_size, 1)
    positive("step", settings.step)
    positive_or_infinite("clip_threshold", settings.clip_threshold)
    at_least("noise_multiplier", settings.noise_multiplier, 0)
    one_of("auxiliary_noise", settings.auxiliary_noise, get_args(AuxiliaryNoise))
    if settings.noise_multiplier > 0 and math.isinf(settings.clip_threshold):
        raise BadValue(
            asked="noise",
            failed="its scale is the clip threshold, which is infinite",
            found=settings.noise_multiplier,
            needed="noise_multiplier 0 or a finite threshold",
            change="set a finite clip_threshold",
        )


def noise_scale(settings: NoisySettings) -> float:
    """Per coordinate, before the division by the batch size."""
    # 0 * inf is not a number; without noise the threshold does not matter
    return 0.0 if settings.noise_multiplier == 0 else settings.noise_multiplier * settings.clip_threshold


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClientStep:
    """One local step of all clients, each (n, R, d); noise None where there is none."""

    gradients: Array
    sent: Array
    noise: Array | None
    models: Array


def client_step(
    problem: Problem, settings: NoisySettings, numbers: Numbers, place: Place, models: Array
) -> ClientStep:
    gradients = problem.client_gradients(models)
    sent, noise, scale = clip(gradients, settings.clip_threshold), None, noise_scale(settings)
    if scale > 0:
        noise = scale / settings.batch_size * numbers.normals(place, problem.dimension, problem.clients)
        sent = sent + noise
    return ClientStep(gradients=gradients, sent=sent, noise=noise, models=models - settings.step * sent)


def companion_step(
    problem: Problem,
    settings: NoisySettings,
    numbers: Numbers,
    place: Place,
    companion: Array,
    clients: ClientStep,
) -> Array:
    direction = clip(problem.gradient(companion), settings.clip_threshold)
    if clients.noise is None:
        return companion - settings.step * direction
    if settings.auxiliary_noise == "average_of_clients":
        return companion - settings.step * (direction + mean_model(clients.noise))
    divisor = settings.batch_size if settings.auxiliary_noise == "independent_divided" else 1
    noise = noise_scale(settings) / divisor * numbers.normals(place, problem.dimension)
    return companion - settings.step * (direction + noise)


def mean_model(models: Array) -> Array:
    return models.sum(axis=0) / len(models)
