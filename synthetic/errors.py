"""One exception class per broken rule, one shape for every message."""

import difflib
from collections.abc import Sequence
from functools import partial


class Refusal(ValueError):
    """A refusal names the request, the rule that failed, the value found, the value needed and the remedy."""

    def __init__(self, *, asked: str, failed: str, found: object, needed: str, change: str) -> None:
        super().__init__(f"{asked}: {failed}; found {found!s}, needed {needed}; {change}")
        self.asked = asked
        self.failed = failed
        self.found = found
        self.needed = needed
        self.change = change

    def __reduce__(self) -> tuple[object, ...]:
        """As a worker process sends it: without this it would arrive as a broken pool."""
        parts = ("asked", "failed", "found", "needed", "change")
        return partial(type(self), **{name: getattr(self, name) for name in parts}), ()


class BadValue(Refusal):
    """A number or a word outside its domain."""


class BadShape(Refusal):
    """An array whose shape does not fit the problem."""


class NotConvex(Refusal):
    """A Hessian that is not certified symmetric positive semidefinite."""


class NotCertified(Refusal):
    """A bound was needed on the side where the constant has none."""


class UnknownMinimum(Refusal):
    """The minimum has no closed form at these parameters."""


class NotRational(Refusal):
    """Exact arithmetic reached a number that is not rational."""


class NotDeterministic(Refusal):
    """Exact arithmetic was asked of an algorithm that draws random numbers."""


class UnknownAlgorithm(Refusal):
    """No algorithm has this name."""


class WrongSettings(Refusal):
    """The settings belong to another algorithm."""


class UndefinedDirection(Refusal):
    """A zero vector was to be normalised and the settings forbid it."""


class UnknownProblem(Refusal):
    """No problem has this name."""


class WrongArguments(Refusal):
    """A problem was asked for with arguments that its builder does not have, or without those it needs."""


class NotAttained(Refusal):
    """The infimum is known, but no point has that value."""


class UnreadableData(Refusal):
    """A data file that cannot be read as numbers and labels."""


class MissingExtra(Refusal):
    """An optional package is needed and not installed."""


class WrongProblem(Refusal):
    """The problem lacks a structure that an algorithm or an oracle needs."""


class WrongPlan(Refusal):
    """A backend or a device that is unknown, absent, or does not fit the run."""


class AuthorMistake(Refusal):
    """A function from outside breaks its contract; the sentence names its file and line."""


class CallEnded(AuthorMistake):
    """A call of a function from outside ended its process, or had to be ended with it."""


class UnknownOptimum(AuthorMistake):
    """A function from outside asks for a minimizer or a minimum that the problem does not know."""


class NotFinite(AuthorMistake):
    """A function from outside returns infinities or not-a-number."""


class BrokenPackage(Refusal):
    """An installed package cannot be imported, or is no package."""


class AmbiguousName(Refusal):
    """Two packages, algorithms or problems have one name."""


class FalseClaim(Refusal):
    """What an author states of a problem is contradicted by the problem's own values."""


def nearest(word: object, known: Sequence[str]) -> str:
    return difflib.get_close_matches(str(word), known, n=1, cutoff=0.0)[0]
