"""Every outcome of a run that draws finitely many of them, each once, with its probability.

Inside `follow` a generator does not draw: replicate r takes the r-th list of places, and the first of each
draw beyond its end. What it had to choose from is kept, so that the caller can ask for the other outcomes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, final

import numpy as np

from synthetic.outside.followed import Course, CourseGenerator

DRAWN_FROM_FINITELY_MANY: Final = ("integers", "choice", "permutation")

MOST: Final = 64  # outcomes that are walked one by one

Places = tuple[int, ...]


@final
@dataclass(slots=True)
class Path(Course):
    """The places that are to be taken, and what has been drawn along them."""

    given: Places
    taken: list[int] = field(default_factory=list)
    probabilities: list[tuple[float, ...]] = field(default_factory=list)
    least: int = 1  # so many outcomes at least there are: one for each way off this path

    def choose(self, probabilities: Sequence[float]) -> int:
        place = len(self.taken)
        self.least += sum(p > 0 for p in probabilities) - 1
        if self.least > MOST:
            self.leave("too many outcomes")
        first = next(i for i, p in enumerate(probabilities) if p > 0)
        self.taken.append(self.given[place] if place < len(self.given) else first)
        self.probabilities.append(tuple(probabilities))
        return self.taken[-1]

    def source(self) -> "PathSource":
        return PathSource(self)

    @property
    def probability(self) -> float:
        pairs = zip(self.taken, self.probabilities, strict=True)
        return float(np.prod([each[place] for place, each in pairs]))

    def list_others(self) -> Iterator[Places]:
        """The beginnings of the outcomes that part from this one beyond what was given."""
        for place in range(len(self.given), len(self.taken)):
            for other, probability in enumerate(self.probabilities[place]):
                if probability > 0 and other != self.taken[place]:
                    yield (*self.taken[:place], other)


@final
class PathSource:
    """A source of `generators` along one path."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.random = Chooser(path)

    def drew(self) -> bool:
        return bool(self._path.taken)


@final
class Chooser(CourseGenerator):
    """Draws from finitely many outcomes only, those of its path; any other draw is `Unlisted`."""

    _listed = DRAWN_FROM_FINITELY_MANY
    _course: Path

    def _place(self, count: int, probabilities: Any = None) -> int:
        if count > MOST:
            self._course.leave("too many outcomes")
        if probabilities is None:
            return self._course.choose([1 / count] * count)
        np.random.default_rng(0).choice(count, p=probabilities)  # refuses what is no probability
        weights = np.asarray(probabilities, dtype=float)
        weights = weights / weights.sum()  # numpy divides too: float32 sums badly
        return self._course.choose(weights.tolist())

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
    ) -> Any:
        if np.ndim(low) or np.ndim(high):
            self._course.leave("integers of several ranges")
        first, end = (0, int(low)) if high is None else (int(low), int(high))
        count = end - first + bool(endpoint)
        if count < 1:
            raise ValueError("low >= high")
        drawn = [first + self._place(count) for _ in range(_how_many(size))]
        return np.dtype(dtype).type(drawn[0]) if size is None else np.array(drawn, dtype).reshape(size)

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Any:
        if not replace and (p is not None or not shuffle):
            self._course.leave("choice without replacement, with probabilities or in an order of its own")
        things = np.arange(a) if np.ndim(a) == 0 else np.asarray(a)
        left, places = list(range(things.shape[axis])), []
        for _ in range(_how_many(size)):
            place = self._place(len(left), p)
            places.append(left[place] if replace else left.pop(place))
        return np.take(things, places[0] if size is None else np.reshape(places, size), axis=axis)

    def permutation(self, x: Any, axis: int = 0) -> Any:
        things = np.arange(x) if np.ndim(x) == 0 else np.asarray(x)
        return self.choice(things, things.shape[axis], replace=False, axis=axis)


def _how_many(size: Any) -> int:
    return 1 if size is None else int(np.prod(size))
