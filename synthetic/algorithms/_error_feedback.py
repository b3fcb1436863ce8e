"""Error feedback with smoothed normalisation: the rounds that its listings share.

A round: every client moves its memory v_i by memory_step times the smoothed normalisation of
(local update - v_i); the clients that take part send this correction, weighted by one over their probability
and with noise in the private setting; the server sums the corrections into its own memory and moves the
model by server_step against the direction of that memory. Memories of clients that do not take part move as
well: the listing's loop runs over all clients.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, final, get_args

from synthetic.algorithms._common import (
    random_start,
    smoothed_normalisation,
    sum_of_normals,
    tolerate_divergence,
)
from synthetic.arguments import at_least, integer_at_least, one_of, positive
from synthetic.engine.arithmetic import Array, as_numbers, norm
from synthetic.engine.client_vectors import ClientVectors, lengths, sum_of_taking, zeros_like
from synthetic.engine.randomness import Numbers, Place
from synthetic.engine.trace import Recorder, Trace
from synthetic.errors import BadShape, UndefinedDirection
from synthetic.measures import OF_STATE, OF_STATE_ON_REQUEST, yardstick
from synthetic.participation import Participation, unless_everyone
from synthetic.problem import Problem

NoiseVariance = Literal["total", "per_coordinate"]
NoisePlacement = Literal["clients", "server"]
ZeroDirection = Literal["stay", "refuse"]

OBSERVABLES = (
    *OF_STATE,
    "client_memory_error",
    "client_drift",
    "client_gradient_norm",
    "taking_part",
    "server_memory_error",
    "server_memory_norm",
    "step_norm",
)
ON_REQUEST = OF_STATE_ON_REQUEST


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoundSettings:
    """The settings that the listings share; rounds k = 0..last_round.

    initial_memory (n, d), None for zeros. noise_variance says what noise_scale^2 is: "total", E||z||^2, or
    "per_coordinate"; noise at the "server" is one draw with the variance that the clients' weighted noises
    have together. zero_direction says what the server does where its memory is exactly zero: "stay" leaves
    the model where it is, "refuse" raises. normalise_server False is the variation
    x <- x - server_step * memory.
    """

    start: object
    last_round: int
    memory_step: float
    server_step: float
    smoothing: float
    noise_scale: float = 0.0
    noise_variance: NoiseVariance = "total"
    noise_placement: NoisePlacement = "clients"
    initial_memory: object = None
    zero_direction: ZeroDirection = "stay"
    normalise_server: bool = True


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Feedback:
    """The listing's constants, apart from what a client does locally.

    noise_scale^2 is, by noise_variance, E||z||^2 of a client's noise ("total") or the variance of each of its
    coordinates; 0 is the non-private setting. Placed at the server, the noise is one draw with the variance
    that the weighted noises of the clients have together, averaged over who takes part.
    """

    rounds: int
    memory_step: float
    server_step: float
    smoothing: float
    participation: Participation
    noise_scale: float
    noise_variance: NoiseVariance
    noise_placement: NoisePlacement
    zero_direction: ZeroDirection
    normalise_server: bool

    def __post_init__(self) -> None:
        positive("memory_step", self.memory_step)
        positive("server_step", self.server_step)
        at_least("smoothing", self.smoothing, 0)
        at_least("noise_scale", self.noise_scale, 0)
        one_of("noise_variance", self.noise_variance, get_args(NoiseVariance))
        one_of("noise_placement", self.noise_placement, get_args(NoisePlacement))
        one_of("zero_direction", self.zero_direction, get_args(ZeroDirection))


def read_feedback(settings: RoundSettings, participation: Participation, *, private: bool) -> Feedback:
    """The constants of the rounds; making them checks them."""
    integer_at_least("last_round", settings.last_round, 0)
    at_least("noise_scale", settings.noise_scale, 0)
    return Feedback(
        rounds=settings.last_round + 1,
        memory_step=settings.memory_step,
        server_step=settings.server_step,
        smoothing=settings.smoothing,
        participation=participation,
        noise_scale=settings.noise_scale if private else 0.0,
        noise_variance=settings.noise_variance,
        noise_placement=settings.noise_placement,
        zero_direction=settings.zero_direction,
        normalise_server=settings.normalise_server,
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Local:
    """What a client does with the model, (R, d) to (n, R, d), and how far it strays from it, (n, R).

    Without local steps there is no drift to speak of.
    """

    update: Callable[[Array], ClientVectors]
    drift: Callable[[Array], Array] | None


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class State:
    """The model (R, d) and the memories, of the clients, of the server (R, d); their R may be 1."""

    x: Array
    memories: ClientVectors
    server: Array


@tolerate_divergence
def error_feedback(
    problem: Problem,
    feedback: Feedback,
    local: Local,
    numbers: Numbers,
    recorder: Recorder,
    *,
    start: object,
    initial_memory: object,
) -> Trace:
    measure, x = yardstick(problem), random_start(problem, start, numbers)
    if initial_memory is None:
        # of the kind of the updates: memories that start at zero stay in their spans
        memories = zeros_like(local.update(x))
    else:
        memories = numbers.array(_memories(initial_memory, problem)[:, None, :])
    state = State(x=x, memories=memories, server=sum_of_taking(None, memories) / problem.clients)
    for k in range(feedback.rounds):
        following, measured = one_round(problem, feedback, local, numbers, k, state)
        recorder.note(k, state.x, measure.of_state(state.x) | measured)
        state = following
    return recorder.finish(state.x)


def one_round(
    problem: Problem, feedback: Feedback, local: Local, numbers: Numbers, k: int, state: State
) -> tuple[State, dict[str, Callable[[], Array]]]:
    """The state after round k, and what can be measured of the round."""
    rule = feedback.participation
    taking = rule.draw(numbers, k, problem.clients)
    error = local.update(state.x) - state.memories
    correction = smoothed_normalisation(error, feedback.smoothing)
    memories = state.memories + feedback.memory_step * correction
    message = _message(problem, feedback, numbers, k, correction, unless_everyone(rule, taking))
    server = state.server + feedback.memory_step / problem.clients * message
    step = _server_step(feedback, server)
    measured = _observe_clients(problem, local, state.x, error, taking) | _observe_server(
        problem, memories, server, step
    )
    return State(x=state.x - step, memories=memories, server=server), measured


def _memories(given: object, problem: Problem) -> Array:
    shape = (problem.clients, problem.dimension)
    memory = as_numbers(given, exact=False)
    if memory.shape != shape:
        raise BadShape(
            asked="initial_memory",
            failed="wrong shape",
            found=memory.shape,
            needed=f"{shape}",
            change="give one row per client",
        )
    return memory


def _message(
    problem: Problem,
    feedback: Feedback,
    numbers: Numbers,
    k: int,
    correction: ClientVectors,
    taking: Array | None,
) -> Array:
    """The sum over the clients of what they send; a client that does not take part sends zero."""
    clients, dimension, signal = problem.clients, problem.dimension, sum_of_taking(taking, correction)
    inclusion = feedback.participation.inclusion(clients)
    scale = feedback.noise_scale
    if feedback.noise_variance == "total":
        scale = scale / math.sqrt(dimension)
    if scale == 0:
        return signal / inclusion
    if feedback.noise_placement == "server":
        noise = numbers.normals(Place(purpose="server noise", round=k), dimension)
        return signal / inclusion + scale * math.sqrt(clients / inclusion) * noise
    place = Place(purpose="client noise", round=k)
    return (signal + scale * sum_of_normals(numbers, place, dimension, clients, taking)) / inclusion


def _server_step(feedback: Feedback, server: Array) -> Array:
    if not feedback.normalise_server:
        return feedback.server_step * server
    if feedback.zero_direction == "refuse" and (norm(server) == 0).any():
        raise UndefinedDirection(
            asked="server step",
            failed="the server memory is exactly zero",
            found=0,
            needed="a non-zero memory",
            change='set zero_direction="stay"',
        )
    return feedback.server_step * smoothed_normalisation(server, 0.0)


def _observe_clients(
    problem: Problem, local: Local, x: Array, error: ClientVectors, taking: Array
) -> dict[str, Callable[[], Array]]:
    """Before the memories move: their error, and the mean distance of a local pass from where it started."""
    drift = local.drift
    strays = {} if drift is None else {"client_drift": lambda: drift(x).T}
    return strays | {
        "client_memory_error": lambda: lengths(error).T,
        "client_gradient_norm": lambda: norm(problem.client_gradients(x)).T,
        "taking_part": lambda: taking,
    }


def _observe_server(
    problem: Problem, memories: ClientVectors, server: Array, step: Array
) -> dict[str, Callable[[], Array]]:
    """After the round's updates: how far the server's memory is from the mean memory, and the step taken."""
    return {
        "server_memory_error": lambda: norm(sum_of_taking(None, memories) / problem.clients - server),
        "server_memory_norm": lambda: norm(server),
        "step_norm": lambda: norm(step),
    }
