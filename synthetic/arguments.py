"""Domain checks shared by the settings; each names the field that it refuses."""

import math
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from fractions import Fraction

import numpy as np

from synthetic.errors import BadValue

Scalar = int | float | Fraction


def _finite(name: str, value: object) -> Scalar:
    # bool is an int in Python, and a silently accepted True would hide a misplaced argument
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction) or not math.isfinite(value):
        raise BadValue(
            asked=name,
            failed="not a finite number",
            found=repr(value),
            needed="a finite int, float or Fraction",
            change="give a finite number",
        )
    return value


def positive(name: str, value: object) -> None:
    if not _finite(name, value) > 0:
        raise BadValue(asked=name, failed="not positive", found=value, needed="> 0", change=f"raise {name}")


def positive_or_infinite(name: str, value: object) -> None:
    if value != math.inf:
        positive(name, value)


def at_least(name: str, value: object, limit: Scalar) -> None:
    if not _finite(name, value) >= limit:
        raise BadValue(
            asked=name, failed="too small", found=value, needed=f">= {limit}", change=f"raise {name}"
        )


def between(name: str, value: object, low: Scalar, high: Scalar) -> None:
    if not low <= _finite(name, value) <= high:
        raise BadValue(
            asked=name,
            failed="outside its range",
            found=value,
            needed=f"between {low} and {high}",
            change=f"move {name} into the range",
        )


def integer_at_least(name: str, value: object, limit: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadValue(
            asked=name,
            failed="not a whole number",
            found=repr(value),
            needed="an int",
            change="give an int; counts are never rounded",
        )
    at_least(name, value, limit)


def index_below(name: str, value: object, count: int) -> None:
    """A place among so many, from 0 on: a negative one is the last to Python, or makes an empty slice."""
    if isinstance(value, bool) or not (isinstance(value, int | np.integer) and 0 <= value < count):
        raise BadValue(
            asked=name,
            failed="not one of those that there are",
            found=repr(value),
            needed=f"a whole number from 0 to {count - 1}",
            change="count from 0",
        )


def one_of(name: str, value: object, allowed: Collection[str]) -> None:
    if value not in allowed:
        raise BadValue(
            asked=name,
            failed="unknown word",
            found=repr(value),
            needed=" or ".join(repr(word) for word in allowed),
            change="use one of these words",
        )


def to_floats(settings: object, *names: str) -> None:
    """Store these fields as floats: a fraction times a float64 array would become an array of objects."""
    for name in names:
        object.__setattr__(settings, name, float(getattr(settings, name)))


def schedule(name: str, value: object) -> None:
    """A constant step, or one positive step per round."""
    if isinstance(value, tuple):
        for index, entry in enumerate(value):
            positive(f"{name}[{index}]", entry)
    else:
        positive(name, value)


def schedule_length(name: str, value: object, rounds: int) -> None:
    if isinstance(value, tuple) and len(value) != rounds:
        raise BadValue(
            asked=name,
            failed="one step per round is needed",
            found=len(value),
            needed=str(rounds),
            change="give one number, or as many as there are rounds",
        )


@contextmanager
def inside_float64(what: str) -> Iterator[None]:
    """Constants are told in float64, and products of data near its end are beyond it."""
    try:
        yield
    except (OverflowError, np.linalg.LinAlgError) as error:
        raise BadValue(
            asked=f"constants of {what}",
            failed="they leave the range of float64",
            found=str(error),
            needed="numbers below 1.8e308",
            change="scale the data towards 1",
        ) from error
