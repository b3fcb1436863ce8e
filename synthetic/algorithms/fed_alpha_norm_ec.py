"""Federated smoothed normalisation with error feedback and a server step of fixed length.

Rounds k = 0..last_round. Every client keeps a memory v_i and moves it by memory_step times the smoothed
normalisation of (local update - v_i); the clients that take part send this correction, weighted by one
over their probability and with noise in the private setting; the server sums the corrections into its own
memory and moves the model by server_step against the direction of that memory. Memories of clients that
do not take part move as well: the listing's loop runs over all clients.
"""

import math
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from synthetic.algorithms._common import (
    local_descent,
    random_start,
    smoothed_normalisation,
    tolerate_divergence,
)
from synthetic.arithmetic import Array, as_numbers, norm
from synthetic.checks import at_least, one_of, positive, to_floats, whole
from synthetic.errors import BadShape, UndefinedDirection
from synthetic.participation import Participation
from synthetic.problems.interface import Problem
from synthetic.randomness import Numbers, Place
from synthetic.trace import Recorder, Trace, yardstick


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """local_step is the whole length gamma of a local pass; each of the local_steps has length gamma/T.

    initial_memory (n, d), None for zeros. noise_variance says what noise_scale^2 is: "total", E||z||^2,
    or "per_coordinate". zero_direction says what the server does where its memory is exactly zero:
    "stay" leaves the model where it is, "refuse" raises. normalise_server False is the variation
    x <- x - server_step * memory.
    """

    start: object
    last_round: int
    local_steps: int
    local_step: float
    memory_step: float
    server_step: float
    smoothing: float
    participation: Participation
    private: bool
    noise_scale: float = 0.0
    noise_variance: Literal["total", "per_coordinate"] = "total"
    initial_memory: object = None
    zero_direction: Literal["stay", "refuse"] = "stay"
    normalise_server: bool = True

    def __post_init__(self) -> None:
        whole("last_round", self.last_round, 0)
        whole("local_steps", self.local_steps, 1)
        for name in ("local_step", "memory_step", "server_step"):
            positive(name, getattr(self, name))
        at_least("smoothing", self.smoothing, 0)
        at_least("noise_scale", self.noise_scale, 0)
        one_of("noise_variance", self.noise_variance, ("total", "per_coordinate"))
        one_of("zero_direction", self.zero_direction, ("stay", "refuse"))
        to_floats(self, "local_step", "memory_step", "server_step", "smoothing", "noise_scale")


@tolerate_divergence
def fed_alpha_norm_ec(problem: Problem, settings: Settings, numbers: Numbers) -> Trace:
    """Rounds 0..last_round, K + 1 of them, at the state before each: gap, squared_distance, gradient_norm,

    server_memory_error, server_memory_norm, step_norm (R, K + 1);
    client_memory_error, client_drift, client_gradient_norm, taking_part (R, K + 1, n).
    """
    measure, recorder = yardstick(problem), Recorder(replicates=numbers.replicates)
    x = random_start(problem, settings.start, numbers)
    memories = _initial_memories(settings, x, problem.clients)
    server = sum(memories[1:], start=memories[0]) / problem.clients
    for k in range(settings.last_round + 1):
        taking = settings.participation.draw(numbers, k, problem.clients)
        passes = [_local_pass(problem, settings, client, x) for client in range(problem.clients)]
        updates = [(x - iterates[-1]) / settings.local_step for iterates in passes]
        measured = {**measure.of_state(x), **_of_clients(problem, x, passes, updates, memories)}
        errors = [update - memory for update, memory in zip(updates, memories, strict=True)]
        corrections = [smoothed_normalisation(error, settings.smoothing) for error in errors]
        memories = [v + settings.memory_step * c for v, c in zip(memories, corrections, strict=True)]
        message = _messages(settings, numbers, k, corrections, taking) / problem.clients
        server = server + settings.memory_step * message
        step = _server_step(settings, server)
        recorder.note(k, {**measured, "taking_part": taking, **_of_server(memories, server, step)})
        x = x - step
    return recorder.finish("fed_alpha_norm_ec", x)


def _initial_memories(settings: Settings, x: Array, clients: int) -> list[Array]:
    shape = (clients, x.shape[1])
    memory = as_numbers(
        np.zeros(shape) if settings.initial_memory is None else settings.initial_memory, exact=False
    )
    if memory.shape != shape:
        raise BadShape(
            asked="initial_memory",
            failed="wrong shape",
            found=memory.shape,
            needed=f"{shape}",
            change="give one row per client",
        )
    return [np.broadcast_to(row, x.shape).copy() for row in memory]


def _local_pass(problem: Problem, settings: Settings, client: int, x: Array) -> Array:
    """All local iterates (T + 1, R, d)."""
    step = settings.local_step / settings.local_steps
    return local_descent(problem, client, x, step=step, steps=settings.local_steps)


def _messages(settings: Settings, numbers: Numbers, k: int, corrections: list[Array], taking: Array) -> Array:
    """The sum over the clients of what they send; a client that does not take part sends zero."""
    weight = 1 / settings.participation.inclusion(len(corrections))
    total = np.zeros_like(corrections[0])
    for client, correction in enumerate(corrections):
        sent = correction + _noise(settings, numbers, k, client, correction.shape[1])
        total = total + np.where(taking[:, client, None], weight * sent, 0.0)
    return total


def _noise(settings: Settings, numbers: Numbers, k: int, client: int, dimension: int) -> Array:
    if not settings.private or settings.noise_scale == 0:
        return np.zeros((numbers.replicates, dimension))
    scale = settings.noise_scale
    if settings.noise_variance == "total":
        scale = scale / math.sqrt(dimension)
    return scale * numbers.normals(Place(purpose="client noise", round=k, client=client), dimension)


def _server_step(settings: Settings, server: Array) -> Array:
    if not settings.normalise_server:
        return settings.server_step * server
    lengths = norm(server)[:, None]
    still = lengths == 0
    if settings.zero_direction == "refuse" and still.any():
        raise UndefinedDirection(
            asked="server step",
            failed="the server memory is exactly zero",
            found=0,
            needed="a non-zero memory",
            change='set zero_direction="stay"',
        )
    return np.where(still, 0.0, settings.server_step * server / lengths)


def _of_clients(
    problem: Problem, x: Array, passes: list[Array], updates: list[Array], memories: list[Array]
) -> dict[str, Array]:
    """Before the memories move: their error, and the mean distance of a local pass from where it started."""
    errors = [norm(update - memory) for update, memory in zip(updates, memories, strict=True)]
    drifts = [norm(iterates[:-1] - x).mean(axis=0) for iterates in passes]
    slopes = [norm(problem.client_gradient(client, x)) for client in range(problem.clients)]
    return {
        "client_memory_error": np.stack(errors, axis=1),
        "client_drift": np.stack(drifts, axis=1),
        "client_gradient_norm": np.stack(slopes, axis=1),
    }


def _of_server(memories: list[Array], server: Array, step: Array) -> dict[str, Array]:
    """After the round's updates: how far the server's memory is from the mean memory, and the step taken."""
    mean = sum(memories[1:], start=memories[0]) / len(memories)
    return {
        "server_memory_error": norm(mean - server),
        "server_memory_norm": norm(server),
        "step_norm": norm(step),
    }
