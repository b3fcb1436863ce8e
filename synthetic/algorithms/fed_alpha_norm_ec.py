"""Federated smoothed normalisation with error feedback and a server step of fixed length.

Rounds k = 0..last_round; a client's local update is (x - T(x))/local_step, with T a pass of gradient descent
or one cyclic pass over the components of its function.
"""

from dataclasses import dataclass
from typing import final, get_args

from synthetic.algorithms import _error_feedback as rounds
from synthetic.algorithms._local_operators import LocalOperator, local_gradients, local_update, mean_drift
from synthetic.arguments import integer_at_least, one_of, positive, to_floats
from synthetic.engine.arithmetic import Array
from synthetic.engine.randomness import Numbers
from synthetic.engine.trace import Recorder, Trace
from synthetic.participation import Participation
from synthetic.problem import Problem

OBSERVABLES = rounds.OBSERVABLES
ON_REQUEST = rounds.ON_REQUEST


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings(rounds.RoundSettings):
    """local_step is the whole length gamma of a local pass; each of the local_steps has length gamma/T.

    An incremental pass has as many steps as the problem has components.
    """

    local_steps: int
    local_step: float
    participation: Participation
    private: bool
    local_operator: LocalOperator = "gradient_descent"

    def __post_init__(self) -> None:
        integer_at_least("local_steps", self.local_steps, 1)
        positive("local_step", self.local_step)
        one_of("local_operator", self.local_operator, get_args(LocalOperator))
        self.feedback()
        to_floats(self, "local_step", "memory_step", "server_step", "smoothing", "noise_scale")

    def feedback(self) -> rounds.Feedback:
        return rounds.read_feedback(self, self.participation, private=self.private)


def fed_alpha_norm_ec(problem: Problem, settings: Settings, numbers: Numbers, recorder: Recorder) -> Trace:
    """Run Fed-alpha-NormEC and return its trace.

    Rounds 0..last_round, K + 1 of them, at the state before each: gap, squared_distance, gradient_norm,
    server_memory_error, server_memory_norm, step_norm (R, K + 1);
    client_memory_error, client_drift, client_gradient_norm, taking_part (R, K + 1, n).
    """
    return rounds.error_feedback(
        problem,
        settings.feedback(),
        local_of(problem, settings),
        numbers,
        recorder,
        start=settings.start,
        initial_memory=settings.initial_memory,
    )


def local_of(problem: Problem, settings: Settings) -> rounds.Local:
    length, steps = settings.local_step, settings.local_steps
    gradients = local_gradients(problem, settings.local_operator, steps)
    update = local_update(problem, settings.local_operator, length=length, steps=steps)

    def drift(x: Array) -> Array:
        return mean_drift(gradients, x, length=length, steps=steps)

    return rounds.Local(update=update, drift=drift)
