"""The best setting that simulation alone finds, at the same privacy: what it costs to follow the theory.

Settings are drawn evenly over a range of several powers of ten around that of the statement. All run a ninth
of the rounds on the same random numbers; the best third runs a third of them, and the best of those all.
As many as remain are drawn anew around the best. The noise per round is that of the whole run throughout, and
follows the threshold, so that every setting keeps the same privacy; the search itself looks at the problem,
whose privacy nothing counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import exp, isfinite, log
from typing import Any, Final, final

import numpy as np

from synthetic.batched_configurations import run_grid
from synthetic.engine.plan import Plan
from synthetic.engine.recorded_plan import recorded
from synthetic.outside.algorithms import is_outside
from synthetic.problem import Problem
from verify.planning.simulated import SEED, Band, gap_of
from verify.planning.task import Task
from verify.progress import Progress, silent

# The noise of an average is that of the sum, in thresholds, so these settings scale together.
THRESHOLDS: Final = ("clip_threshold", "update_length")
STEPS: Final = ("local_step", "server_step", "memory_step", "smoothing")
COUNTS: Final = (1, 2, 4, 8)
LENGTHS: Final = {"rounds": 0, "steps": 0, "last_round": -1}  # what each names, less the number of rounds
SHARES: Final = (9, 3, 1)  # of the rounds, one in so many
FEWEST, MOST = 27, 243  # settings at first
WORK: Final = 2e7  # clients times dimension times rounds times settings: about ten seconds
WIDE, NARROW = log(100.0), log(2.0)  # to either side
TRIAL_ROWS: Final = 4  # replicates of a trial, the fewest that a product is made of


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
    problem, random = task.build(), np.random.default_rng(seed)
    number = count_settings(problem, task.rounds)
    remaining = [settings, *_spread(settings, names, number - 1, WIDE, random)]
    tried = len(remaining)
    for done, share in enumerate(SHARES):
        progress(done, len(SHARES) + 1, "searching by simulation")
        if done:
            remaining = remaining[: max(1, len(remaining) // 3)]
        remaining = _sorted(algorithm, problem, remaining, max(1, task.rounds // share), seed + 1)
    progress(len(SHARES), len(SHARES) + 1, "searching by simulation")
    near = _spread(remaining[0], names, len(remaining), NARROW, random, counts=False)
    best = _sorted(algorithm, problem, [remaining[0], *near], task.rounds, seed + 1)[0]
    progress(len(SHARES) + 1, len(SHARES) + 1, "searching by simulation")
    return Tuned(
        settings=best,
        gap=gap_of(algorithm, problem, best, replicates, seed + 2),
        tried=tried + len(near),
    )


def count_settings(problem: Problem, rounds: int) -> int:
    """Count the settings that the size of the problem leaves time for; the same on every machine."""
    size = problem.clients * problem.dimension * rounds
    return int(min(MOST, max(FEWEST, WORK // size)))


def _sorted(algorithm: str, problem: Problem, many: Sequence[Any], rounds: int, seed: int) -> list[Any]:
    """Sort settings by their mean value after so many rounds, on common random numbers; diverged runs last.

    Single precision is enough to tell settings apart, and takes half the time; an author has double only.
    """
    plan = replace(recorded() or Plan(), rows=TRIAL_ROWS)
    traces = run_grid(
        algorithm,
        problem,
        [_shortened(settings, rounds) for settings in many],
        replicates=TRIAL_ROWS,
        seed=seed,
        stream="plan",
        observe=(),
        plan=replace(plan, precision="double" if is_outside(algorithm) else "single"),
    )
    with np.errstate(over="ignore", invalid="ignore"):  # states of diverged runs
        means = [float(np.mean(problem.value(trace.final_state.astype(np.float64)))) for trace in traces]
    order = sorted(range(len(many)), key=lambda i: means[i] if isfinite(means[i]) else float("inf"))
    return [many[i] for i in order]


def _shortened(settings: Any, rounds: int) -> Any:
    known = {f.name for f in fields(settings)}
    return replace(settings, **{name: rounds + less for name, less in LENGTHS.items() if name in known})


def _releases_every_step(settings: Any) -> bool:
    """Whether each local step is noised: their number decides the noise."""
    return "noise_multiplier" in {f.name for f in fields(settings)}


def _varied(settings: Any) -> list[str]:
    """A threshold that clips no record stays: below it the run would clip otherwise than the listing."""
    known = {f.name for f in fields(settings)}
    if _releases_every_step(settings):
        return ["step"]
    found = [n for n in (*THRESHOLDS, *STEPS) if n in known]
    return [n for n in found if isinstance(getattr(settings, n), float | int) and getattr(settings, n) > 0]


def _spread(
    settings: Any, names: Sequence[str], number: int, width: float, random: Any, *, counts: bool = True
) -> list[Any]:
    """Settings around these: each name takes every stratum of its range in the logarithm once."""
    strata = [(random.permutation(number) + random.random(number)) / number for _ in names]
    places = width * (2 * np.array(strata).reshape(len(names), number).T - 1)
    known = {f.name for f in fields(settings)}
    # an incremental pass has as many steps as a client has components
    steps_vary = "local_steps" in known and getattr(settings, "local_operator", None) != "incremental"
    steps_vary = steps_vary and not _releases_every_step(settings)
    several = COUNTS if counts and steps_vary else (None,)
    return [
        _moved(settings, dict(zip(names, map(exp, place), strict=True)), several[i % len(several)])
        for i, place in enumerate(places)
    ]


def _moved(settings: Any, factors: Mapping[str, float], local_steps: int | None) -> Any:
    """Each number times its factor; the noise of an average goes with its threshold."""
    changes: dict[str, Any] = {n: getattr(settings, n) * factor for n, factor in factors.items()}
    for threshold in THRESHOLDS:
        if threshold in factors:
            changes["noise_scale"] = settings.noise_scale * factors[threshold]
    if local_steps is not None:
        changes["local_steps"] = local_steps
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
