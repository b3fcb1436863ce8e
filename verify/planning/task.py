"""What somebody wants to plan: a problem, where its runs start, how many rounds, and which privacy."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, final

import numpy as np

from bounds.evaluation.evaluate import Evaluation
from bounds.language.expression import condition_text
from synthetic.problem import Problem
from verify.cell import build_problem
from verify.matching.privacy import Target
from verify.privacy import calibration
from verify.privacy.mechanism import FixedSize, Sampling

PLACEMENT: Final = "server"  # the noise that an accountant counts under every relation


class NotPlanned(ValueError):
    """A statement that cannot be planned for this task; `advice` is for a user who can set its quantities."""

    def __init__(self, reason: str, advice: str = "") -> None:
        self.reason = reason
        super().__init__(f"{reason}: {advice}" if advice else reason)


class SaysNothing(NotPlanned):
    """The task is well put, and a condition of the statement fails there."""


def name_failures(evaluation: Evaluation) -> str:
    """Each condition that fails, with its place and as a formula; empty where none does."""
    checked = (*evaluation.conditions, *evaluation.left_domains)
    failed = {c.condition.id: condition_text(c.condition) for c in checked if c.holds is False}
    return ", ".join(f"{place} ({text})" for place, text in failed.items())


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """The size of a problem that nobody gives, and measures of its start for free bounds."""

    clients: int | None = None
    dimension: int | None = None
    at_start: Mapping[str, float] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """`target` is None where nothing is asked of privacy; the server adds the noise to the sum.

    `problem` is None where only `constants` are known; such a task is planned and not run.
    """

    problem: str | None
    arguments: Mapping[str, Any]
    start: tuple[float, ...]
    rounds: int
    sampling: Sampling
    target: Target | None
    constants: Constants = Constants()

    def build(self) -> Problem:
        assert self.problem is not None
        return build_problem(self.problem, self.arguments)

    @property
    def clients(self) -> int | None:
        return self.constants.clients if self.problem is None else self.build().clients

    @property
    def dimension(self) -> int | None:
        return self.constants.dimension if self.problem is None else self.build().dimension

    def multiplier(self, releases: int = 1) -> float | None:
        """Noise of the sum, per coordinate, over one unit's contribution; None without a target.

        `releases` are the noisy sums of a round: one, or one for each local step.
        """
        if self.target is None:
            return None
        return calibration.noise(
            epsilon=self.target.epsilon,
            delta=self.target.delta,
            rounds=self.rounds * releases,
            relation=self.target.relation,
            sampling=self.sampling,
            accountant=self.target.accountant,
        )

    def known_at_start(self, names: Collection[str]) -> dict[str, float]:
        """The values, of those names of a free bound that are known before the first round."""
        if self.problem is None:
            return {name: value for name, value in self.constants.at_start.items() if name in names}
        gap = self._gap_at_start() if "f0_gap" in names else None
        return {} if gap is None else {"f0_gap": gap}

    def _gap_at_start(self) -> float | None:
        """f(w_0) - f*; None where f* is not known."""
        problem = self.build()
        lowest = problem.constants().get("minimum")
        if lowest is None:
            return None
        value = float(problem.value(np.asarray(self.start)[None, :])[0])
        return max(value - float(lowest.value), 0.0)  # type: ignore[arg-type]  # one number


def check_sampling(task: Task) -> None:
    drawn, clients = task.sampling, task.clients
    if isinstance(drawn, FixedSize) and clients is not None and drawn.units != clients:
        raise NotPlanned(f"the sampling draws from {drawn.units} clients, and the problem has {clients}")
