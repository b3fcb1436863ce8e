"""Gradient descent with additive noise: x <- x - step * (grad f(x) + noise), E||noise||^2 = noise_scale^2.

The variance is total, not per coordinate. Kinds of noise: gaussian, coordinates N(0, noise_scale^2/d);
sphere, uniform on the sphere of radius noise_scale; two_point, a fair sign times noise_scale along the
diagonal (1, ..., 1)/sqrt(d). The last two have ||noise|| = noise_scale almost surely. Gaussian and sphere
have covariance noise_scale^2/d I; two_point has rank one.
"""

import math
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from synthetic.algorithms._common import float_step, random_start, tolerate_divergence
from synthetic.arithmetic import Array, Schedule
from synthetic.checks import at_least, one_of, schedule, schedule_length, whole
from synthetic.problems.interface import Problem
from synthetic.randomness import Numbers, Place, on_sphere, signs
from synthetic.trace import Recorder, Trace, yardstick


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """start (d,) or (R, d); step is one number, or one per step; noise_scale^2 is the total variance."""

    start: object
    steps: int
    step: Schedule
    noise_scale: float
    noise: Literal["gaussian", "sphere", "two_point"] = "gaussian"

    def __post_init__(self) -> None:
        whole("steps", self.steps, 0)
        schedule("step", self.step)
        schedule_length("step", self.step, self.steps)
        at_least("noise_scale", self.noise_scale, 0)
        one_of("noise", self.noise, ("gaussian", "sphere", "two_point"))


@tolerate_divergence
def stochastic_gradient_descent(problem: Problem, settings: Settings, numbers: Numbers) -> Trace:
    """Measures at the states 0..steps: gap, squared_distance, gradient_norm (R, steps + 1)."""
    measure, recorder = yardstick(problem), Recorder(replicates=numbers.replicates)
    x = random_start(problem, settings.start, numbers)
    recorder.note(0, measure.of_state(x))
    for k in range(settings.steps):
        noise = _noise(settings, numbers, Place(purpose="gradient noise", round=k), problem.dimension)
        x = x - float_step(settings.step, k) * (problem.gradient(x) + noise)
        recorder.note(k + 1, measure.of_state(x))
    return recorder.finish("stochastic_gradient_descent", x)


def _noise(settings: Settings, numbers: Numbers, place: Place, dimension: int) -> Array:
    scale = float(settings.noise_scale)
    if settings.noise == "gaussian":
        return scale / math.sqrt(dimension) * numbers.normals(place, dimension)
    if settings.noise == "sphere":
        return scale * on_sphere(numbers, place, dimension)
    return np.repeat(scale / math.sqrt(dimension) * signs(numbers, place), dimension, axis=1)
