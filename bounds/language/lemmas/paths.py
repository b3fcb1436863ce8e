"""Vectors that follow from each other: the iterates of a method, x_(t+1) = x_t - eta grad f(x_t).

A path goes over an index of steps, so that sums and means over the steps are those of any index.
Noise and functions that the steps number are taken at their own step.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Atom, Known, Scalar, World, measured, walk
from bounds.language.lemmas.indices import Index
from bounds.language.lemmas.linear import Sizes, Vector, as_vector
from bounds.language.lemmas.measures import Reduced, free_indices


@final
@dataclass(frozen=True, eq=False)
class Here(Vector):
    """The vector of a path at the present step of its rule."""

    name: str
    over: Index
    first: Vector

    @property
    def text(self) -> str:
        return f"{self.name}_{self.over.name}"

    latex = text

    @property
    def sizes(self) -> Sizes:
        return self.first.sizes

    def dimension(self, known: Known) -> Dimension:
        return self.first.dimension(known)

    def value(self, world: World) -> Any:
        raise AssertionError(f"{self.text} is known at the steps of its path alone")


@final
@dataclass(frozen=True, eq=False)
class PathObject:
    """Several vectors that follow from each other: `here` in the rules, which are what comes next."""

    is_object: ClassVar[bool] = True
    over: Index
    here: tuple[Here, ...]
    following: tuple[Vector, ...]

    @property
    def name(self) -> str:
        return self.here[0].name

    @property
    def text(self) -> str:
        return self.name

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(here.name for here in self.here)

    @property
    def rules(self) -> tuple[str, ...]:
        """The start and the rule of each vector in words."""
        step, lines = self.over.name, zip(self.here, self.following, strict=True)
        return tuple(
            f"{here.name}_0 = {here.first.text}, {here.name}_({step}+1) = {after.text}"
            for here, after in lines
        )

    def walk_along(self, world: World) -> tuple[list[Any], list[Any]]:
        """Every vector at every step, and after the last one."""
        axis, count = world.position(self.over.name), world.counts[self.over.name]
        now = [world.compute(here.first) for here in self.here]
        seen: list[list[Any]] = [[] for _ in now]
        for step in range(count):
            for vectors, value in zip(seen, now, strict=True):
                vectors.append(value)
            there = world.at_step(self.over.name, step, dict(zip(self.here, now, strict=True)))
            now = [there.compute(after) for after in self.following]
        return [_joined(vectors, axis) for vectors in seen], now


def _joined(vectors: list[Any], axis: int) -> Any:
    """Along the axis of the steps; a start depends on less than what comes after it."""
    return np.concatenate(np.broadcast_arrays(*vectors), axis=axis)


def path(
    name: str | tuple[str, ...], *, over: Index, first: Any, next_equal_to: Callable[..., Any]
) -> "Path | tuple[Path, ...]":
    """The vectors of every step of `over`, from `first` on; `next_equal_to` takes the present one.

    Several paths that depend on each other have as many names, with a tuple of starts and one of next states.
    """
    names = (name,) if isinstance(name, str) else tuple(name)
    starts = (first,) if isinstance(name, str) else tuple(first)
    if len(starts) != len(names):
        raise MalformedStatement(f"{', '.join(names)} need as many starts, and there are {len(starts)}")
    _check_steps(names, over)
    here = tuple(Here(n, over, as_vector(start)) for n, start in zip(names, starts, strict=True))
    given = next_equal_to(*here)
    following = (given,) if isinstance(name, str) else tuple(given)
    if len(following) != len(names):
        raise MalformedStatement(f"the rule of {', '.join(names)} gives {len(following)} vectors")
    thing = PathObject(over, here, tuple(as_vector(after) for after in following))
    for start in starts:
        if over in free_indices(start):
            raise MalformedStatement(f"{start.text} is a start, and depends on the step {over.name}")
    _check_rules(thing)
    paths = tuple(Path(thing, place) for place in range(len(names)))
    return paths[0] if isinstance(name, str) else paths


def _check_steps(names: tuple[str, ...], over: Any) -> None:
    if not isinstance(over, Index) or over.weighted or over.like is not None or over.low < 1:
        raise MalformedStatement(
            f'the steps of {", ".join(names)} are an index of its own, as t = index("t")'
        )


def _check_rules(thing: PathObject) -> None:
    """One step does not see the others: a sum over all of them is taken outside of the rule."""
    for node in walk(thing.following):
        if isinstance(node, Reduced | Path | End | Next) and _goes_over(node) == thing.over:
            raise MalformedStatement(
                f"the rule of {thing.name} names {node.text}, which goes over all steps: take it outside"
            )


def _goes_over(node: Any) -> Index:
    over: Index = node.index if isinstance(node, Reduced) else node.of.over
    return over


class _OfPath(Vector):
    of: PathObject
    place: int

    @property
    def here(self) -> Here:
        return self.of.here[self.place]

    @property
    def sizes(self) -> Sizes:
        return self.here.sizes

    def dimension(self, known: Known) -> Dimension:
        return self.here.dimension(known)

    def steps(self, world: World) -> tuple[Any, Any]:
        """The vector at every step, and after the last one."""
        every, after = world.once(self.of, lambda: self.of.walk_along(world))
        return every[self.place], after[self.place]


@final
@dataclass(frozen=True, eq=False)
class Path(_OfPath):
    """The vector at each step; `end` is the one after the last step, and `next` the one after each."""

    of: PathObject
    place: int

    @property
    def text(self) -> str:
        return self.here.text

    @property
    def latex(self) -> str:
        return f"{self.here.name}_{{{self.of.over.name}}}"

    @property
    def end(self) -> "End":
        return End(self.of, self.place)

    @property
    def next(self) -> "Next":
        return Next(self.of, self.place)

    def value(self, world: World) -> Any:
        return self.steps(world)[0]


@final
@dataclass(frozen=True, eq=False)
class End(_OfPath):
    of: PathObject
    place: int

    @property
    def closes(self) -> Index:
        """The index on which it does not depend, though what it is made of does."""
        return self.of.over

    @property
    def text(self) -> str:
        return f"{self.here.name} after all {self.of.over.name}"

    @property
    def latex(self) -> str:
        return f"{self.here.name}_{{\\#{self.of.over.name}}}"

    def value(self, world: World) -> Any:
        return self.steps(world)[1]


@final
@dataclass(frozen=True, eq=False)
class Next(_OfPath):
    of: PathObject
    place: int

    @property
    def text(self) -> str:
        return f"{self.here.name}_({self.of.over.name}+1)"

    @property
    def latex(self) -> str:
        return f"{self.here.name}_{{{self.of.over.name}+1}}"

    def value(self, world: World) -> Any:
        every, after = self.steps(world)
        axis = world.position(self.of.over.name)
        later = np.delete(every, 0, axis=axis)
        shape = np.broadcast_shapes(after.shape, np.take(every, [0], axis=axis).shape)
        return np.concatenate([later, np.broadcast_to(after, shape)], axis=axis)


@final
@dataclass(frozen=True, eq=False)
class PlaceOf(Atom):
    """The place of an entry, from 0 on."""

    over: Index
    non_negative = True

    @property
    def text(self) -> str:
        return f"place of {self.over.name}"

    @property
    def latex(self) -> str:
        return self.over.name

    def dimension(self, known: Known) -> Dimension:
        return ONE

    def value(self, world: World) -> Any:
        return world.places(self.over.name)


def place(of: Any) -> Scalar:
    """The number of a step, from 0 on: for a step size such as 1 / (place(t) + 1)."""
    if not isinstance(of, Index) or of.weighted or of.like is not None:
        raise MalformedStatement(f"place is of an index, not of {getattr(of, 'text', of)}")
    return measured(PlaceOf(of))
