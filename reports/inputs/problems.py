"""The problem that a person names (by name, a bundled data set, or a data file), and its arguments."""

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from bounds.errors import nearest
from reports.cli import terminal
from reports.errors import UnusableProblem
from reports.inputs.assigned import read_assigned
from reports.inputs.feasible import check_problem
from reports.inputs.files import decode
from reports.inputs.numerals import fitting, inside_floats, numeral
from synthetic.data import bundled, files
from synthetic.data.splits import Rule
from synthetic.errors import Refusal, UnknownProblem
from synthetic.problem import Problem
from synthetic.problems import build, builder_of, known_problem_names
from synthetic.problems.from_data.models import name_of
from synthetic.problems.from_data.problem import (
    data_problem,
    defaults,
    dropped_columns,
    implied,
    is_data,
    takers,
)

# What a value may be where the default is of this type; bool is an int in Python, and is none here.
KINDS: dict[type, tuple[type, ...]] = {
    bool: (bool,),
    int: (int,),
    float: (int, float, Fraction),
    str: (str,),
}


# Beginnings of numpy's messages on sizes that no machine has.
BEYOND_ADDRESSES = ("Maximum allowed dimension exceeded", "array is too big")
MOST_SHOWN = 8  # numbers of columns in one sentence


def settings(texts: Iterable[str] | None) -> dict[str, Any]:
    """`NAME=VALUE` words: numbers, fractions a/b, true or false, lists as in JSON, and plain words."""
    return read_assigned(texts, _value)


def _value(text: str, name: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if text.startswith("["):
        return decode(text, name)
    found = numeral(text, name)
    return text if found is None else found


@contextmanager
def within_machine(asked: str, given: Mapping[str, Any]) -> Iterator[None]:
    """Refuse a request that does not fit into memory or into a float, and quote it."""
    numbers = ", ".join(f"{name}={value}" for name, value in given.items())
    with_what = f"{asked} with {numbers}" if numbers else asked
    try:
        with inside_floats(with_what):
            yield
    except (MemoryError, ValueError) as error:
        if not isinstance(error, MemoryError) and not str(error).startswith(BEYOND_ADDRESSES):
            raise
        why = str(error)[:1].lower() + str(error)[1:] or "out of memory"
        raise UnusableProblem(f"{with_what} is too large for this machine: {why}; ask for less") from error


def problem(name: str, arguments: Mapping[str, Any]) -> tuple[Problem, dict[str, Any]]:
    """The problem, and all its arguments, those by default among them."""
    try:
        if is_data(name):
            return _build_from_data(name, arguments)
        function = _builder(name)
        full = _fitting(name, function, arguments)
        check_problem(name, full)
        return build(name, **{argument: full[argument] for argument in arguments}), full
    except Refusal as error:
        raise UnusableProblem(str(error)) from error


def argument_names(name: str) -> tuple[str, ...]:
    """What a problem takes, whatever kind it is."""
    if is_data(name):
        return tuple(n for taker in takers(name) for n in defaults(taker))
    return tuple(inspect.signature(_builder(name)).parameters)


def _builder(name: str) -> Callable[..., Problem]:
    try:
        return builder_of(name)
    except UnknownProblem as error:
        kinds = f"a data file ends in {', '.join(files.ENDINGS)}"
        if os.path.isfile(name):  # Path.is_file raises where a name is too long
            raise UnusableProblem(f"{name} cannot be read as data; {kinds}; unpack or rename it") from error
        close = nearest(name, [*known_problem_names(), *bundled.NAMES])
        raise UnusableProblem(f"no problem is named {name}; {close} Also, {kinds}") from error


def _build_from_data(name: str, arguments: Mapping[str, Any]) -> tuple[Problem, dict[str, Any]]:
    """The arguments go to whom they belong: the reader, the split, the model."""
    known = [n for taker in takers(name) for n in defaults(taker)]
    for argument in arguments:
        if argument not in known:
            raise UnusableProblem(f"{name} takes no {argument}; {nearest(argument, known)}")
    full: dict[str, Any] = {}
    taken = implied(name, arguments) | dict(arguments)
    for taker in takers(name):
        own = {n: v for n, v in taken.items() if n in defaults(taker)}
        of_file = taker is Rule and "client" in arguments and not own  # then no rule splits the rows
        full |= {} if of_file else _fitting(name, taker, own)
    built = data_problem(name, {n: full[n] for n in arguments})
    _tell_dropped(name, full)
    if full["model"] == "auto":
        full["model"] = name_of(built)  # what the labels were taken for
    return built, full


def _tell_dropped(name: str, arguments: Mapping[str, Any]) -> None:
    """A note on a user's own file; what the bundled data sets hold is known."""
    dropped = () if name in bundled.NAMES else dropped_columns(name, arguments)
    if dropped:
        what = (
            "feature column {} is left out, since it holds"
            if len(dropped) == 1
            else "feature columns {} are left out, since they hold"
        )
        terminal.note(f"{name}: {what.format(_shorten(dropped))} one value only")


def _shorten(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, numbers[:MOST_SHOWN]))
    return shown if len(numbers) <= MOST_SHOWN else f"{shown} and {len(numbers) - MOST_SHOWN} more"


def _fitting(name: str, function: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """All arguments; a word where a number belongs, or the reverse, is refused before anything is built."""
    usual = defaults(function)
    fit = {n: _fit(name, n, value, usual.get(n)) for n, value in arguments.items()}
    known = {n: v for n, v in usual.items() if v is not None and v is not inspect.Parameter.empty}
    return known | fit


def _fit(name: str, argument: str, value: Any, default: Any) -> Any:
    kinds = next((kinds for kind, kinds in KINDS.items() if type(default) is kind), None)
    if kinds is not None and not isinstance(value, kinds):
        wanted = f"{type(default).__name__} such as {default}"
        raise UnusableProblem(f"{name} takes {argument} as {wanted}, not {value!r}")
    fit = fitting(value, argument, integer=type(default) is int)
    # a fraction times an array of floats would become an array of objects
    return float(fit) if isinstance(fit, Fraction) and type(default) is float else fit
