"""A run that a person asks for, and from its trace to a summary."""

import math
from typing import Any

import numpy as np

from reports.errors import BadOption, UnusableRun
from reports.inputs.feasible import check_run
from synthetic import Plan
from synthetic import run as run_algorithm
from synthetic.engine.trace import Trace
from synthetic.problem import Problem
from synthetic.run import usual_observables

RUNNING = ("running_minimum", "running_average")


def simulated(
    algorithm: str,
    problem: Problem,
    settings: Any,
    *,
    observe: list[str] | None,
    replicates: int,
    seed: int,
    plan: Plan,
) -> tuple[Trace, list[dict[str, Any]]]:
    """The trace, and each observable where the run begins and where it ends."""
    names = usual_observables(algorithm, problem) if observe is None else tuple(observe)
    for name in names:
        if names.count(name) > 1:
            raise BadOption(f"--observe names {name} twice; once is enough")
        for reduction in name.split("/")[1:]:
            if reduction not in RUNNING:
                raise UnusableRun(f"--observe takes NAME or NAME/{' or NAME/'.join(RUNNING)}, not {name!r}")
    check_run(algorithm, problem, settings, replicates, round_by_round=False)
    trace = run_algorithm(
        algorithm,
        problem,
        settings,
        replicates=replicates,
        seed=seed,
        stream=stream(algorithm),
        observe=[f"{name}/{end}" for name in names for end in ("first", "last")],
        plan=plan,
    )
    shown = [name for name in names if f"{name}/first" in trace.measurements]
    return trace, [{"name": name} | _ends(trace, name) for name in shown]


def stream(algorithm: str) -> str:
    return f"run {algorithm}"


def _ends(trace: Trace, name: str) -> dict[str, Any]:
    return {end: summary(trace.measurements[f"{name}/{end}"]) for end in ("first", "last")}


def summary(values: Any) -> dict[str, Any]:
    """Mean over replicates (of the mean over clients and local steps), its error, and the extremes of all."""
    numbers = np.asarray(values, dtype=np.float64)
    with np.errstate(over="ignore"):  # the sum of numbers near the end of the range is infinite
        each = numbers.reshape(len(numbers), -1).mean(axis=1)
        out = {"mean": float(each.mean()), "min": float(numbers.min()), "max": float(numbers.max())}
    if not math.isfinite(out["mean"]):
        return out | {"standard_error": None, "reason": "a replicate has diverged"}
    if len(each) == 1:
        return out | {"standard_error": None, "reason": "one replicate has no standard error"}
    return out | {"standard_error": float(each.std(ddof=1) / math.sqrt(len(each)))}
