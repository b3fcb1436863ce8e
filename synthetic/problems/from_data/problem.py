"""A problem from a data set: a bundled one by its name, or a file by its path."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from synthetic.data import bundled, files
from synthetic.data.splits import Rule
from synthetic.data.tables import Table, constant_columns
from synthetic.errors import WrongArguments
from synthetic.problems.from_data import models
from synthetic.problems.linear_models.model import LinearModel


def is_data(name: str) -> bool:
    """Whether the name is a bundled data set or a file of data."""
    return name in bundled.NAMES or files.is_data_file(Path(name))


def reader_of(name: str) -> Callable[..., Table]:
    return partial(bundled.bundled, name) if name in bundled.NAMES else partial(files.read, Path(name))


def takers(name: str) -> tuple[Callable[..., Any], ...]:
    """The functions that take the arguments: the reader, the split, the model."""
    return reader_of(name), Rule, models.model_of


def defaults(function: Callable[..., Any]) -> dict[str, Any]:
    """The named arguments of a taker."""
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


def dropped_columns(name: str, arguments: Mapping[str, Any]) -> tuple[int, ...]:
    """The columns of a data set that cannot be scaled and are therefore left out."""
    if not arguments.get("standardise", True):
        return ()
    own = {n: v for n, v in arguments.items() if n in defaults(reader_of(name))}
    return constant_columns(reader_of(name)(**own))


def implied(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments that follow from others, unless they are given.

    Few whole numbers would be read as classes, whose places are no numbers that least squares can fit.
    """
    numbers = arguments.get("model") == "least_squares" and "task" in defaults(reader_of(name))
    return {"task": "numbers"} if numbers else {}


def data_problem(name: str, arguments: Mapping[str, Any]) -> LinearModel:
    """Each argument goes to the one that takes it."""
    own = [{n: v for n, v in arguments.items() if n in defaults(taker)} for taker in takers(name)]
    for argument in arguments:
        if not any(argument in each for each in own):
            raise WrongArguments(
                asked=f"data set {name}",
                failed="it takes no such argument",
                found=argument,
                needed=", ".join(n for taker in takers(name) for n in defaults(taker)),
                change=f"leave out {argument}",
            )
    of_reader, of_split, of_model = own
    if of_reader.get("client") is not None and of_split:
        raise WrongArguments(
            asked=f"data set {name}",
            failed="the column says whose each row is, and the rows are not split besides",
            found=f"client = {of_reader['client']}, {next(iter(of_split))}",
            needed="one of both",
            change=f"leave out {', '.join(of_split)}, or leave out client",
        )
    return models.model_of(
        reader_of(name)(**(implied(name, arguments) | of_reader)), Rule(**of_split), **of_model
    )
