"""Federated smoothed normalisation with error feedback and a server step of fixed length.

Rounds k = 0..last_round; a client's local update is (x - T(x))/local_step, with T a pass of gradient descent
or one cyclic pass over the components of its function.
"""

from dataclasses import dataclass
from typing import final, get_args

from synthetic.algorithms import _error_feedback as rounds
from synthetic.algorithms._local_operators import LocalOperator, local_gradients, local_update, mean_drift
from synthetic.arguments import at_least, integer_at_least, one_of, positive, to_floats
from synthetic.engine.arithmetic import Array
from synthetic.engine.randomness import Numbers
from synthetic.engine.trace import Recorder, Trace
from synthetic.participation import Participation
from synthetic.problems.interface import Problem

OBSERVABLES = rounds.OBSERVABLES
ON_REQUEST = rounds.ON_REQUEST


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """local_step is the whole length gamma of a local pass; each of the local_steps has length gamma/T.

    An incremental pass has as many steps as the problem has components. initial_memory (n, d), None for
    zeros. noise_variance says what noise_scale^2 is: "total", E||z||^2, or "per_coordinate"; noise at the
    "server" is one draw with the variance that the clients' weighted noises have together. zero_direction
    says what the server does where its memory is exactly zero: "stay" leaves the model where it is, "refuse"
    raises. normalise_server False is the variation x <- x - server_step * memory.
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
    noise_variance: rounds.NoiseVariance = "total"
    noise_placement: rounds.NoisePlacement = "clients"
    initial_memory: object = None
    zero_direction: rounds.ZeroDirection = "stay"
    normalise_server: bool = True
    local_operator: LocalOperator = "gradient_descent"

    def __post_init__(self) -> None:
        integer_at_least("last_round", self.last_round, 0)
        integer_at_least("local_steps", self.local_steps, 1)
        positive("local_step", self.local_step)
        one_of("local_operator", self.local_operator, get_args(LocalOperator))
        at_least("noise_scale", self.noise_scale, 0)
        self.feedback()
        to_floats(self, "local_step", "memory_step", "server_step", "smoothing", "noise_scale")

    def feedback(self) -> rounds.Feedback:
        """The constants of the rounds; making them checks them."""
        return rounds.Feedback(
            rounds=self.last_round + 1,
            memory_step=self.memory_step,
            server_step=self.server_step,
            smoothing=self.smoothing,
            participation=self.participation,
            noise_scale=self.noise_scale if self.private else 0.0,
            noise_variance=self.noise_variance,
            noise_placement=self.noise_placement,
            zero_direction=self.zero_direction,
            normalise_server=self.normalise_server,
        )


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
