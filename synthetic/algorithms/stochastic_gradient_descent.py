"""Gradient descent with additive noise on the mean: x <- x - step * (grad f(x) + noise)."""

from dataclasses import dataclass
from typing import final

from synthetic.algorithms._common import float_step, random_start, tolerate_divergence
from synthetic.arguments import integer_at_least, schedule, schedule_length
from synthetic.engine.arithmetic import Schedule
from synthetic.engine.randomness import Numbers, Place
from synthetic.engine.trace import Recorder, Trace
from synthetic.errors import BadValue
from synthetic.measures import OF_STATE, OF_STATE_ON_REQUEST, yardstick
from synthetic.oracles.interface import AdditiveOracle
from synthetic.problem import Problem

OBSERVABLES = OF_STATE
ON_REQUEST = OF_STATE_ON_REQUEST


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """start (d,) or (R, d); step is one number, or one per step; the oracle's noise is added to grad f."""

    start: object
    steps: int
    step: Schedule
    oracle: AdditiveOracle

    def __post_init__(self) -> None:
        integer_at_least("steps", self.steps, 0)
        if self.oracle is None:  # as a noise of 0 is
            raise BadValue(
                asked="oracle",
                failed="without noise it is gradient descent",
                found="no noise",
                needed="noise above 0",
                change="give it, or run gradient_descent",
            )
        if not hasattr(self.oracle, "noise"):
            raise BadValue(
                asked="oracle",
                failed="it draws samples of clients, not additive noise",
                found=type(self.oracle).__name__,
                needed="an additive oracle such as Gaussian or TwoPoint",
                change="choose another oracle, or run fedavg",
            )
        schedule("step", self.step)
        schedule_length("step", self.step, self.steps)


@tolerate_divergence
def stochastic_gradient_descent(
    problem: Problem, settings: Settings, numbers: Numbers, recorder: Recorder
) -> Trace:
    """Measures at the states 0..steps: gap, squared_distance, gradient_norm (R, steps + 1)."""
    measure, x = yardstick(problem), random_start(problem, settings.start, numbers)
    recorder.note(0, x, measure.of_state(x))
    for k in range(settings.steps):
        place = Place(purpose="gradient noise", round=k)
        noise = settings.oracle.noise(numbers, place, problem.dimension)
        x = x - float_step(settings.step, k) * (problem.gradient(x) + noise)
        recorder.note(k + 1, x, measure.of_state(x))
    return recorder.finish(x)
