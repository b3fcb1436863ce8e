"""Problems by name, `family.builder`: discovery in this package and in installed ones, no list to maintain.

A builder is a public function of a family's file that is annotated to return a problem. Names are looked up
among those found here, never imported from what was read.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from functools import cache

from synthetic.errors import UnknownProblem, WrongArguments, nearest
from synthetic.outside import packages
from synthetic.outside.problems import built, outside_builder, outside_problem_names, returns_a_problem
from synthetic.problem import Problem

PACKAGE = __name__.rpartition(".")[0]


def problem_names() -> list[str]:
    """The names of our problems; `known_problem_names` has those of installed packages too."""
    return sorted(f"{family}.{name}" for family in _families() for name in _builders(family))


def known_problem_names() -> list[str]:
    return [*problem_names(), *outside_problem_names()]


def build(name: str, **arguments: object) -> Problem:
    """The problem of this name: build("quadratic.small", clients=3)."""
    builder = builder_of(name)
    parameters = inspect.signature(builder).parameters
    for argument in arguments:
        if argument not in parameters:
            raise _unknown(name, argument, list(parameters))
    missing = [
        parameter.name
        for parameter in parameters.values()
        if parameter.default is parameter.empty and parameter.name not in arguments
    ]
    if missing:
        raise WrongArguments(
            asked=name,
            failed="an argument is missing",
            found=", ".join(sorted(arguments)) or "none",
            needed=", ".join(missing),
            change=f"give {missing[0]}",
        )
    return built(name, builder, arguments) if _is_outside(name) else builder(**arguments)


def _is_outside(name: str) -> bool:
    key, dot, _ = str(name).partition(".")
    return bool(dot) and key not in _families() and (key == packages.HERE or key in packages.package_keys())


def builder_of(name: str) -> Callable[..., Problem]:
    """The function that builds the problem of this name."""
    if _is_outside(name):
        return outside_builder(name)
    family, _, member = str(name).partition(".")
    # only the family that is asked for is imported: another may need a library that is slow to load
    if family in _families() and member in _builders(family):
        return _builders(family)[member]
    known = known_problem_names()
    raise UnknownProblem(
        asked=f"problem {name!r}",
        failed="no problem has this name",
        found=repr(name),
        needed="one of " + ", ".join(known),
        change=f"did you mean {nearest(name, known)!r}?",
    )


def _unknown(name: str, argument: str, known: list[str]) -> WrongArguments:
    return WrongArguments(
        asked=name,
        failed="it has no such argument",
        found=repr(argument),
        needed=" or ".join(known) or "no argument",
        change=f"did you mean {nearest(argument, known)!r}?" if known else f"leave out {argument!r}",
    )


@cache
def _families() -> list[str]:
    package = importlib.import_module(PACKAGE)
    # a package holds what several families share
    found = pkgutil.iter_modules(package.__path__)
    return [module.name for module in found if module.name[0] != "_" and not module.ispkg]


@cache
def _builders(family: str) -> dict[str, Callable[..., Problem]]:
    module = importlib.import_module(f"{PACKAGE}.{family}")
    return {
        name: function
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and name[0] != "_" and returns_a_problem(function)
    }
