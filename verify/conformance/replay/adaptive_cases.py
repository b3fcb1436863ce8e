"""The runs that show the lines of ALS-DPFL: single steps, then whole runs with budgets and a search.

The settings of the whole runs are drawn at random from seeds that were chosen once, so that each listed slip
changes the number of local steps of some round.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from verify.conformance.bounding import FAR
from verify.conformance.instance import Instance, instance, of_data
from verify.conformance.listing import Part
from verify.conformance.replay.family import Case
from verify.conformance.replay.noisy_cases import BATCH, LONG, MANY, SHORT, Maker, random_batches
from verify.conformance.replay.noisy_cases import SMALL as SMALL_THRESHOLD

P = Part
ADAPTIVE = {
    "step": 0.13,
    "clip_threshold": 2.9,
    "noise_multiplier": 0.0,
    "batch_size": 2,
    "communication_budget": 6.0,
    "privacy_budget": 40.0,
    "communication_cost": 1.0,
    "privacy_cost": 1.0,
    "control": 1.0,
    "smallest_gap": 1.0,
    "search_limit": 100,
}
ROUNDS = 12
TINY = 1e-10  # of the objective: a tolerance of 1e-9 takes differences for ties, and rounding at 0.6 does not
MANY_CLIENTS = 100  # alike: the mean of their estimates hardly depends on the noise
EXACT_SEEDS = (88, 106, 4, 15, 45, 3, 16, 38)
FEW_STEPS_SEEDS = (1, 8)  # of runs whose budget of steps is spent before that of rounds
NOISY_SEEDS = (38, 40, 2, 17)
SMALL = 0.02  # of the movement: more than the noise of these runs makes, less than a local step does
LATER_LINES = (
    P.BUDGET,
    P.PRIVACY_COST,
    P.COMMUNICATION_COST,
    P.ESTIMATE,
    P.DIVERGENCE,
    P.SEARCH,
    P.LOCAL_COUNT,
    P.LOCAL_START,
)


def steady(example: Mapping[str, Any]) -> dict[str, Any]:
    """One local step in every round and budgets that are never spent."""
    return {**example, "search_limit": 1, "communication_budget": 1e6, "privacy_budget": 1e6}


def adaptive(example: Mapping[str, Any], *, equal: bool) -> list[Case]:
    """Cases for a number of local steps that the server chooses; equal: clients with equal data points."""
    make_case = Maker(steady(example), equal=equal)
    cases = [
        make_case(P.LOCAL_STEP, 1, 1),
        make_case(P.BOUNDING, 1, 1, clip_threshold=0.7),
        make_case(P.AVERAGE, 3, 1),
        make_case(P.LOCAL_START, 3, 3, bend=0.8),
        make_case(P.LOCAL_STEP, 1, 1, size=SHORT),
        make_case(P.LOCAL_STEP, 1, 1, bend=80.0),
        make_case(P.LOCAL_STEP, 1, 1, size=LONG, clip_threshold=MANY * LONG),
        make_case(P.BUDGET, 1, 9, communication_budget=4.0, communication_cost=1.5, privacy_budget=1e6),
        make_case(P.BUDGET, 1, 9, communication_budget=1e6, privacy_budget=2.0, privacy_cost=0.5),
        make_case(P.BUDGET, 2, 9, communication_budget=3.0, privacy_budget=2.0, privacy_cost=0.5),
        make_case(P.LOCAL_STEP, 1, 3, bend=0.8, coupled=True),
        *(make_case(P.BOUNDING, 1, 1, clip_threshold=0.7, size=size) for size in FAR),
        make_case(P.BOUNDING, 1, 1, clip_threshold=SMALL_THRESHOLD),
    ]
    cases += [complete_run(example, seed, equal=equal, noisy=False) for seed in EXACT_SEEDS]
    cases += [few_steps(complete_run(example, seed, equal=equal, noisy=False)) for seed in FEW_STEPS_SEEDS]
    cases.append(_tiny(complete_run(example, EXACT_SEEDS[0], equal=equal, noisy=False)))
    return cases if equal else [*cases, random_batches(steady(example))]


def _tiny(case: Case) -> Case:
    """The run with an objective that is smaller by TINY at every tau: what is least stays where it is."""
    v = case.settings
    sizes = {"control": v["control"] / TINY, "smallest_gap": v["smallest_gap"] * TINY**0.5}
    return replace(case, settings={**v, **sizes})


def with_noise(example: Mapping[str, Any], *, equal: bool) -> list[Case]:
    """Runs with so little noise that the states show the number of local steps, which its size decides."""
    return [complete_run(example, seed, equal=equal, noisy=True) for seed in NOISY_SEEDS]


def few_steps(case: Case) -> Case:
    """The run with a budget of many rounds and of few local steps."""
    v = case.settings
    budgets = {"communication_budget": 40 * v["communication_cost"], "privacy_budget": 9 * v["privacy_cost"]}
    return replace(case, settings={**v, **budgets})


def complete_run(example: Mapping[str, Any], seed: int, *, equal: bool, noisy: bool) -> Case:
    """A run with settings of this seed; with little noise where its size enters the search."""
    random = np.random.default_rng(seed)
    n, d = MANY_CLIENTS if noisy else int(random.integers(2, 5)), int(random.integers(3, 7))
    settings = {**example, **_settings(random, d, noisy=noisy)}
    return Case(
        of=P.SEARCH,
        shown=_clients(random, n, d, settings, equal=equal, alike=noisy),
        settings=settings,
        rounds=6 if noisy else ROUNDS,
        exercises=LATER_LINES,
        tolerance=SMALL if noisy else None,
    )


def _settings(random: np.random.Generator, d: int, *, noisy: bool) -> dict[str, Any]:
    costs = {
        "communication_cost": float(random.choice([0.5, 1.0, 2.0])),
        "privacy_cost": float(random.choice([0.5, 1.0, 3.0])),
    }
    settings = costs | {
        "step": float(random.uniform(0.03, 0.2)),
        "clip_threshold": float(random.uniform(3.0, 5.0)) if noisy else MANY,
        "noise_multiplier": float(random.uniform(1e-3, 4e-3)) if noisy else 0.0,
        "batch_size": BATCH,
        "communication_budget": costs["communication_cost"] * float(random.integers(4, 11)),
        "privacy_budget": costs["privacy_cost"] * float(random.integers(12, 60)),
        "control": float(random.uniform(0.5, 4.0)),
        "smallest_gap": float(np.exp(random.uniform(-1.5, 1.5))),
        "search_limit": int(random.choice([3, 5, 8, 100])),
    }
    if noisy:  # where the size of the noise decides
        noise = 2 * np.sqrt(d) * settings["noise_multiplier"] * settings["clip_threshold"]
        settings["smallest_gap"] *= float(np.sqrt(noise / BATCH / settings["control"]))
        settings["search_limit"] = min(settings["search_limit"], 8)
    return settings


def _clients(
    random: np.random.Generator, n: int, d: int, settings: Mapping[str, Any], *, equal: bool, alike: bool
) -> Instance:
    """Bent clients with a common slope and, unless they are alike, slopes of their own.

    All have as many data points: C.alg2.18 averages the estimates without naming weights, and code that
    weights them by data points (C.def2) is as right as code that does not.
    """
    common = random.standard_normal(d)
    if alike:
        common *= 1.5 / np.linalg.norm(common)
        slopes = np.repeat(common[None], n, axis=0)
        bends = np.repeat(random.uniform(0.0, 0.6, size=(1, d)), n, axis=0)
    else:
        own = settings["smallest_gap"] ** 2 * random.uniform(0.02, 0.3) * random.standard_normal((n, d))
        slopes = common + own
        bends = random.uniform(0.0, 1.2, size=(n, d)) * random.uniform(0.2, 1.0, size=(n, 1))
    if equal:
        return instance(slopes, bends, sizes=(BATCH,) * n)
    spread = 0.2 * random.standard_normal((n, BATCH, d))
    rows = slopes[:, None] + spread - spread.mean(axis=1, keepdims=True)
    return of_data(tuple(rows), bends)
