"""What somebody wants to plan: a problem, where its runs start, how many rounds, and which privacy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from synthetic.problems.interface import Problem
from verify.cell import build_problem
from verify.matching.privacy import Target
from verify.privacy import calibration
from verify.privacy.mechanism import FixedSize, Sampling

PLACEMENT: Final = "server"  # the noise that an accountant counts under every relation


class NotPlanned(ValueError):
    """A statement that cannot be planned for this task; the sentence says what is missing."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """`target` is None where nothing is asked of privacy; the server adds the noise to the sum."""

    problem: str
    arguments: Mapping[str, Any]
    start: tuple[float, ...]
    rounds: int
    sampling: Sampling
    target: Target | None

    def build(self) -> Problem:
        return build_problem(self.problem, self.arguments)

    def multiplier(self) -> float | None:
        """Noise of the sum, per coordinate, over one client's contribution; None without a target."""
        if self.target is None:
            return None
        return calibration.noise(
            epsilon=self.target.epsilon,
            delta=self.target.delta,
            rounds=self.rounds,
            relation=self.target.relation,
            sampling=self.sampling,
            accountant=self.target.accountant,
        )

    def gap_at_start(self) -> float | None:
        """f(w_0) - f*, which anybody has before the first round; None where f* is not known."""
        problem = self.build()
        lowest = problem.constants().get("minimum")
        if lowest is None:
            return None
        value = float(problem.value(np.asarray(self.start)[None, :])[0])
        return max(value - float(lowest.value), 0.0)  # type: ignore[arg-type]  # one number


def check_sampling(sampling: Sampling, clients: int) -> None:
    if isinstance(sampling, FixedSize) and sampling.units != clients:
        raise NotPlanned(f"the sampling draws from {sampling.units} clients, and the problem has {clients}")
