"""From the words of a command line to the settings of an algorithm."""

import dataclasses
import typing
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from bounds.errors import nearest
from reports.errors import BadAssignment, UnusableRun
from reports.inputs.numerals import fitting, number
from synthetic.oracles import AdditiveOracle, Gaussian, Minibatch, Oracle, Sphere, StudentT, TwoPoint
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problem import Problem
from synthetic.run import runnable

OF_PROBLEM = "problem."

# Words for what a setting may be, with the numbers that follow each, as in independent:0.5.
Words = Mapping[str, tuple[Callable[..., Any], tuple[str, ...]]]
PARTICIPATION: Words = {
    "full": (Full, ()),
    "independent": (Independent, ("probability",)),
    "fixed_size": (FixedSize, ("count",)),
}
ADDITIVE: Words = {
    "gaussian": (Gaussian, ("scale",)),
    "two_point": (TwoPoint, ("scale",)),
    "sphere": (Sphere, ("scale",)),
    "student_t": (StudentT, ("scale", "degrees")),
}
ORACLES: Words = {**ADDITIVE, "minibatch": (Minibatch, ("size",))}
KINDS: tuple[tuple[Any, Words], ...] = ((Full, PARTICIPATION), (Oracle, ORACLES), (AdditiveOracle, ADDITIVE))


def divided(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments of the problem, whose names are written problem.NAME, and those of the algorithm."""
    of_problem = {n.removeprefix(OF_PROBLEM): v for n, v in given.items() if n.startswith(OF_PROBLEM)}
    return of_problem, {n: v for n, v in given.items() if not n.startswith(OF_PROBLEM)}


def settings_of(algorithm: str, given: Mapping[str, Any], problem: Problem) -> Any:
    kind = runnable(algorithm).settings
    fields = {field.name: field for field in dataclasses.fields(kind)}
    for name in given:
        if name not in fields:
            hint = f"an argument of the problem is written {OF_PROBLEM}{name}"
            raise UnusableRun(f"{algorithm} has no setting {name}; {nearest(name, fields)}; {hint}")
    types = typing.get_type_hints(kind)
    values = {name: _value(name, value, types[name]) for name, value in given.items()}
    start = values.get("start", 1.0)
    if isinstance(start, int | float):
        values["start"] = np.full(problem.dimension, start)
    needed = [f.name for f in fields.values() if f.default is dataclasses.MISSING and f.name not in values]
    if needed:
        first = f"{needed[0]}={_shape_of_value(types[needed[0]])}"
        raise UnusableRun(f"{algorithm} needs {', '.join(needed)}; give --set {first}")
    return kind(**values)


def _words_of(wanted: Any) -> Words | None:
    members = typing.get_args(wanted) or (wanted,)
    return next((words for kind, words in KINDS if kind in members), None)


def _shape_of_value(wanted: Any) -> str:
    words = _words_of(wanted)
    return "VALUE" if words is None else f"{_shapes(words)[0]}, or one of {', '.join(_shapes(words)[1:])}"


def _shapes(words: Words) -> list[str]:
    return [":".join([word, *(n.upper() for n in names)]) for word, (_, names) in words.items()]


def _value(name: str, value: Any, wanted: Any) -> Any:
    """The value as the type of its field wants it; the settings check its domain themselves."""
    if words := _words_of(wanted):
        return _named(name, value, words)
    members = typing.get_args(wanted) or (wanted,)
    if wanted is bool and not isinstance(value, bool):
        raise BadAssignment(f"{name} is true or false, not {value!r}")
    fit = fitting(value, name, integer=int in members and float not in members)
    if isinstance(fit, list) and any(typing.get_origin(member) is tuple for member in members):
        return tuple(fit)
    return fit


def _named(name: str, value: Any, words: Words) -> Any:
    word, *texts = str(value).split(":")
    if word not in words or len(texts) != len(words[word][1]):
        known = ", ".join(_shapes(words))
        raise BadAssignment(f"{name} is one of {known}, not {value!r}; {nearest(word, words)}")
    make, names = words[word]
    numbers = [number(text, name) for text in texts]
    settings = [
        int(n) if n == int(n) else n for n in numbers
    ]  # counts are never rounded: 2.5 stays and is refused
    return make(**dict(zip(names, settings, strict=True)))
