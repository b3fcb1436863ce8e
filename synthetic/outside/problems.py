"""Problems from outside by name, PACKAGE.NAME: functions annotated to return one, or adopted problems."""

import inspect
import typing
from collections.abc import Callable
from functools import cache
from typing import Any

from synthetic.errors import AmbiguousName, BadValue, Refusal, UnknownProblem, nearest
from synthetic.outside import packages
from synthetic.outside.calls import SECONDS, broken, call, limited, place_of
from synthetic.problems.interface import Problem

Builder = Callable[..., Problem]

KEPT = 32

_adopted: dict[str, Problem] = {}
_built: dict[tuple[Builder, str], Problem] = {}


def adopt_problem(problem: Problem, name: str = "problem") -> str:
    """Give a problem a name in this process only, `here.NAME`; a later one of this name replaces it."""
    if not is_problem(problem):
        raise BadValue(
            asked="adopt a problem",
            failed="not a problem",
            found=type(problem).__name__,
            needed="OwnProblem(...), or a problem of synthetic.problems",
            change="build one",
        )
    if not name.isidentifier():
        raise BadValue(
            asked="the name of a problem",
            failed="not an identifier",
            found=repr(name),
            needed="letters, digits and underscores",
            change="rename it",
        )
    full = f"{packages.HERE}.{name}"
    _adopted[full] = problem
    return full


def is_problem(value: object) -> bool:
    return hasattr(value, "client_gradients") and hasattr(value, "constants")


def returns_a_problem(function: Callable[..., object]) -> bool:
    """Whether the annotation of the function names a class of problems."""
    try:
        answer = typing.get_type_hints(function).get("return")
    except Exception:  # an annotation that cannot be read names no problem
        return False
    return inspect.isclass(answer) and is_problem(answer)


def outside_problem_names() -> tuple[str, ...]:
    """The names of all problems from outside; a package that is broken has none."""
    found = [f"{key}.{name}" for key in packages.package_keys() for name in _names_or_none(key)]
    return tuple(sorted((*found, *_adopted)))


def _names_or_none(key: str) -> tuple[str, ...]:
    try:
        return tuple(_of_package(key))
    except Refusal:
        return ()


@cache
def _of_package(key: str) -> dict[str, Builder]:
    """The builders that a package defines; what its modules import from elsewhere is not its own."""
    found: dict[str, Builder] = {}
    modules = packages.modules_of(key)
    own = {module.__name__ for module in modules}
    for module in modules:
        for name, function in inspect.getmembers(module, inspect.isfunction):
            fits = function.__module__ in own and name[0] != "_" and returns_a_problem(function)
            if not fits or found.get(name) is function:
                continue
            if name in found:
                raise AmbiguousName(
                    asked=f"{key}.{name}",
                    failed="two problems of the package have this name",
                    found=f"{place_of(found[name])} and {place_of(function)}",
                    needed="one builder of each name",
                    change="rename one of the functions",
                )
            found[name] = function
    return found


def outside_builder(name: str) -> Builder:
    """The builder of this name; of an adopted problem, a function without arguments."""
    key, _, member = name.partition(".")
    if key == packages.HERE:
        known: dict[str, Builder] = {n.partition(".")[2]: _answering(p) for n, p in _adopted.items()}
    else:
        known = _of_package(key)
    if member in known:
        return known[member]
    raise UnknownProblem(
        asked=f"problem {name!r}",
        failed=f"the package {key} has no problem of this name",
        found=repr(name),
        needed=", ".join(f"{key}.{n}" for n in known) or "a function annotated to return OwnProblem",
        change=f"did you mean {key}.{nearest(member, list(known))}?" if known else "define one",
    )


def _answering(problem: Problem) -> Builder:
    return lambda: problem


def built(name: str, builder: Builder, arguments: dict[str, Any]) -> Problem:
    """The problem that a builder from outside makes; its failure is its author's.

    Claims are compared with the functions when a problem is made, so the latest ones are kept.
    """
    key = (builder, repr(sorted(arguments.items())))
    if key not in _built:
        if len(_built) >= KEPT:
            _built.pop(next(iter(_built)))
        _built[key] = _made(name, builder, arguments)
    return _built[key]


def _made(name: str, builder: Builder, arguments: dict[str, Any]) -> Problem:
    with limited(SECONDS):
        problem: Problem = call(name, builder, passing=Refusal, keywords=arguments)
    if not is_problem(problem):
        raise broken(name, builder, "the builder returns no problem", type(problem).__name__, "a problem")
    return problem
