"""Problems from outside by name, PACKAGE.NAME: functions annotated to return one, or adopted problems."""

import inspect
import typing
from collections.abc import Callable
from functools import cache
from typing import Any

from synthetic.errors import BadValue, FalseClaim, Refusal, UnknownProblem
from synthetic.outside import packages
from synthetic.outside.calls import SECONDS, broken, call, limited, place_of
from synthetic.problem import Problem

Builder = Callable[..., Problem]

MOST_BUILT = 32

_adopted: dict[str, Builder] = {}
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
    _adopted[full] = lambda: problem
    return full


def is_adopted(name: str) -> bool:
    """Whether the name may mean another problem later, so that nothing is remembered under it."""
    return name in _adopted


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
    return packages.list_names(_find_in_package, _adopted)


@cache
def _find_in_package(key: str) -> dict[str, Builder]:
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
                places = f"{place_of(found[name])} and {place_of(function)}"
                raise packages.refuse_two(key, name, "problem", places, "one builder of each name")
            found[name] = function
    return found


def outside_builder(name: str) -> Builder:
    """The builder of this name; of an adopted problem, a function without arguments."""
    return packages.look_up(
        name,
        _find_in_package,
        _adopted,
        UnknownProblem,
        asked=f"problem {name!r}",
        kind="problem",
        needed="a function annotated to return OwnProblem",
    )


def built(name: str, builder: Builder, arguments: dict[str, Any]) -> Problem:
    """The problem that a builder from outside makes; its failure is its author's.

    Claims are compared with the functions when a problem is made, so the latest ones are kept.
    """
    key = (builder, repr(sorted(arguments.items())))
    if key not in _built:
        if len(_built) >= MOST_BUILT:
            _built.pop(next(iter(_built)))
        _built[key] = _build(name, builder, arguments)
    return _built[key]


def _build(name: str, builder: Builder, arguments: dict[str, Any]) -> Problem:
    with limited(SECONDS):
        try:
            problem: Problem = call(name, builder, passing=Refusal, keywords=arguments)
        except FalseClaim as claim:
            raise FalseClaim(
                asked=f"{name} ({place_of(builder)}): {claim.asked}",
                failed=claim.failed,
                found=claim.found,
                needed=claim.needed,
                change=claim.change,
            ) from claim
    if not is_problem(problem):
        raise broken(name, builder, "the builder returns no problem", type(problem).__name__, "a problem")
    return problem
