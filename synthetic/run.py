"""Run an algorithm by name: discovery in `synthetic.algorithms`, no list to maintain."""

import difflib
import importlib
import pkgutil
from types import ModuleType
from typing import Any

from synthetic import algorithms
from synthetic.errors import UnknownAlgorithm, WrongSettings
from synthetic.problems.interface import Problem
from synthetic.randomness import PlacedNumbers
from synthetic.trace import Trace


def algorithm_names() -> list[str]:
    found = pkgutil.iter_modules(algorithms.__path__)
    return sorted(module.name for module in found if not module.name.startswith("_"))


def run(algorithm: str, problem: Problem, settings: Any, *, replicates: int, seed: int, stream: str) -> Trace:
    """The trace of `replicates` independent runs; same seed and stream, same numbers."""
    module = _module(algorithm)
    if not isinstance(settings, module.Settings):
        wanted = f"{module.__name__}.Settings"
        raise WrongSettings(
            asked=f"run {algorithm}",
            failed="settings of another kind",
            found=f"{type(settings).__module__}.{type(settings).__qualname__}",
            needed=wanted,
            change=f"build {wanted}(...)",
        )
    numbers = PlacedNumbers(seed=seed, stream=stream, replicates=replicates)
    trace: Trace = getattr(module, algorithm)(problem, settings, numbers)
    return trace


def _module(algorithm: str) -> ModuleType:
    names = algorithm_names()
    if algorithm not in names:
        nearest = difflib.get_close_matches(str(algorithm), names, n=1, cutoff=0.0)[0]
        raise UnknownAlgorithm(
            asked=f"run {algorithm!r}",
            failed="no algorithm has this name",
            found=repr(algorithm),
            needed="one of " + ", ".join(names),
            change=f"did you mean {nearest!r}?",
        )
    return importlib.import_module(f"{algorithms.__name__}.{algorithm}")
