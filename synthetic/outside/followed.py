"""Runs of an author's algorithm whose draws are told beforehand, by a course for each call of a round.

Inside `follow` a generator does not draw: it hands out what its course tells. A draw that no course tells
leaves it.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, NoReturn

import numpy as np

# A copy, or a generator made from the bits, would draw beside the course.
OFF_THE_COURSE: Final = frozenset(
    ("_bit_generator", "__reduce__", "__reduce_ex__", "__deepcopy__", "__copy__")
)


class Unlisted(BaseException):
    """A draw that is not told; no `except Exception` of an author swallows it."""


@dataclass(slots=True)
class Course:
    """What the draws of one replicate, or of a block of them, are told."""

    left: bool = field(default=False, init=False)  # also where an author's `except:` swallowed that

    def leave(self, why: str) -> NoReturn:
        self.left = True
        raise Unlisted(why)

    @abstractmethod
    def source(self) -> Any:
        """As `generators.Source`."""


class CourseGenerator(np.random.Generator):
    """A generator that hands out what its course tells; any draw that is not `_listed` is `Unlisted`."""

    _listed: ClassVar[Sequence[str]] = ()

    def __init__(self, course: Course) -> None:
        super().__init__(np.random.PCG64(0))
        self._course = course

    def __getattribute__(self, name: str) -> Any:
        get = super().__getattribute__
        if (name.startswith("_") or name in get("_listed")) and name not in OFF_THE_COURSE:
            return get(name)
        self._course.leave(name)


_followed: Sequence[Course] | None = None


@contextmanager
def follow(courses: Sequence[Course]) -> Iterator[None]:
    """One course for each replicate or block of them, in the whole process; nothing else may run then."""
    global _followed
    before, _followed = _followed, courses
    try:
        yield
    finally:
        _followed = before


def followed() -> Sequence[Course] | None:
    return _followed
