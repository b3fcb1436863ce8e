"""Whether objects that somebody gives are what a lemma declares; functions are tried at points.

A wrong constant is the common slip of a counterexample that is made by hand: x^2 is not 1-smooth.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, permutations
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from bounds.language.lemmas.objects import FunctionObject, VectorObject
from bounds.language.statement import Statement
from verify.objects.by_values import Class, find_broken, show
from verify.objects.given import plain_numbers, value_if_known, why_other

Array = NDArray[np.float64]
SEED: Final = 0
SCALES: Final = (0.1, 1.0, 30.0)  # of the points around, beside the length of those that are given
CLEAR: Final = 1e-6  # of the largest number that is compared: a gradient by differences has no more


def why_outside(statement: Statement, objects: Mapping[str, Any]) -> str:
    """A sentence on the first object that is not what the lemma says of it, else nothing."""
    declared = None if statement.concrete is None else statement.concrete.declared
    if declared is None:
        return ""
    things = declared.objects
    points = _points([objects[v.name] for v in things if _is_one_vector(v) and v.name in objects])
    functions = (f for f in things if isinstance(f, FunctionObject) and f.over is None)
    left = (said for f in functions for said in _broken(f, objects, points))
    return next(chain(left, why_other(declared, objects)), "")


def list_untried(statement: Statement) -> set[tuple[str, str]]:
    """What a lemma says of its objects that `why_outside` does not try: the object and a word for it."""
    declared = None if statement.concrete is None else statement.concrete.declared
    things = () if declared is None else declared.objects
    said = {
        (thing.name, part)
        for thing in things
        for part in _UNTRIED
        if getattr(thing, part, None) is not None and getattr(thing, part) is not False
    }
    several = {(f.name, f.describe()) for f in things if isinstance(f, FunctionObject) and f.over}
    return said | several


# Parts of functions, random vectors, sequences and sets.
_UNTRIED: Final = (
    "lojasiewicz", "bounded_below", "curvature_growth", "exponent", "self_concordant",
    "centered", "deviation", "rule", "start", "diameter",
)  # fmt: skip


def _is_one_vector(thing: object) -> bool:
    return isinstance(thing, VectorObject) and thing.numbered is None and thing.over is None


def _points(given: list[Any]) -> list[Array]:
    """The vectors of the instance, and some around each of them and the origin."""
    vectors = [v for v in (np.asarray(one, dtype=float) for one in given) if v.ndim == 1]
    if not vectors or len({v.size for v in vectors}) > 1:
        return []
    random, size = np.random.default_rng(SEED), vectors[0].size
    longest = max(float(np.linalg.norm(v)) for v in vectors) or 1.0
    centers, radii = (*vectors, 0 * vectors[0]), [longest * scale for scale in SCALES]
    return [*vectors, *(v + r * random.standard_normal(size) for v in centers for r in radii)]


def _broken(f: FunctionObject, objects: Mapping[str, Any], points: list[Array]) -> Iterator[str]:
    gradient, value = objects.get(f"gradient_of_{f.name}"), objects.get(f.name)
    if value is not None:
        yield from find_broken(f.name, value, _class_of(f, objects), points)
    if gradient is None or not points:
        return
    slopes = [np.asarray(gradient(p), dtype=float) for p in points]
    heights = [0.0 if value is None else float(np.asarray(value(p))) for p in points]
    ends = [End(*end) for end in zip(points, slopes, heights, strict=True)]
    claims = list(_claims(f, plain_numbers(objects)))
    for one, other in permutations(ends, 2):
        pair = Pair(one, other, value is not None)
        for what, fails in claims:
            if fails(pair):
                yield f"{f.name} is not {what}: see {show(one.at)} and {show(other.at)}"


@final
@dataclass(frozen=True, slots=True)
class End:
    """A point with the gradient and the value there."""

    at: Array
    slope: Array
    height: float


@final
@dataclass(frozen=True, slots=True)
class Pair:
    """Two points, and how far f rises from one to the other above what the slope at the other one says."""

    one: End
    other: End
    valued: bool

    def turns_less(self, least: float) -> bool:
        """Whether the slopes of the two differ along the step by less than `least` times its square."""
        step = self.one.at - self.other.at
        turn, square = float((self.one.slope - self.other.slope) @ step), float(step @ step)
        return least * square - turn > CLEAR * (self._steepest * math.sqrt(square) + abs(least) * square)

    def turns_more(self, most: float) -> bool:
        turn, step = _length(self.one.slope - self.other.slope), _length(self.one.at - self.other.at)
        return turn - most * step > CLEAR * (self._steepest + most * step)

    def rises_less(self, least: float) -> bool:
        """Whether f rises above its tangent by less than `least` halves of the square of the step."""
        return self._above_tangent(least, -1)

    def rises_more(self, most: float) -> bool:
        return self._above_tangent(most, 1)

    def _above_tangent(self, curvature: float, sign: int) -> bool:
        step = self.one.at - self.other.at
        above = self.one.height - self.other.height - float(self.other.slope @ step)
        limit = curvature / 2 * float(step @ step)
        heights = abs(self.one.height) + abs(self.other.height)
        largest = heights + self._steepest * _length(step) + abs(limit)
        return self.valued and sign * (above - limit) > CLEAR * largest

    def is_steeper(self, most: float) -> bool:
        return self._steepest > most * (1 + CLEAR)

    @property
    def _steepest(self) -> float:
        return max(_length(self.one.slope), _length(self.other.slope))


def _claims(f: FunctionObject, numbers: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[Pair], bool]]]:
    """What the class says of two points, each with a function that tells where it fails."""
    least, smooth = _least_curvature(f, numbers), value_if_known(f.smooth, numbers)
    longest = value_if_known(f.lipschitz, numbers)
    if least is not None:
        words, mu = least
        yield words, lambda pair: pair.turns_less(mu) or pair.rises_less(mu)
    if smooth is not None and f.exponent is None and f.curvature_growth is None:
        bound = smooth
        words = f"smooth with the constant {smooth:g}"
        yield words, lambda pair: pair.turns_more(bound) or pair.rises_less(-bound) or pair.rises_more(bound)
    if longest is not None:
        steepest = longest
        yield f"Lipschitz with the constant {longest:g}", lambda pair: pair.is_steeper(steepest)


def _class_of(f: FunctionObject, objects: Mapping[str, Any]) -> Class:
    """What the values alone can break."""
    numbers = plain_numbers(objects)
    plain = f.exponent is None and f.curvature_growth is None
    return Class(
        curved=_least_curvature(f, numbers),
        smooth=value_if_known(f.smooth, numbers) if plain else None,
        lipschitz=value_if_known(f.lipschitz, numbers),
        quasi_convex=f.quasi_convex,
    )


def _least_curvature(f: FunctionObject, numbers: Mapping[str, Any]) -> tuple[str, float] | None:
    mu, rho = value_if_known(f.strongly_convex, numbers), value_if_known(f.weakly_convex, numbers)
    if mu is not None:
        return f"strongly convex with the constant {mu:g}", mu
    if rho is not None:
        return f"weakly convex with the constant {rho:g}", -rho
    return ("convex", 0.0) if f.convex else None


def _length(v: Array) -> float:
    return float(np.linalg.norm(v))
