"""Federated averaging: E local steps, the server averages what the clients moved.

One round k: every client that takes part runs E steps of size local_step from w_k, with its full gradient or
with the oracle's stochastic one, and sends w_k - w_{k,E}; the server moves by -server_step times the sum of
what was sent, divided by the expected number of clients. With server_step 1 and full or fixed-size
participation the new state is the mean of the local models, as both listings of it have it.
"""

from dataclasses import dataclass
from typing import final

from synthetic.algorithms._common import (
    float_step,
    local_updates,
    observe_round,
    random_start,
    tolerate_divergence,
)
from synthetic.arguments import integer_at_least, schedule, schedule_length
from synthetic.engine.arithmetic import Array, Schedule
from synthetic.engine.client_vectors import ClientVectors, sum_of_taking
from synthetic.engine.randomness import Numbers, Place
from synthetic.engine.trace import Recorder, Trace
from synthetic.measures import OF_STATE, OF_STATE_ON_REQUEST, yardstick
from synthetic.oracles.interface import Oracle
from synthetic.participation import Participation, unless_everyone
from synthetic.problem import Problem

OBSERVABLES = (*OF_STATE, "client_update_norm", "client_gap", "taking_part")
ON_REQUEST = OF_STATE_ON_REQUEST


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """local_step and server_step: one number, or one per round; oracle None means full gradients."""

    start: object
    rounds: int
    local_steps: int
    local_step: Schedule
    participation: Participation
    oracle: Oracle | None = None
    server_step: Schedule = 1.0

    def __post_init__(self) -> None:
        integer_at_least("rounds", self.rounds, 0)
        integer_at_least("local_steps", self.local_steps, 1)
        for name, steps in (("local_step", self.local_step), ("server_step", self.server_step)):
            schedule(name, steps)
            schedule_length(name, steps, self.rounds)


@tolerate_divergence
def fedavg(problem: Problem, settings: Settings, numbers: Numbers, recorder: Recorder) -> Trace:
    """States 0..K: gap, squared_distance, gradient_norm (R, K + 1). Rounds 0..K-1, all clients (R, K, n):

    client_update_norm ||w_k - w_{k,E}||, client_gap f_i(w_k) - f_i(w*), taking_part (bool).
    """
    measure = yardstick(problem)
    w = random_start(problem, settings.start, numbers)
    expected = settings.participation.inclusion(problem.clients) * problem.clients
    for k in range(settings.rounds):
        taking = settings.participation.draw(numbers, k, problem.clients)
        update = _movement(problem, settings, numbers, k, w)
        recorder.note(k, w, measure.of_state(w) | observe_round(measure.client_gap, w, update, taking))
        heard = sum_of_taking(unless_everyone(settings.participation, taking), update)
        w = w - float_step(settings.server_step, k) / expected * heard
    recorder.note(settings.rounds, w, measure.of_state(w))
    return recorder.finish(w)


def _movement(problem: Problem, settings: Settings, numbers: Numbers, k: int, w: Array) -> ClientVectors:
    """w_k - w_{k,E} of every client."""
    step, oracle = float_step(settings.local_step, k), settings.oracle
    if oracle is None:
        return step * local_updates(problem, w, step=step, steps=settings.local_steps)
    points = w
    for h in range(settings.local_steps):
        place = Place(purpose="gradient noise", round=k, local_step=h)
        points = points - step * oracle.gradients(problem, points, numbers, place)
    return w - points
