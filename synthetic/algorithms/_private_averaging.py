"""Federated averaging with bounded and noised client updates: the common body of the two listings.

The listings differ in one line only, how a client's update is bounded (clipped, or scaled to a length).
"""

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from synthetic.algorithms._common import float_step, local_descent, random_start, tolerate_divergence
from synthetic.arithmetic import Array, Schedule, norm
from synthetic.checks import at_least, positive, schedule, schedule_length, whole
from synthetic.participation import Independent, Participation
from synthetic.problems.interface import Problem
from synthetic.randomness import Numbers, Place
from synthetic.trace import Recorder, Trace, Yardstick, yardstick

Bounding = Callable[[Array], Array]


class AveragingSettings(Protocol):
    """The fields that both listings read."""

    @property
    def start(self) -> object: ...
    @property
    def rounds(self) -> int: ...
    @property
    def local_steps(self) -> int: ...
    @property
    def local_step(self) -> Schedule: ...
    @property
    def server_step(self) -> Schedule | None: ...
    @property
    def clients_per_round(self) -> float: ...
    @property
    def noise_scale(self) -> float: ...
    @property
    def participation(self) -> Participation | None: ...


def check(settings: AveragingSettings) -> None:
    whole("rounds", settings.rounds, 0)
    whole("local_steps", settings.local_steps, 1)
    for name, steps in (("local_step", settings.local_step), ("server_step", settings.server_step)):
        if steps is not None:
            schedule(name, steps)
            schedule_length(name, steps, settings.rounds)
    positive("clients_per_round", settings.clients_per_round)
    at_least("noise_scale", settings.noise_scale, 0)


@tolerate_divergence
def private_averaging(
    name: str, problem: Problem, settings: AveragingSettings, numbers: Numbers, bound: Bounding
) -> Trace:
    measure, recorder = yardstick(problem), Recorder(replicates=numbers.replicates)
    w = random_start(problem, settings.start, numbers)
    taking_part = participation_of(settings, problem.clients)
    for k in range(settings.rounds):
        taking = taking_part.draw(numbers, k, problem.clients)
        updates = [_update(problem, settings, client, k, w) for client in range(problem.clients)]
        recorder.note(k, {**measure.of_state(w), **_of_round(measure, w, updates, taking)})
        message = np.zeros_like(w)
        for client, update in enumerate(updates):
            sent = bound(update) + _noise(settings, numbers, k, client, problem.dimension)
            message = message + np.where(taking[:, client, None], sent, 0.0)
        # divided by the expected number of clients, also when more, fewer or none took part
        step = settings.local_step if settings.server_step is None else settings.server_step
        w = w - float_step(step, k) * (message / float(settings.clients_per_round))
    recorder.note(settings.rounds, measure.of_state(w))
    return recorder.finish(name, w)


def participation_of(settings: AveragingSettings, clients: int) -> Participation:
    """The printed rule, each client by its own coin of probability r/n, unless another one is named."""
    if settings.participation is not None:
        return settings.participation
    return Independent(probability=settings.clients_per_round / clients)


def _update(problem: Problem, settings: AveragingSettings, client: int, k: int, w: Array) -> Array:
    step = float_step(settings.local_step, k)
    last = local_descent(problem, client, w, step=step, steps=settings.local_steps)[-1]
    update: Array = (w - last) / step
    return update


def _noise(settings: AveragingSettings, numbers: Numbers, k: int, client: int, dimension: int) -> Array:
    # covariance r sigma^2 I: the mean over r messages then has covariance sigma^2 I
    if settings.noise_scale == 0:
        return np.zeros((numbers.replicates, dimension))
    scale = math.sqrt(settings.clients_per_round) * float(settings.noise_scale)
    return scale * numbers.normals(Place(purpose="client noise", round=k, client=client), dimension)


def _of_round(measure: Yardstick, w: Array, updates: list[Array], taking: Array) -> dict[str, Array]:
    # of every client, taking part or not: the statements average over all of them
    return {
        "client_update_norm": np.stack([norm(update) for update in updates], axis=1),
        "client_gap": measure.client_gap(w),
        "taking_part": taking,
    }
