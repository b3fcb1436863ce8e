"""Which plan is the fastest on this machine: measured on the published comparison of private averaging.

Only the size of the blocks and the number of threads are tried, for they change no random number, and then,
on logistic regression, who computes exponentials: that depends on the processor.
"""

import os
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product
from typing import Any, get_args

import numpy as np

from synthetic.algorithms import dp_fedavg, fedavg
from synthetic.engine.plan import Exponentials, Plan
from synthetic.participation import Full
from synthetic.problems import logistic
from synthetic.problems.quadratic import gaussian_factors
from synthetic.run import run

BLOCKS = (64, 128, 256, 512, 1024)
REPLICATES, ROUNDS, TURNS = 1024, 2, 3


def candidates() -> list[Plan]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = sorted({1, max(1, cores // 2), cores})
    return [Plan(block=block, threads=count) for block, count in product(BLOCKS, threads)]


def by_exponentials(plan: Plan) -> list[Plan]:
    return [replace(plan, exponentials=name) for name in get_args(Exponentials)]


def measured(plans: Iterable[Plan], work: Callable[[Plan], object] | None = None) -> dict[Plan, float]:
    """Median seconds of each; they take turns, after one turn that is not counted."""
    work = work or _work()
    seconds: dict[Plan, list[float]] = {plan: [] for plan in plans}
    for turn in range(TURNS + 1):
        for plan, taken in seconds.items():
            start = time.perf_counter()
            work(plan)
            if turn:
                taken.append(time.perf_counter() - start)
    return {plan: statistics.median(taken) for plan, taken in seconds.items()}


def logistic_work() -> Callable[[Plan], object]:
    problem = logistic.small(clients=50, samples=200, dimension=50)
    settings = fedavg.Settings(
        start=np.ones(50), rounds=1, local_steps=10, local_step=0.1, participation=Full()
    )
    asked: dict[str, Any] = {"replicates": 32, "seed": 0, "stream": "tuning", "observe": ["gap"]}
    return lambda plan: run("fedavg", problem, settings, **asked, plan=plan)


def _work() -> Callable[[Plan], object]:
    problem = gaussian_factors()
    settings = dp_fedavg.Settings(
        start=np.zeros(problem.dimension),
        rounds=ROUNDS,
        local_steps=20,
        local_step=0.05,
        clip_threshold=50.0,
        clients_per_round=problem.clients,
        noise_scale=0.0,
        participation=Full(),
    )

    def work(plan: Plan) -> object:
        return run(
            "dp_fedavg",
            problem,
            settings,
            replicates=REPLICATES,
            seed=0,
            stream="tuning",
            observe=["gap"],
            plan=plan,
        )

    return work
