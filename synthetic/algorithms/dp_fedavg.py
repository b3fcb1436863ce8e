"""Private federated averaging: each client's update is clipped and noised, the server averages.

One round k: every client that takes part runs E full-gradient steps from w_k; its update is
u = (w_k - w_{k,E})/local_step; it sends clip(u) + N(0, r sigma^2 I); the server moves by
-server_step times (1/r) times the sum of what was sent. The listing's output, the state of a uniformly random
round, is not drawn: observables are recorded at every round.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from synthetic.algorithms import _averaging as averaging
from synthetic.algorithms._common import clip
from synthetic.arguments import positive_or_infinite
from synthetic.engine.arithmetic import Array, Schedule
from synthetic.engine.client_vectors import ClientVectors, Summands, lengths
from synthetic.engine.per_row import number_beside, of_lengths
from synthetic.engine.randomness import Numbers
from synthetic.engine.trace import Recorder, Trace
from synthetic.participation import Participation
from synthetic.problem import Problem

PER_ROW = (*averaging.PER_ROW, "clip_threshold")
OBSERVABLES = averaging.OBSERVABLES
ON_REQUEST = (*averaging.ON_REQUEST, "clipped")


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """local_step and server_step: one number, or one per round; server_step None means local_step.

    clients_per_round r is the divisor of the server's sum; r/n is the probability of taking part unless
    `participation` names another rule. noise_scale is sigma: a message has noise of covariance r sigma^2 I,
    or, with the noise placed at the server, the average that the server forms has noise sigma^2 I.
    """

    start: object
    rounds: int
    local_steps: int
    local_step: Schedule
    server_step: Schedule | None = None
    clip_threshold: float
    clients_per_round: float
    noise_scale: float
    noise_placement: averaging.NoisePlacement = "clients"
    participation: Participation | None = None

    def __post_init__(self) -> None:
        averaging.check(self)
        positive_or_infinite("clip_threshold", self.clip_threshold)


def dp_fedavg(problem: Problem, settings: Settings, numbers: Numbers, recorder: Recorder) -> Trace:
    """States 0..K: gap, squared_distance, gradient_norm (R, K + 1). Rounds 0..K-1, all clients (R, K, n):

    client_update_norm (before clipping), client_gap f_i(w_k) - f_i(w*), taking_part (bool). On request
    clipped (R, K, n), and (R, K) signal_norm, noise_norm of the server's average, and their ratio
    signal_to_noise.
    """

    threshold = number_beside(settings.clip_threshold)

    def bound(updates: Summands) -> Summands:
        return clip(updates, threshold)

    def indicators(updates: ClientVectors) -> dict[str, Callable[[], Array]]:
        return {"clipped": lambda: _longer(lengths(updates), threshold).T}

    return averaging.private_averaging(problem, settings, numbers, recorder, bound, indicators)


def _longer(sizes: Array, threshold: float) -> Array:
    return sizes > of_lengths(threshold, sizes)
