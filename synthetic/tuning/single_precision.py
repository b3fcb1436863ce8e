"""How far a run in single precision is from the same run in double precision, on the same random numbers."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from synthetic.engine.arithmetic import Array
from synthetic.engine.plan import Plan
from synthetic.problem import Problem
from synthetic.run import run


def error_of_single(
    algorithm: str,
    problem: Problem,
    settings: Any,
    *,
    replicates: int,
    seed: int,
    stream: str,
    observe: Iterable[str] | None = None,
    plan: Plan,
) -> dict[str, float]:
    """For each request the largest difference over replicates and rounds, relative to max(1, size).

    Measured, not bounded: a method that divides by small norms amplifies rounding without limit, and a
    replicate that diverges in one of the two only is infinitely far.
    """
    common: dict[str, Any] = {"replicates": replicates, "seed": seed, "stream": stream, "observe": observe}
    single, double = (
        run(algorithm, problem, settings, **common, plan=replace(plan, precision=precision))
        for precision in ("single", "double")
    )
    return {
        name: _farthest(single.measurements[name], values) for name, values in double.measurements.items()
    }


def _farthest(single: Array, double: Array) -> float:
    if single.shape != double.shape:  # a run that ends by what it measures has ended in another round
        return float("inf")
    one, other = single.astype(np.float64), double.astype(np.float64)
    with np.errstate(invalid="ignore"):
        apart = np.abs(one - other) / np.maximum(1.0, np.abs(other))
    apart = np.where(np.isinf(one) & (one == other), 0.0, apart)  # diverged in both
    return float(np.max(np.where(np.isnan(apart), np.inf, apart), initial=0.0))
