"""Run an algorithm by name: discovery in `synthetic.algorithms` and in installed packages, no list."""

import importlib
import pkgutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from synthetic import algorithms
from synthetic.engine.joined_trace import joined, of_a_block
from synthetic.engine.plan import Plan
from synthetic.engine.randomness import BLOCK, Numbers
from synthetic.engine.recorded_plan import recorded
from synthetic.engine.trace import Recorder, Trace, check_request
from synthetic.errors import UnknownAlgorithm, WrongPlan, WrongSettings, nearest
from synthetic.measures import NEED_MINIMISER, NEED_MINIMUM, yardstick
from synthetic.outside.algorithms import is_outside, outside_names, outside_runnable
from synthetic.problem import Problem
from synthetic.runnable import Runnable

LARGE = 20_000  # n d of the problem that plans are tuned on


@cache  # a look at the folder takes as long as several rounds
def algorithm_names() -> tuple[str, ...]:
    """The names of our algorithms; `outside_names` has those of installed packages."""
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
    listing, chosen = runnable(algorithm), plan or recorded() or Plan()
    if listing.outside:
        why = "an algorithm from outside computes in its own library and in float64"
        chosen = _take_numpy(chosen, algorithm, why, given=plan is not None)
    if problem.exact:
        chosen = _take_numpy(
            chosen, algorithm, "torch and single precision have no fractions", given=plan is not None
        )
    unit = max(BLOCK, chosen.rows)
    if listing.indivisible:
        return replace(chosen, block=max(chosen.block, _round_up_to_blocks(replicates, unit)))
    if plan is not None:
        return chosen
    # a round of few numbers is over before the next call is made, so more replicates cost next to nothing
    times = max(1, LARGE // (problem.clients * problem.dimension))
    share = _round_up_to_blocks(-(-replicates // chosen.threads), unit)
    return replace(chosen, block=max(chosen.block, min(chosen.block * times, share)))


def _take_numpy(plan: Plan, algorithm: str, why: str, *, given: bool) -> Plan:
    """The recorded plan with numpy in place of torch; a plan that was asked for is refused."""
    if given and (plan.backend == "torch" or plan.precision == "single"):
        raise WrongPlan(
            asked=f"run {algorithm}",
            failed=why,
            found=f"backend {plan.backend}, precision {plan.precision}",
            needed="backend numpy, precision double",
            change="leave both out",
        )
    return replace(plan, backend="numpy" if plan.backend == "torch" else plan.backend, device="cpu")


def _round_up_to_blocks(replicates: int, unit: int) -> int:
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
    act = runnable(algorithm).act
    asked = tuple(dict.fromkeys(of_a_block(request) for request in requests))

    def of_block(numbers: Numbers) -> Trace:
        recorder = Recorder(algorithm=algorithm, replicates=numbers.wanted, requests=asked)
        return act(problem, settings, numbers, recorder)

    yardstick(problem)  # once, before several threads ask for it
    return joined(plan.carried_out(of_block, blocks), requests)


def requests_of(
    algorithm: str, problem: Problem, settings: Sequence[Any], observe: Iterable[str] | None
) -> tuple[str, ...]:
    """The requested measurements; refused if it, or one of the settings, does not belong to the algorithm."""
    listing = runnable(algorithm)
    for given in settings:
        if not isinstance(given, listing.settings):
            wanted = f"{listing.settings.__module__}.Settings"
            raise WrongSettings(
                asked=f"run {algorithm}",
                failed="settings of another kind",
                found=f"{type(given).__module__}.{type(given).__qualname__}",
                needed=wanted,
                change=f"build {wanted}(...)",
            )
    requests = usual_observables(algorithm, problem) if observe is None else tuple(dict.fromkeys(observe))
    for request in requests:
        check_request(request, (*listing.observables, *listing.on_request))
    return requests


def usual_observables(algorithm: str, problem: Problem) -> tuple[str, ...]:
    known = yardstick(problem)
    missing = NEED_MINIMISER if known.minimiser is None else frozenset[str]()
    missing |= NEED_MINIMUM if known.minimum is None else frozenset()
    return tuple(name for name in runnable(algorithm).observables if name not in missing)


def runnable(algorithm: str) -> Runnable:
    """The algorithm of this name, ours or PACKAGE.NAME of an installed package."""
    if is_outside(algorithm):
        return outside_runnable(algorithm)
    if algorithm in algorithm_names():
        return _ours(algorithm)
    names = (*algorithm_names(), *outside_names())
    raise UnknownAlgorithm(
        asked=f"run {algorithm!r}",
        failed="no algorithm has this name",
        found=repr(algorithm),
        needed="one of " + ", ".join(names),
        change=f"did you mean {nearest(algorithm, names)!r}?",
    )


@cache
def _ours(algorithm: str) -> Runnable:
    module = importlib.import_module(f"{algorithms.__name__}.{algorithm}")
    return Runnable(
        name=algorithm,
        settings=module.Settings,
        act=getattr(module, algorithm),
        observables=module.OBSERVABLES,
        on_request=module.ON_REQUEST,
        per_row=getattr(module, "PER_ROW", ()),
        indivisible=getattr(module, "INDIVISIBLE", False),
    )
