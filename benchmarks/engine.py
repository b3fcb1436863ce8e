"""The engine against what the machine can do and what a user would write: ratios measured within one run.

W1 is the published comparison of clipped and normalised averaging: n = 100, d = 200, rank 20, E = 20,
clipping, noise, f - f* in each round. W2 is logistic regression: n = 50, m = 200, d = 50, E = 10, R = 32, and
f - f* in each round; its roofline is 2 E products and E sigmoids of that size.
"""

import argparse
import itertools
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from engine_rivals import (
    SQUARE,
    clipped_averaging_batched,
    clipped_averaging_by_loops,
    clipped_averaging_in_jax,
    roofline_of_logistic,
    square_product,
)
from machine import interleaved, print_table, write_json
from threadpoolctl import threadpool_limits

from synthetic import Plan, run
from synthetic.algorithms import dp_fedavg, dp_norm_fedavg, fedavg, stochastic_gradient_descent
from synthetic.batched_configurations import run_grid
from synthetic.engine import accelerated
from synthetic.moments.gradient_descent import exact_moments
from synthetic.oracles import Gaussian
from synthetic.participation import Full
from synthetic.problem import Problem
from synthetic.problems import logistic, quadratic
from synthetic.tuning.fastest_plan import by_exponentials
from synthetic.tuning.single_precision import error_of_single

STEP, CLIP, SIGMA = 0.05, 50.0, 0.5
RANK = 20
W2_ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--only", choices=tuple(WORK), nargs="*", default=tuple(WORK))
    given = parser.parse_args()
    torch.set_num_threads(1)
    with threadpool_limits(limits=1):  # all sides alike; the engine's own threads are part of its plan
        rows = [row for name in given.only for row in WORK[name](given.turns)]
    print_table(rows)
    if given.json is not None:
        write_json(given.json, {"rows": rows})


def settings_w1(
    problem: Problem, start: Any, *, rounds: int, local_steps: int = 20, clip: float = CLIP
) -> dp_fedavg.Settings:
    return dp_fedavg.Settings(
        start=start,
        rounds=rounds,
        local_steps=local_steps,
        local_step=STEP,
        clip_threshold=clip,
        clients_per_round=problem.clients,
        noise_scale=SIGMA,
        participation=Full(),
    )


def engine_w1(
    problem: Problem, start: Any, *, replicates: int, rounds: int, local_steps: int = 20, plan: Plan
) -> Callable[[], Any]:
    made = settings_w1(problem, start, rounds=rounds, local_steps=local_steps)
    common = {"replicates": replicates, "seed": 1, "stream": "bench", "observe": ["gap"], "plan": plan}
    return partial(run, "dp_fedavg", problem, made, **common)


def w1_problem() -> tuple[Any, Any]:
    problem = quadratic.gaussian_factors()
    return problem, problem.minimiser() + np.random.default_rng(2).random(problem.dimension)


def w1_rate(turns: int) -> list[dict[str, Any]]:
    problem, start = w1_problem()
    replicates, rounds = 1024, 20
    plans = {"one": WHOLE, "two": TWO_THREADS}
    if accelerated.available():
        plans |= {"fast": replace(WHOLE, backend="numba")}
        plans |= {"rough": replace(WHOLE, backend="numba", normals="single")}
    sides = [engine_w1(problem, start, replicates=replicates, rounds=rounds, plan=p) for p in plans.values()]
    square, *others = interleaved([square_product(), *sides], turns)
    seconds = dict(zip(plans, others, strict=True))
    work = 4 * problem.clients * RANK * problem.dimension * replicates * rounds

    def of(plan: str, target: str, words: str) -> dict[str, Any]:
        if plan not in seconds:
            return {"statement": "W1 R=1024", "what": words, "target": target} | NO_NUMBA
        pairs = zip(seconds[plan], square, strict=True)
        return row("W1 R=1024", words, target, [work / own / (2 * SQUARE**3 / best) for own, best in pairs])

    gains = [a / b for a, b in zip(seconds["one"], seconds["two"], strict=True)]
    return [
        of("one", ">= 0.70", "fraction of the square GEMM rate"),
        of("fast", ">= 0.74", "the same, extra fast"),
        of("rough", ">= 0.80", "the same, extra fast, float32 noise"),
        row("W1 R=1024", "two threads / one", ">= 1.7", gains),
    ]


def w1_against_rivals(turns: int) -> list[dict[str, Any]]:
    problem, start = w1_problem()
    data = (problem.hessians, problem.centers, start)
    common = {"step": STEP, "local_steps": 20, "clip": CLIP, "sigma": SIGMA, "minimum": problem.minimum()}
    rounds, rows = 20, []
    for replicates, target, dense in ((64, ">= 500", ">= 100"), (3, ">= 150", "-")):
        looped = min(replicates, 3)  # a loop over replicates costs what it costs, once for each
        rivals = {
            "per-client torch loop / engine": clipped_averaging_by_loops(*data, replicates=looped, **common),
            "batched numpy, dense / engine": clipped_averaging_batched(
                *data, replicates=replicates, **common
            ),
            "jax jit+vmap, dense / engine": clipped_averaging_in_jax(*data, replicates=replicates, **common),
        }
        there = {name: rival for name, rival in rivals.items() if rival is not None}
        for name in rivals.keys() - there.keys():
            rows.append({"statement": f"W1 R={replicates}", "what": name, "target": dense} | MISSING)
        own = PLAN if replicates >= PLAN.rows else FEW
        plans = {"": own} | ({", fast": replace(own, backend="numba")} if accelerated.available() else {})
        engines = [
            engine_w1(problem, start, replicates=replicates, rounds=rounds, plan=p) for p in plans.values()
        ]
        taken = interleaved([*engines, *there.values()], min(turns, 5))
        own_seconds = zip(plans, taken[: len(plans)], strict=True)
        rival_seconds = zip(there, taken[len(plans) :], strict=True)
        for (plan, ours), (name, theirs) in itertools.product(own_seconds, rival_seconds):
            loop = name.startswith("per-client")
            times = rounds * (replicates / looped if loop else 1)
            ratios = [times * other / own for own, other in zip(ours, theirs, strict=True)]
            rows.append(row(f"W1 R={replicates}", name + plan, target if loop else dense, ratios))
    return rows


def w1_single(turns: int) -> list[dict[str, Any]]:
    problem, start = w1_problem()
    plans = PLAN, replace(PLAN, precision="single")
    sides = [engine_w1(problem, start, replicates=1024, rounds=8, plan=plan) for plan in plans]
    double, single = interleaved(sides, turns)
    gains = [a / b for a, b in zip(double, single, strict=True)]
    asked: dict[str, Any] = {
        "replicates": 1024,
        "seed": 1,
        "stream": "bench",
        "observe": ["gap"],
        "plan": PLAN,
    }
    error = error_of_single("dp_fedavg", problem, settings_w1(problem, start, rounds=500), **asked)["gap"]
    return [
        row("W1 R=1024", "double / single precision", "-", gains),
        row("W1 R=1024, K=500", "error of single precision in f - f*", "-", [error]),
    ]


def w1_local_steps(turns: int) -> list[dict[str, Any]]:
    problem, start = w1_problem()
    many, few = (
        engine_w1(problem, start, replicates=256, rounds=8, local_steps=E, plan=PLAN) for E in (200, 2)
    )
    slow, fast = interleaved([many, few], turns)
    return [row("W1", "E=200 / E=2", "<= 1.15", [a / b for a, b in zip(slow, fast, strict=True)])]


def w2(turns: int) -> list[dict[str, Any]]:
    problem = logistic.small(clients=50, samples=200, dimension=50)
    made = fedavg.Settings(
        start=np.ones(50), rounds=W2_ROUNDS, local_steps=10, local_step=0.1, participation=Full()
    )
    common = {"replicates": 32, "seed": 1, "stream": "bench", "observe": ["gap"]}
    sides = [partial(run, "fedavg", problem, made, **common, plan=plan) for plan in by_exponentials(HALF)]
    roof = roofline_of_logistic(problem.samples.features, replicates=32, steps=10 * W2_ROUNDS)
    fast, *own = interleaved([roof, *sides], turns)
    named = {plan.exponentials: seconds for plan, seconds in zip(by_exponentials(HALF), own, strict=True)}
    faster = min(named, key=lambda name: float(np.median(named[name])))  # what doctor --tune would record
    words = f"roofline / engine, exponentials by {faster}"
    return [row("W2", words, ">= 0.6", [a / b for a, b in zip(fast, named[faster], strict=True)])]


def study(turns: int) -> list[dict[str, Any]]:
    """Two algorithms, two starts, three thresholds, four steps, three runs, 500 rounds; two batches."""
    problem, near = w1_problem()
    best = problem.minimiser()
    starts = np.repeat([near, best + (near - best) / 5], 3, axis=0)  # three runs from each

    clipped, scaled = [], []
    for step, C in itertools.product((0.01, 0.02, 0.05, 0.1), (40.0, 50.0, 100.0)):
        common = {"start": starts, "rounds": 500, "local_steps": 20, "local_step": step}
        common |= {"clients_per_round": problem.clients, "noise_scale": 0.01 * C, "participation": Full()}
        clipped.append(dp_fedavg.Settings(**common, clip_threshold=C))
        scaled.append(dp_norm_fedavg.Settings(**common, update_length=C))
    asked = {"replicates": 6, "seed": 1, "stream": "study", "observe": ["gap"], "plan": STUDY}

    def everything() -> None:
        run_grid("dp_fedavg", problem, clipped, **asked)
        run_grid("dp_norm_fedavg", problem, scaled, **asked)

    (seconds,) = interleaved([everything], min(turns, 3))
    return [row("study of W1", "seconds", "< 15", seconds)]


def moments(turns: int) -> list[dict[str, Any]]:
    problem = quadratic.gaussian_factors(clients=1, rank=200)
    common = {"start": np.ones(200), "steps": 500, "step": 0.05}
    made = stochastic_gradient_descent.Settings(**common, oracle=Gaussian(scale=1.0))
    exact = partial(exact_moments, problem, **common, noise_covariance=1 / 200)
    asked = {"replicates": 100, "seed": 1, "stream": "bench", "plan": PLAN}
    sampled = partial(run, "stochastic_gradient_descent", problem, made, **asked)
    known, drawn = interleaved([exact, sampled], turns)
    ratios = [a / b for a, b in zip(drawn, known, strict=True)]
    return [row("moments, d=200, K=500", "100 replicates / exact", "> 1", ratios)]


def row(statement: str, what: str, target: str, ratios: list[float]) -> dict[str, Any]:
    found = {"median": float(np.median(ratios)), "lowest": min(ratios), "highest": max(ratios)}
    return {"statement": statement, "what": what, "target": target, **found}


# As many rows as fill the products of the work at hand: a lone replicate costs as much as a plan has rows.
PLAN = Plan(rows=64, block=256, noise="together")
HALF = Plan(rows=32, block=256, noise="together")
FEW = Plan(rows=4, block=256, noise="together")
# All replicates at once, or half of them for each thread: between products they are in panels anyway.
WHOLE = Plan(rows=256, block=1024, noise="together")
TWO_THREADS = Plan(rows=256, block=512, noise="together", threads=2)
STUDY = Plan(rows=8, block=512, noise="together", threads=2)
MISSING = {"median": "missing: jax is not installed", "lowest": "", "highest": ""}
NO_NUMBA = {"median": "missing: numba is not installed", "lowest": "", "highest": ""}
WORK = {
    "rate": w1_rate,
    "single": w1_single,
    "rivals": w1_against_rivals,
    "local_steps": w1_local_steps,
}
WORK |= {"w2": w2, "study": study, "moments": moments}

if __name__ == "__main__":
    main()
