"""Private federated learning that chooses its number of local steps again in every round.

A round: every client compares its last local model with the average that it receives, which estimates its
Lipschitz constant and smoothness; it takes tau noisy clipped steps; the server averages, estimates the
divergence of the clients' gradients at the average, and searches the tau of the next round.

Readings where the listing is silent. Budgets count: a round costs communication_cost, a local step (of all
clients together) privacy_cost; both start at zero and the loop is left before a round once one is spent, so
the last round may overshoot the privacy budget by its own steps. Before the second round the local models are
the average, an estimate is 0/0, and tau stays; a client that has not moved counts as zero in the mean.
In the objective T = min(R_s tau, R_c) follows the tau that is tried, with R_s and R_c the whole budgets.
Where no tau of the range leaves the objective's denominator positive, tau is 1. The control parameter phi of
the objective is given: its printed formula needs the minimiser, which a server does not know. Replicates
choose their own tau and end at their own round; the state of one that has ended stays.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from synthetic.algorithms import _noisy_steps as noisy
from synthetic.algorithms._common import random_start, tolerate_divergence
from synthetic.algorithms._local_steps_search import Estimates, Objective, best_local_steps, estimates
from synthetic.arguments import integer_at_least, positive, to_floats
from synthetic.engine.arithmetic import Array, namespace, norm
from synthetic.engine.randomness import Numbers, Place
from synthetic.engine.trace import Recorder, Trace
from synthetic.measures import OF_STATE, OF_STATE_ON_REQUEST, Yardstick, yardstick
from synthetic.problem import Problem

OF_COMPANION = ("distance_to_auxiliary", "value_difference_to_auxiliary", "auxiliary_gap")
OF_BUDGET = ("active", "local_steps", "communication_spent", "privacy_spent")
OF_ESTIMATES = ("estimated_lipschitz", "estimated_smoothness", "estimated_divergence")
OBSERVABLES = (*OF_STATE, *OF_COMPANION, *OF_BUDGET, *OF_ESTIMATES)
ON_REQUEST = OF_STATE_ON_REQUEST
INDIVISIBLE = True  # a trace is as long as its longest replicate, so the replicates run together


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """control is phi and smallest_gap is lambda of the objective; at most search_limit local steps."""

    start: object
    step: float
    clip_threshold: float
    noise_multiplier: float
    batch_size: int
    auxiliary_noise: noisy.AuxiliaryNoise
    communication_budget: float
    privacy_budget: float
    control: float
    smallest_gap: float
    communication_cost: float = 1.0
    privacy_cost: float = 1.0
    search_limit: int = 100

    def __post_init__(self) -> None:
        noisy.check(self)
        integer_at_least("search_limit", self.search_limit, 1)
        budgets = ("communication_budget", "privacy_budget", "communication_cost", "privacy_cost")
        for name in (*budgets, "control", "smallest_gap"):
            positive(name, getattr(self, name))
        to_floats(self, "step", "clip_threshold", "noise_multiplier", "control", "smallest_gap", *budgets)

    @property
    def most_rounds(self) -> int:
        rounds = math.ceil(self.communication_budget / self.communication_cost)
        return min(rounds, math.ceil(self.privacy_budget / self.privacy_cost))

    def objective(self, dimension: int) -> Objective:
        return Objective(
            step=self.step,
            noise=2 * math.sqrt(dimension) * noisy.noise_scale(self),
            batch_size=self.batch_size,
            control=self.control,
            smallest_gap=self.smallest_gap,
            rounds=self.communication_budget / self.communication_cost,
            steps=self.privacy_budget / self.privacy_cost,
            limit=self.search_limit,
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _State:
    """average, companion (R, d); models (n, R, d) before they were averaged; the rest (R,)."""

    average: Array
    companion: Array
    models: Array
    local_steps: Array
    communication: Array
    privacy: Array


@tolerate_divergence
def als_dpfl(problem: Problem, settings: Settings, numbers: Numbers, recorder: Recorder) -> Trace:
    """Run ALS-DPFL and return its trace.

    Averages 0..K: gap, squared_distance, gradient_norm (R, K + 1). Rounds 0..K-1 (R, K): active,
    local_steps of the round, communication_spent and privacy_spent after it, the estimates that chose the
    next tau, and at the end of its interval distance_to_auxiliary, value_difference_to_auxiliary,
    auxiliary_gap. K is the number of rounds of the replicate that lasts longest.
    """
    measure, objective = yardstick(problem), settings.objective(problem.dimension)
    state = _first(problem, random_start(problem, settings.start, numbers), numbers)
    recorder.note(0, state.average, measure.of_state(state.average))
    for k in range(settings.most_rounds):
        active = (state.communication < settings.communication_budget) & (
            state.privacy < settings.privacy_budget
        )
        if not active[: numbers.wanted].any():  # nobody asked for the others
            break
        state, known = _round(problem, settings, objective, numbers, k, state, active)
        recorder.note(k + 1, state.average, measure.of_state(state.average) | _observe_round(measure, *known))
    return recorder.finish(state.average)


def _first(problem: Problem, start: Array, numbers: Numbers) -> _State:
    zeros = numbers.array(np.zeros(numbers.replicates))
    return _State(
        average=start,
        companion=start,
        models=namespace(start).broadcast_to(start, (problem.clients, *start.shape)),
        local_steps=zeros + 1.0,
        communication=zeros,
        privacy=zeros,
    )


def _round(
    problem: Problem,
    settings: Settings,
    objective: Objective,
    numbers: Numbers,
    k: int,
    state: _State,
    active: Array,
) -> tuple[_State, tuple[_State, Estimates, Array, Array]]:
    """The next state, and what is measured of the round: (next state, estimates, tau used, active)."""
    where, used = namespace(active).where, state.local_steps
    models, companion = _local_steps(problem, settings, numbers, k, state, active)
    average = where(active[:, None], noisy.mean_model(models), state.average)
    estimated = estimates(problem, state.models, state.average, average)
    following = _State(
        average=average,
        companion=companion,
        models=models,
        local_steps=where(active, best_local_steps(objective, estimated, used), used),
        communication=where(active, state.communication + settings.communication_cost, state.communication),
        privacy=where(active, state.privacy + settings.privacy_cost * used, state.privacy),
    )
    return following, (following, estimated, used, active)


def _local_steps(
    problem: Problem, settings: Settings, numbers: Numbers, k: int, state: _State, active: Array
) -> tuple[Array, Array]:
    """Every active replicate takes its own number of steps; the others wait."""
    where = namespace(active).where
    companion = state.average
    models = namespace(companion).broadcast_to(companion, state.models.shape)
    for j in range(int(state.local_steps.max())):
        moving = (active & (j < state.local_steps))[:, None]
        place = Place(purpose="client noise", round=k, local_step=j)
        step = noisy.client_step(problem, settings, numbers, place, models)
        models = where(moving, step.models, models)
        place = Place(purpose="auxiliary noise", round=k, local_step=j)
        moved = noisy.companion_step(problem, settings, numbers, place, companion, step)
        companion = where(moving, moved, companion)
    return where(active[:, None], models, state.models), where(active[:, None], companion, state.companion)


def _observe_round(
    measure: Yardstick, state: _State, estimated: Estimates, used: Array, active: Array
) -> dict[str, Callable[[], Array]]:
    value = measure.problem.value
    return {
        "distance_to_auxiliary": lambda: norm(state.average - state.companion),
        "value_difference_to_auxiliary": lambda: value(state.average) - value(state.companion),
        "auxiliary_gap": lambda: measure.gap(state.companion),
        "active": lambda: active,
        "local_steps": lambda: used,
        "communication_spent": lambda: state.communication,
        "privacy_spent": lambda: state.privacy,
        "estimated_lipschitz": lambda: estimated.lipschitz,
        "estimated_smoothness": lambda: estimated.smoothness,
        "estimated_divergence": lambda: estimated.divergence,
    }
