"""Smoothed normalisation of gradients with error feedback: every client, every round, no local steps.

The local update is the gradient itself, which is what one local step of any length leaves of
(x - T(x))/local_step.
"""

from dataclasses import dataclass
from typing import final

from synthetic.algorithms import _error_feedback as rounds
from synthetic.arguments import to_floats
from synthetic.engine.randomness import Numbers
from synthetic.engine.trace import Recorder, Trace
from synthetic.participation import Full
from synthetic.problem import Problem

OBSERVABLES = tuple(name for name in rounds.OBSERVABLES if name != "client_drift")
ON_REQUEST = rounds.ON_REQUEST


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings(rounds.RoundSettings):
    """As in fed_alpha_norm_ec, without local steps and participation; not private with noise_scale 0."""

    def __post_init__(self) -> None:
        self.feedback()
        to_floats(self, "memory_step", "server_step", "smoothing", "noise_scale")

    def feedback(self) -> rounds.Feedback:
        return rounds.read_feedback(self, Full(), private=True)


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
