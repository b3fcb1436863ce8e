"""Gradient descent on the mean: x <- x - step * grad f(x). Deterministic; exact on exact problems."""

from dataclasses import dataclass
from typing import final

from synthetic.algorithms._common import starting_point, tolerate_divergence
from synthetic.arguments import integer_at_least, schedule, schedule_length
from synthetic.engine.arithmetic import Schedule, number_like, step_at
from synthetic.engine.randomness import Numbers
from synthetic.engine.trace import Recorder, Trace
from synthetic.measures import OF_STATE, yardstick
from synthetic.problem import Problem

OBSERVABLES = (*OF_STATE, "squared_gradient_norm")
ON_REQUEST = ("client_value", "state")


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """start (d,) or (R, d); step is one number, or one per step."""

    start: object
    steps: int
    step: Schedule

    def __post_init__(self) -> None:
        integer_at_least("steps", self.steps, 0)
        schedule("step", self.step)
        schedule_length("step", self.step, self.steps)


@tolerate_divergence
def gradient_descent(problem: Problem, settings: Settings, numbers: Numbers, recorder: Recorder) -> Trace:
    """Measures at the states 0..steps: gap, squared_distance, gradient_norm (R, steps + 1)."""
    measure = yardstick(problem)
    x = starting_point(problem, settings.start, numbers)
    number = number_like(x)
    recorder.note(0, x, measure.of_state(x))
    for k in range(settings.steps):
        x = x - number(step_at(settings.step, k)) * problem.gradient(x)
        recorder.note(k + 1, x, measure.of_state(x))
    return recorder.finish(x)
