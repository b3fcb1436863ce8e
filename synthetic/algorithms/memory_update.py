"""One round of a client's memory: v <- v + memory_step * N(P(x) - v), then the model moves.

P(x) = (x - T(x))/local_step is the local update, T the local gradient steps, N the smoothed normalisation.
Exact on exact problems in one dimension, where lengths are rational.
"""

from dataclasses import dataclass
from functools import partial
from typing import final

from synthetic.algorithms._common import local_descent, starting_point, tolerate_divergence
from synthetic.arguments import at_least, integer_at_least, positive
from synthetic.engine.arithmetic import Array, exact_norm, namespace, number_like
from synthetic.engine.randomness import Numbers
from synthetic.engine.trace import Recorder, Trace
from synthetic.measures import OF_STATE, OF_STATE_ON_REQUEST, yardstick
from synthetic.problem import Problem

OBSERVABLES = (*OF_STATE, "memory_error", "next_memory_error", "server_move", "operator_move")
ON_REQUEST = OF_STATE_ON_REQUEST


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """start and moved (d,): the model before and after the round; memory (d,) before it."""

    start: object
    moved: object
    memory: object
    local_steps: int
    local_step: float
    memory_step: float
    smoothing: float

    def __post_init__(self) -> None:
        integer_at_least("local_steps", self.local_steps, 1)
        positive("local_step", self.local_step)
        positive("memory_step", self.memory_step)
        at_least("smoothing", self.smoothing, 0)


@tolerate_divergence
def memory_update(problem: Problem, settings: Settings, numbers: Numbers, recorder: Recorder) -> Trace:
    """Run one update of the memories and return its trace.

    At the old model, (R, 1): gap, squared_distance, gradient_norm; of the first client memory_error before
    the round, next_memory_error, the larger of the errors of the new memory at the new and at the old
    model; server_move and operator_move, how far x and T(x) went.
    """
    old, new, memory = (
        starting_point(problem, v, numbers) for v in (settings.start, settings.moved, settings.memory)
    )
    update, result = _local_update(problem, settings, old)
    moved_update, moved_result = _local_update(problem, settings, new)
    number = number_like(old)
    error = exact_norm(update - memory)
    direction = (update - memory) / (number(settings.smoothing) + error)[:, None]
    renewed = memory + number(settings.memory_step) * direction
    at_new, at_old = exact_norm(moved_update - renewed), exact_norm(update - renewed)
    lengths = {
        "memory_error": error,
        "next_memory_error": _larger(at_new, at_old),
        "server_move": exact_norm(new - old),
        "operator_move": exact_norm(moved_result - result),
    }
    recorder.note(0, old, yardstick(problem).of_state(old) | {n: partial(_is, v) for n, v in lengths.items()})
    return recorder.finish(new)


def _local_update(problem: Problem, settings: Settings, x: Array) -> tuple[Array, Array]:
    """P(x) and T(x) of the first client."""
    number = number_like(x)
    step = number(settings.local_step) / settings.local_steps
    last = local_descent(problem.client_gradients, x, step=step, steps=settings.local_steps)[0]
    return (x - last) / number(settings.local_step), last


def _larger(one: Array, other: Array) -> Array:
    return namespace(one).where(one < other, other, one)


def _is(values: Array) -> Array:
    return values
