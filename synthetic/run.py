"""Run an algorithm by name: discovery in `synthetic.algorithms`, no list to maintain."""

import importlib
import pkgutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any

from synthetic import algorithms
from synthetic.engine.joined_trace import joined, of_a_block
from synthetic.engine.plan import Plan
from synthetic.engine.randomness import BLOCK, Numbers
from synthetic.engine.recorded_plan import recorded
from synthetic.engine.trace import Recorder, Trace, check_request
from synthetic.errors import UnknownAlgorithm, WrongSettings, nearest
from synthetic.measures import NEED_MINIMISER, yardstick
from synthetic.problems.interface import Problem

LARGE = 20_000  # n d of the problem that plans are tuned on


@cache  # a look at the folder takes as long as several rounds
def algorithm_names() -> tuple[str, ...]:
    found = pkgutil.iter_modules(algorithms.__path__)
    return tuple(sorted(module.name for module in found if not module.name.startswith("_")))


def run(
    algorithm: str,
    problem: Problem,
    settings: Any,
    *,
    replicates: int,
    seed: int,
    stream: str,
    observe: Iterable[str] | None = None,
    plan: Plan | None = None,
) -> Trace:
    """The trace of `replicates` independent runs; same seed and stream, same numbers.

    observe: what to measure, as in `synthetic.engine.trace`; None for the algorithm's usual observables,
    without those that need a minimiser where the problem has none. plan: the recorded one if None, or the
    default.
    """
    requests = requests_of(algorithm, problem, [settings], observe)
    chosen = fitting_plan(algorithm, problem, plan, replicates)
    blocks = list(chosen.numbers(seed=seed, stream=stream, replicates=replicates, exact=problem.exact))
    return trace_of(algorithm, problem, settings, requests, blocks, chosen)


def fitting_plan(algorithm: str, problem: Problem, plan: Plan | None, replicates: int) -> Plan:
    """The plan that is given; else the recorded or default one, with larger blocks on small problems."""
    chosen = plan or recorded() or Plan()
    unit = max(BLOCK, chosen.rows)
    if getattr(algorithm_module(algorithm), "INDIVISIBLE", False):
        return replace(chosen, block=max(chosen.block, _in_blocks(replicates, unit)))
    if plan is not None:
        return chosen
    # a round of few numbers is over before the next call is made, so more replicates cost next to nothing
    times = max(1, LARGE // (problem.clients * problem.dimension))
    share = _in_blocks(-(-replicates // chosen.threads), unit)
    return replace(chosen, block=max(chosen.block, min(chosen.block * times, share)))


def _in_blocks(replicates: int, unit: int) -> int:
    return -(-replicates // unit) * unit


def trace_of(
    algorithm: str,
    problem: Problem,
    settings: Any,
    requests: tuple[str, ...],
    blocks: Sequence[Numbers],
    plan: Plan,
) -> Trace:
    """The trace of the run that has these numbers, block after block of its replicates."""
    module = algorithm_module(algorithm)
    asked = tuple(dict.fromkeys(of_a_block(request) for request in requests))

    def of_block(numbers: Numbers) -> Trace:
        recorder = Recorder(algorithm=algorithm, replicates=numbers.wanted, requests=asked)
        trace: Trace = getattr(module, algorithm)(problem, settings, numbers, recorder)
        return trace

    yardstick(problem)  # once, before several threads ask for it
    return joined(plan.carried_out(of_block, blocks), requests)


def requests_of(
    algorithm: str, problem: Problem, settings: Sequence[Any], observe: Iterable[str] | None
) -> tuple[str, ...]:
    """The requested measurements; refused if it, or one of the settings, does not belong to the algorithm."""
    module = algorithm_module(algorithm)
    for made in settings:
        if not isinstance(made, module.Settings):
            wanted = f"{module.__name__}.Settings"
            raise WrongSettings(
                asked=f"run {algorithm}",
                failed="settings of another kind",
                found=f"{type(made).__module__}.{type(made).__qualname__}",
                needed=wanted,
                change=f"build {wanted}(...)",
            )
    requests = usual_observables(algorithm, problem) if observe is None else tuple(dict.fromkeys(observe))
    for request in requests:
        check_request(request, (*module.OBSERVABLES, *module.ON_REQUEST))
    return requests


def usual_observables(algorithm: str, problem: Problem) -> tuple[str, ...]:
    missing = NEED_MINIMISER if yardstick(problem).minimiser is None else frozenset()
    return tuple(name for name in algorithm_module(algorithm).OBSERVABLES if name not in missing)


def algorithm_module(algorithm: str) -> ModuleType:
    names = algorithm_names()
    if algorithm not in names:
        raise UnknownAlgorithm(
            asked=f"run {algorithm!r}",
            failed="no algorithm has this name",
            found=repr(algorithm),
            needed="one of " + ", ".join(names),
            change=f"did you mean {nearest(algorithm, names)!r}?",
        )
    return importlib.import_module(f"{algorithms.__name__}.{algorithm}")
