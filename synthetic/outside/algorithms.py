"""Algorithms from outside by name, PACKAGE.NAME: found in installed packages, or adopted by this process."""

from collections.abc import Iterable
from functools import cache, lru_cache, partial
from typing import Any

from synthetic.engine.plan import Plan
from synthetic.engine.randomness import BLOCK
from synthetic.errors import UnknownAlgorithm
from synthetic.measures import OF_STATE, OF_STATE_ON_REQUEST
from synthetic.outside import packages
from synthetic.outside.algorithm import Algorithm
from synthetic.outside.execution import carry_out, observe_first_state
from synthetic.outside.settings import settings_class
from synthetic.problem import Problem
from synthetic.runnable import Runnable

_adopted: dict[str, Algorithm] = {}


def adopt(algorithm: Algorithm) -> str:
    """Give an algorithm a name in this process only, `here.NAME`; a later one of this name replaces it."""
    name = f"{packages.HERE}.{algorithm.name}"
    _adopted[name] = algorithm
    return name


def outside_names() -> tuple[str, ...]:
    """The names of all algorithms from outside; a package that is broken has none."""
    return packages.list_names(_find_in_package, _adopted)


@cache
def _find_in_package(key: str) -> dict[str, Algorithm]:
    """The algorithms of a package; the same object in two modules is one algorithm."""
    found: dict[str, Algorithm] = {}
    for module in packages.modules_of(key):
        for value in vars(module).values():
            if not isinstance(value, Algorithm) or found.get(value.name) is value:
                continue
            if value.name in found:
                places = f"{found[value.name].place} and {value.place}"
                needed = "one round function of each name"
                raise packages.refuse_two(key, value.name, "algorithm", places, needed)
            found[value.name] = value
    return found


def is_outside(name: str) -> bool:
    """Whether the name begins with the key of an installed package, or was adopted."""
    key, dot, _ = name.partition(".")
    return bool(dot) and (key == packages.HERE or key in packages.package_keys())


def outside_algorithm(name: str) -> Algorithm:
    """The algorithm of this name; refused with the nearest name, or why its package is broken."""
    return packages.look_up(
        name,
        _find_in_package,
        _adopted,
        UnknownAlgorithm,
        asked=f"run {name!r}",
        kind="algorithm",
        needed="an Algorithm in a module of the package",
    )


def outside_runnable(name: str) -> Runnable:
    return _runnable(name, outside_algorithm(name))


def observe_start(name: str, problem: Problem, settings: Any, observables: Iterable[str]) -> dict[str, float]:
    """What observables of an algorithm from outside are before its first round, which draws nothing."""
    (numbers,) = Plan().numbers(seed=0, stream=f"{name}/start", replicates=1)
    return observe_first_state(name, outside_algorithm(name), problem, settings, numbers, observables)


@lru_cache(maxsize=128)
def _runnable(name: str, algorithm: Algorithm) -> Runnable:
    return Runnable(
        name=name,
        settings=settings_class(name, algorithm),
        act=partial(carry_out, name, algorithm),
        observables=(*OF_STATE, *algorithm.observables),
        on_request=OF_STATE_ON_REQUEST,
        outside=True,
        rows_followed=0 if algorithm.library != "numpy" else BLOCK if algorithm.batched else 1,
    )
