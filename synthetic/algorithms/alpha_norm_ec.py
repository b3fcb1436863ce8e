"""Smoothed normalisation of gradients with error feedback: every client, every round, no local steps.

The local update is the gradient itself, which is what one local step of any length leaves of
(x - T(x))/local_step.
"""

from dataclasses import dataclass
from typing import final

from synthetic.algorithms import _error_feedback as rounds
from synthetic.arguments import integer_at_least, to_floats
from synthetic.engine.randomness import Numbers
from synthetic.engine.trace import Recorder, Trace
from synthetic.participation import Full
from synthetic.problems.interface import Problem

OBSERVABLES = tuple(name for name in rounds.OBSERVABLES if name != "client_drift")
ON_REQUEST = rounds.ON_REQUEST


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """As in fed_alpha_norm_ec, without local steps and participation; not private with noise_scale 0."""

    start: object
    last_round: int
    memory_step: float
    server_step: float
    smoothing: float
    noise_scale: float = 0.0
    noise_variance: rounds.NoiseVariance = "total"
    noise_placement: rounds.NoisePlacement = "clients"
    initial_memory: object = None
    zero_direction: rounds.ZeroDirection = "stay"
    normalise_server: bool = True

    def __post_init__(self) -> None:
        integer_at_least("last_round", self.last_round, 0)
        self.feedback()
        to_floats(self, "memory_step", "server_step", "smoothing", "noise_scale")

    def feedback(self) -> rounds.Feedback:
        """The constants of the rounds; making them checks them."""
        return rounds.Feedback(
            rounds=self.last_round + 1,
            memory_step=self.memory_step,
            server_step=self.server_step,
            smoothing=self.smoothing,
            participation=Full(),
            noise_scale=self.noise_scale,
            noise_variance=self.noise_variance,
            noise_placement=self.noise_placement,
            zero_direction=self.zero_direction,
            normalise_server=self.normalise_server,
        )


def alpha_norm_ec(problem: Problem, settings: Settings, numbers: Numbers, recorder: Recorder) -> Trace:
    """The measurements of fed_alpha_norm_ec without client_drift."""
    return rounds.error_feedback(
        problem,
        settings.feedback(),
        rounds.Local(update=problem.client_gradients, drift=None),
        numbers,
        recorder,
        start=settings.start,
        initial_memory=settings.initial_memory,
    )
