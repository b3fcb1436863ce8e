"""Private federated averaging with each client's update scaled to a fixed length instead of clipped.

A client whose update is exactly zero has no direction; it sends the zero vector plus its noise.
"""

from dataclasses import dataclass
from typing import final

from synthetic.algorithms import _averaging as averaging
from synthetic.algorithms._common import to_length
from synthetic.arguments import positive
from synthetic.engine.arithmetic import Schedule
from synthetic.engine.client_vectors import Summands
from synthetic.engine.per_row import number_beside
from synthetic.engine.randomness import Numbers
from synthetic.engine.trace import Recorder, Trace
from synthetic.participation import Participation
from synthetic.problem import Problem

PER_ROW = (*averaging.PER_ROW, "update_length")
OBSERVABLES = averaging.OBSERVABLES
ON_REQUEST = averaging.ON_REQUEST


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """As in dp_fedavg, with `update_length` in the place of the clip threshold."""

    start: object
    rounds: int
    local_steps: int
    local_step: Schedule
    server_step: Schedule | None = None
    update_length: float
    clients_per_round: float
    noise_scale: float
    noise_placement: averaging.NoisePlacement = "clients"
    participation: Participation | None = None

    def __post_init__(self) -> None:
        averaging.check(self)
        positive("update_length", self.update_length)


def dp_norm_fedavg(problem: Problem, settings: Settings, numbers: Numbers, recorder: Recorder) -> Trace:
    """The same measurements as dp_fedavg; client_update_norm is before scaling."""

    def bound(update: Summands) -> Summands:
        return to_length(update, number_beside(settings.update_length))

    return averaging.private_averaging(problem, settings, numbers, recorder, bound)
