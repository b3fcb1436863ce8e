"""What the listings of private federated averaging share: their settings, their noise, their measurements."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, final, get_args

import numpy as np

from synthetic.algorithms._common import (
    float_step,
    local_updates,
    random_start,
    sum_of_normals,
    tolerate_divergence,
    updates_to_sum,
)
from synthetic.arguments import at_least, integer_at_least, one_of, positive, schedule, schedule_length
from synthetic.engine.arithmetic import Array, Schedule, namespace, norm
from synthetic.engine.client_vectors import ClientVectors, InPanels, Summands, lengths, sum_of_taking
from synthetic.engine.per_row import fitting, number_beside, of_lengths
from synthetic.engine.randomness import Numbers, Place
from synthetic.engine.trace import Recorder, Trace
from synthetic.errors import BadValue
from synthetic.measures import OF_STATE, OF_STATE_ON_REQUEST, Yardstick, yardstick
from synthetic.participation import Independent, Participation, unless_everyone
from synthetic.problem import Problem

Bounding = Callable[[Summands], Summands]
Measures = Callable[[ClientVectors], dict[str, Callable[[], Array]]]
NoisePlacement = Literal["clients", "server"]

# These settings may differ from row to row when several configurations run as one batch.
PER_ROW = (
    "start",
    "local_step",
    "server_step",
    "clients_per_round",
    "noise_scale",
    "participation",
)
OBSERVABLES = (*OF_STATE, "client_update_norm", "client_gap", "taking_part")
OF_UPDATES = ("client_update_norm", "clipped")  # without one of these no update is kept
ON_REQUEST = (*OF_STATE_ON_REQUEST, "signal_norm", "noise_norm", "signal_to_noise")


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
    def noise_placement(self) -> NoisePlacement: ...
    @property
    def participation(self) -> Participation | None: ...


def check(settings: AveragingSettings) -> None:
    integer_at_least("rounds", settings.rounds, 0)
    integer_at_least("local_steps", settings.local_steps, 1)
    for name, steps in (("local_step", settings.local_step), ("server_step", settings.server_step)):
        if steps is not None:
            schedule(name, steps)
            schedule_length(name, steps, settings.rounds)
    positive("clients_per_round", settings.clients_per_round)
    at_least("noise_scale", settings.noise_scale, 0)
    one_of("noise_placement", settings.noise_placement, get_args(NoisePlacement))


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Message:
    """What the server divides by r and steps along: the sums over who takes part, (R, d)."""

    signal: Array
    noise: Array | None

    @property
    def total(self) -> Array:
        return self.signal if self.noise is None else self.signal + self.noise


@tolerate_divergence
def private_averaging(
    problem: Problem,
    settings: AveragingSettings,
    numbers: Numbers,
    recorder: Recorder,
    bound: Bounding,
    of_updates: Measures = lambda _: {},
) -> Trace:
    """bound: what a client sends of its update; of_updates: more to measure of the updates."""
    measure, with_updates = yardstick(problem), any(recorder.wants(name) for name in OF_UPDATES)
    w = random_start(problem, settings.start, numbers)
    for k in range(settings.rounds):
        following, measured = one_round(
            measure, settings, numbers, k, w, bound, of_updates, with_updates=with_updates
        )
        recorder.note(k, w, measure.of_state(w) | measured)
        w = following
    recorder.note(settings.rounds, w, measure.of_state(w))
    return recorder.finish(w)


def one_round(
    measure: Yardstick,
    settings: AveragingSettings,
    numbers: Numbers,
    k: int,
    w: Array,
    bound: Bounding,
    of_updates: Measures = lambda _: {},
    *,
    with_updates: bool = True,
) -> tuple[Array, dict[str, Callable[[], Array]]]:
    """The state after round k, and what can be measured of the round; of updates where asked."""
    problem, r = measure.problem, number_beside(settings.clients_per_round)
    rule = participation_of(settings, problem.clients)
    taking = rule.draw(numbers, k, problem.clients)
    length, steps = float_step(settings.local_step, k), settings.local_steps
    summands = updates_to_sum(problem, w, step=length, steps=steps)
    update = _updates_to_measure(problem, w, summands, length, steps) if with_updates else None
    sent = bound(summands)
    message = _message(problem, settings, numbers, k, sent, unless_everyone(rule, taking))
    # divided by the expected number of clients, also when more, fewer or none took part
    step = settings.local_step if settings.server_step is None else settings.server_step
    following = message.total / fitting(r, w)
    following *= -fitting(float_step(step, k), w)
    following += w  # the bits of w less the product
    measured = _observe_round(measure, w, taking, message, r)
    if isinstance(sent, InPanels) and sent.value is not None:
        value = sent.value
        measured["gap"] = lambda: measure.above_minimum(value())
    if update is not None:
        measured |= of_updates(update) | {"client_update_norm": lambda: lengths(update).T}
    return following, measured


def _updates_to_measure(
    problem: Problem, w: Array, summands: Summands, step: float, steps: int
) -> ClientVectors:
    """The updates to be measured, beside those that are summed: what is observed changes no bit of a run."""
    if isinstance(summands, InPanels):
        return local_updates(problem, w, step=step, steps=steps)
    return summands


def participation_of(settings: AveragingSettings, clients: int) -> Participation:
    """The printed rule, each client by its own coin of probability r/n, unless another one is named."""
    if settings.participation is not None:
        return settings.participation
    if settings.clients_per_round > clients:
        raise BadValue(
            asked="clients_per_round",
            failed="more clients than there are",
            found=settings.clients_per_round,
            needed=f"at most {clients}, the clients of the problem",
            change="lower clients_per_round or name a participation",
        )
    return Independent(probability=settings.clients_per_round / clients)


def _message(
    problem: Problem,
    settings: AveragingSettings,
    numbers: Numbers,
    k: int,
    bounded: Summands,
    taking: Array | None,
) -> Message:
    signal = sum_of_taking(taking, bounded)
    sigma, r = number_beside(settings.noise_scale), number_beside(settings.clients_per_round)
    if settings.noise_scale == 0:
        return Message(signal=signal, noise=None)
    if settings.noise_placement == "server":
        # covariance r^2 sigma^2 I on the sum: the server's average then has the noise sigma^2 I, whoever came
        place = Place(purpose="server noise", round=k)
        drawn = numbers.normals(place, problem.dimension)
        return Message(signal=signal, noise=fitting(r * sigma, drawn) * drawn)
    # covariance r sigma^2 I each: the mean over r messages then has covariance sigma^2 I
    place = Place(purpose="client noise", round=k)
    noises = sum_of_normals(numbers, place, problem.dimension, problem.clients, taking)
    noises *= fitting(np.sqrt(r) * sigma, noises)
    return Message(signal=signal, noise=noises)


def _observe_round(
    measure: Yardstick, w: Array, taking: Array, message: Message, r: Any
) -> dict[str, Callable[[], Array]]:
    # of every client, taking part or not: the statements average over all of them
    return {
        "client_gap": lambda: measure.client_gap(w),
        "taking_part": lambda: taking,
        "signal_norm": lambda: _over(norm(message.signal), r),
        "noise_norm": lambda: _over(norm(_noise(message)), r),
        "signal_to_noise": lambda: _signal_to_noise(message),
    }


def _over(sizes: Array, divisor: Any) -> Array:
    return sizes / of_lengths(divisor, sizes)


def _noise(message: Message) -> Array:
    return 0.0 * message.signal if message.noise is None else message.noise


def _signal_to_noise(message: Message) -> Array:
    """Zero in a round without clients, where both are zero."""
    if message.noise is None:
        raise BadValue(
            asked="observe signal_to_noise",
            failed="there is no noise",
            found="noise_scale 0",
            needed="noise_scale > 0",
            change="observe signal_norm",
        )
    length = norm(message.noise)
    return namespace(length).where(length == 0, 0.0, norm(message.signal) / length)
