"""Problems by name, `family.builder`: discovery in this package, no list to maintain.

A builder is a public function of a family's file that is annotated to return a problem. Names are looked up
among those found here, never imported from what was read.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from functools import cache

from synthetic.errors import UnknownProblem, WrongArguments, nearest
from synthetic.problems.interface import Problem

PACKAGE = __name__.rpartition(".")[0]


def problem_names() -> list[str]:
    return sorted(f"{family}.{name}" for family in _families() for name in _builders(family))


def build(name: str, **arguments: object) -> Problem:
    """The problem of this name: build("quadratic.small", clients=3)."""
    builder = _builder(name)
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
    return builder(**arguments)


def _builder(name: str) -> Callable[..., Problem]:
    family, _, member = str(name).partition(".")
    # only the family that is asked for is imported: another may need a library that is slow to load
    if family in _families() and member in _builders(family):
        return _builders(family)[member]
    known = problem_names()
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
        if function.__module__ == module.__name__ and name[0] != "_" and _returns_a_problem(function)
    }


def _returns_a_problem(function: Callable[..., object]) -> bool:
    answer = inspect.signature(function).return_annotation
    return inspect.isclass(answer) and hasattr(answer, "client_gradients") and hasattr(answer, "constants")
