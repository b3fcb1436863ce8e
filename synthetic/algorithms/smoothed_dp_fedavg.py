"""Private federated averaging with smoothed normalisation and no memory: the baseline of error feedback.

One round: every client that takes part sends N(x - T(x)) + z with T its local operator and N the smoothed
normalisation u/(smoothing + ||u||); the server moves by -server_step times the sum of what was sent, divided
by B. Readings of the listing: the noise z_i stands inside its sum, which its bracket leaves open; B is the
number of clients that are drawn, so under another rule than fixed-size it is the expected number. Unlike in
the clipping listing, the local movement x - T(x) is not divided by the local step.
"""

import math
from dataclasses import dataclass
from typing import Literal, final, get_args

from synthetic.algorithms._common import (
    float_step,
    observe_round,
    random_start,
    smoothed_normalisation,
    sum_of_normals,
    tolerate_divergence,
)
from synthetic.algorithms._local_operators import LocalOperator, local_update
from synthetic.arguments import at_least, integer_at_least, one_of, positive, schedule, schedule_length
from synthetic.engine.arithmetic import Array, Schedule
from synthetic.engine.client_vectors import ClientVectors, sum_of_taking
from synthetic.engine.randomness import Numbers, Place
from synthetic.engine.trace import Recorder, Trace
from synthetic.measures import OF_STATE, OF_STATE_ON_REQUEST, yardstick
from synthetic.participation import Participation, unless_everyone
from synthetic.problem import Problem

NoiseVariance = Literal["total", "per_coordinate"]
NoisePlacement = Literal["clients", "server"]

OBSERVABLES = (*OF_STATE, "client_update_norm", "client_gap", "taking_part")
ON_REQUEST = OF_STATE_ON_REQUEST


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """The settings of smoothed DP-FedAvg.

    local_step is the whole length gamma of a local pass. noise_scale^2 is the variance of one client's
    noise, in total or per coordinate; at the "server" it is one draw with the variance of B such noises.
    """

    start: object
    rounds: int
    local_steps: int
    local_step: float
    server_step: Schedule
    smoothing: float
    participation: Participation
    noise_scale: float
    noise_variance: NoiseVariance = "total"
    noise_placement: NoisePlacement = "clients"
    local_operator: LocalOperator = "gradient_descent"

    def __post_init__(self) -> None:
        integer_at_least("rounds", self.rounds, 0)
        integer_at_least("local_steps", self.local_steps, 1)
        positive("local_step", self.local_step)
        schedule("server_step", self.server_step)
        schedule_length("server_step", self.server_step, self.rounds)
        at_least("smoothing", self.smoothing, 0)
        at_least("noise_scale", self.noise_scale, 0)
        one_of("noise_variance", self.noise_variance, get_args(NoiseVariance))
        one_of("noise_placement", self.noise_placement, get_args(NoisePlacement))
        one_of("local_operator", self.local_operator, get_args(LocalOperator))


@tolerate_divergence
def smoothed_dp_fedavg(problem: Problem, settings: Settings, numbers: Numbers, recorder: Recorder) -> Trace:
    """States 0..K: gap, squared_distance, gradient_norm (R, K + 1). Rounds 0..K-1, all clients (R, K, n):

    client_update_norm ||x - T_i(x)||, client_gap f_i(x_k) - f_i(x*), taking_part (bool).
    """
    measure, x = yardstick(problem), random_start(problem, settings.start, numbers)
    length, steps = float(settings.local_step), settings.local_steps
    update = local_update(problem, settings.local_operator, length=length, steps=steps)
    expected = settings.participation.inclusion(problem.clients) * problem.clients
    for k in range(settings.rounds):
        taking = settings.participation.draw(numbers, k, problem.clients)
        movement = length * update(x)
        recorder.note(k, x, measure.of_state(x) | observe_round(measure.client_gap, x, movement, taking))
        sent = smoothed_normalisation(movement, float(settings.smoothing))
        heard = unless_everyone(settings.participation, taking)
        message = _message(problem, settings, numbers, k, sent, heard, expected)
        x = x - float_step(settings.server_step, k) / expected * message
    recorder.note(settings.rounds, x, measure.of_state(x))
    return recorder.finish(x)


def _message(
    problem: Problem,
    settings: Settings,
    numbers: Numbers,
    k: int,
    sent: ClientVectors,
    taking: Array | None,
    expected: float,
) -> Array:
    dimension, signal = problem.dimension, sum_of_taking(taking, sent)
    scale = float(settings.noise_scale)
    if settings.noise_variance == "total":
        scale = scale / math.sqrt(dimension)
    if scale == 0:
        return signal
    if settings.noise_placement == "server":
        noise = numbers.normals(Place(purpose="server noise", round=k), dimension)
        return signal + scale * math.sqrt(expected) * noise
    place = Place(purpose="client noise", round=k)
    return signal + scale * sum_of_normals(numbers, place, dimension, problem.clients, taking)
