"""Run an algorithm by name: discovery in `synthetic.algorithms`, no list to maintain."""

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from synthetic import algorithms
from synthetic.errors import UnknownAlgorithm, WrongSettings
from synthetic.nearest import nearest
from synthetic.plan import Plan
from synthetic.problems.interface import Problem
from synthetic.trace import Recorder, Trace, check_request
from synthetic.yardstick import NEED_MINIMISER, yardstick


def algorithm_names() -> list[str]:
    found = pkgutil.iter_modules(algorithms.__path__)
    return sorted(module.name for module in found if not module.name.startswith("_"))


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

    observe: what to measure, as in `synthetic.trace`; None for the algorithm's usual observables, without
    those that need a minimiser where the problem has none. plan: numpy on the cpu if None.
    """
    module = algorithm_module(algorithm)
    if not isinstance(settings, module.Settings):
        wanted = f"{module.__name__}.Settings"
        raise WrongSettings(
            asked=f"run {algorithm}",
            failed="settings of another kind",
            found=f"{type(settings).__module__}.{type(settings).__qualname__}",
            needed=wanted,
            change=f"build {wanted}(...)",
        )
    numbers = (plan or Plan()).numbers(seed=seed, stream=stream, replicates=replicates)
    requests = usual_observables(algorithm, problem) if observe is None else tuple(dict.fromkeys(observe))
    for request in requests:
        check_request(request, (*module.OBSERVABLES, *module.ON_REQUEST))
    recorder = Recorder(algorithm=algorithm, replicates=replicates, requests=requests)
    trace: Trace = getattr(module, algorithm)(problem, settings, numbers, recorder)
    return trace


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
