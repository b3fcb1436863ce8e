"""The best setting that simulation alone finds, at the same privacy: what it costs to follow the theory.

Settings are drawn around that of the statement, and once more around the best of them. The noise follows the
threshold, so that every one keeps the same privacy; the search itself looks at the problem, whose privacy
nothing counts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from math import exp, isfinite
from typing import Any, Final, final

import numpy as np

from synthetic.problems.interface import Problem
from synthetic.sweeps.batched_configurations import run_grid
from verify.planning.simulated import SEED, Band, gap_of
from verify.planning.task import Task
from verify.progress import Progress, silent

# What scales with what: the noise of an average is that of the sum, in thresholds.
THRESHOLDS: Final = ("clip_threshold", "update_length")
STEPS: Final = ("local_step", "server_step", "memory_step", "smoothing")
COUNTS: Final = (1, 3, 8)
FIRST, SECOND = 6, 6  # settings for each count, and around the best
WIDE, NARROW = 2.0, 0.5  # in logarithms
TRIAL_REPLICATES: Final = 2


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """`gap` is that of fresh runs, which the search has not seen."""

    settings: Any
    gap: Band
    tried: int


def tune(
    algorithm: str,
    task: Task,
    settings: Any,
    *,
    replicates: int,
    seed: int = SEED,
    progress: Progress = silent,
) -> Tuned | None:
    """None where nothing of the settings can be varied."""
    names = _varied(settings)
    if not names:
        return None
    problem = task.build()
    random = np.random.default_rng(seed)

    counts = COUNTS if "local_steps" in {f.name for f in fields(settings)} else (None,)
    pairs: list[tuple[float, Any]] = []
    for done, count in enumerate(counts):
        progress(done, len(counts) + 1, "searching by simulation")
        base = settings if count is None else replace(settings, local_steps=count)
        many = [base, *(_moved(base, names, random, WIDE) for _ in range(FIRST))]
        pairs += zip(_gaps(algorithm, problem, many, seed + 1), many, strict=True)
    progress(len(counts), len(counts) + 1, "searching by simulation")
    best = min(pairs, key=lambda pair: pair[0])[1]
    many = [_moved(best, names, random, NARROW) for _ in range(SECOND)]
    pairs += zip(_gaps(algorithm, problem, many, seed + 1), many, strict=True)
    progress(len(counts) + 1, len(counts) + 1, "searching by simulation")
    best = min(pairs, key=lambda pair: pair[0])[1]
    return Tuned(settings=best, gap=gap_of(algorithm, problem, best, replicates, seed + 2), tried=len(pairs))


def _gaps(algorithm: str, problem: Problem, many: list[Any], seed: int) -> list[float]:
    """The mean gap after the last round of each setting, from few replicates; infinite if it diverged."""
    traces = run_grid(
        algorithm,
        problem,
        many,
        replicates=TRIAL_REPLICATES,
        seed=seed,
        stream="plan",
        observe=["gap"],
    )
    means = (float(np.mean(t.measurements["gap"][:, -1])) for t in traces)
    return [mean if isfinite(mean) else float("inf") for mean in means]


def _varied(settings: Any) -> list[str]:
    known = {f.name for f in fields(settings)}
    found = [n for n in (*THRESHOLDS, *STEPS) if n in known]
    return [n for n in found if isinstance(getattr(settings, n), float | int) and getattr(settings, n) > 0]


def _moved(settings: Any, names: Iterable[str], random: Any, width: float) -> Any:
    """Each number times a random factor; the noise of an average goes with its threshold."""
    factors = {name: exp(float(random.normal(0.0, width))) for name in names}
    changes: dict[str, Any] = {n: getattr(settings, n) * factor for n, factor in factors.items()}
    for threshold in THRESHOLDS:
        if threshold in factors:
            changes["noise_scale"] = settings.noise_scale * factors[threshold]
    return replace(settings, **changes)


def plain(settings: Any) -> Mapping[str, Any]:
    """The settings as words and numbers, without the start."""
    out: dict[str, Any] = {}
    for field in fields(settings):
        value = getattr(settings, field.name)
        if field.name in ("start", "initial_memory") or value is None:
            continue
        plainly = isinstance(value, bool | int | float | str)
        out[field.name] = value if plainly else _word(value)
    return out


def _word(value: Any) -> str:
    name = type(value).__name__.lower()
    numbers = (
        [getattr(value, f.name) for f in fields(value)] if hasattr(value, "__dataclass_fields__") else []
    )
    return ":".join([name, *(f"{number:g}" for number in numbers if isinstance(number, int | float))])
