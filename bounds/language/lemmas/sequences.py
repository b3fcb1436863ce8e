"""Sequences of numbers: any ones, such as a recursion bounds, and such as a formula of the place gives."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import Any, ClassVar, final

from sympy import Symbol

from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, Dimension
from bounds.language.lemmas.expressions import Atom, Known, Scalar, World, as_scalar, measured


@final
@dataclass(frozen=True, eq=False)
class Place(Atom):
    """The place k of a recursion: a whole number from 0 on."""

    called: str

    @property
    def text(self) -> str:
        return self.called

    latex = text

    def dimension(self, known: Known) -> Dimension:
        return ONE


@final
@dataclass(frozen=True, eq=False)
class SequenceObject:
    """Numbers a[0], ..., a[K]; `last` is the quantity K. With a `rule`, a[k+1] <= rule(a[k], k), or, where it
    is `exact`, a[k] = rule(k).

    A rule is called when the lemma is made, so that two sequences may name each other.
    """

    is_object: ClassVar[bool] = True
    name: str
    last: Scalar
    rule: Callable[..., Any] | None
    exact: bool
    non_negative: bool
    dimensions: Dimension

    @property
    def place(self) -> str | None:
        """What the rule calls the place."""
        names = [] if self.rule is None else list(signature(self.rule).parameters)
        return names[-1] if len(names) > (0 if self.exact else 1) else None

    @cached_property
    def formula(self) -> Scalar | None:
        if self.rule is None:
            return None
        given = [] if self.exact else [measured(Here(self))]
        if self.place is not None:
            symbol = Symbol(self.place, integer=True, nonnegative=True)
            given.append(Scalar(symbol, {symbol: Place(self.place)}))
        return as_scalar(self.rule(*given))

    @property
    def inside(self) -> tuple[Scalar, ...]:
        """What it is made of beside its fields, for `walk`."""
        return () if self.formula is None else (self.formula,)

    @property
    def named(self) -> list["SequenceObject"]:
        """The sequences that its formula names."""
        atoms = () if self.formula is None else self.formula.atoms.values()
        return [a.sequence for a in atoms if isinstance(a, Here)]

    def __getitem__(self, place: Any) -> Scalar:
        if isinstance(place, Scalar) and any(isinstance(a, Place) for a in place.atoms.values()):
            if place.formula.is_Symbol:
                return measured(Here(self))
            raise MalformedStatement(f"a rule names {self.name} at its own place, not at {place.text}")
        if isinstance(place, Scalar) and place.formula == self.last.formula:
            return measured(Entry(self, -1))
        if isinstance(place, int) and not isinstance(place, bool) and place in (0, -1):
            return measured(Entry(self, place))
        raise MalformedStatement(
            f"{self.name}[0] and {self.name}[{self.last.text}] can be named; total({self.name}) sums them all"
        )


def sequence(
    name: str,
    *,
    last: Scalar,
    next_at_most: Callable[..., Any] | None = None,
    equal_to: Callable[..., Any] | None = None,
    non_negative: bool = True,
    dimension: Dimension = ONE,
) -> SequenceObject:
    """Numbers up to index `last`; `next_at_most` takes a[k], or a[k] and k, and returns the most that a[k+1]
    may be; `equal_to` takes k and returns a[k]."""
    exact = equal_to is not None
    if exact and next_at_most is not None:
        raise MalformedStatement(f"{name} has next_at_most and equal_to, and one of them is enough")
    rule = equal_to if exact else next_at_most
    made = SequenceObject(name, as_scalar(last), rule, exact, non_negative, dimension)
    if rule is not None and len(signature(rule).parameters) not in ((1,) if exact else (1, 2)):
        takes = "equal_to of {0} takes k" if exact else "next_at_most of {0} takes {0}_k, or {0}_k and k"
        raise MalformedStatement(takes.format(name))
    return made


def put_in_order(sequences: Iterable[SequenceObject]) -> list[SequenceObject]:
    """Those that a formula gives after all that it names; sequences that name each other have one end."""
    waiting = list(sequences)
    for thing in waiting:
        for other in thing.named:
            if other.last.formula != thing.last.formula:
                raise MalformedStatement(
                    f"{thing.name} names {other.name}, and they end at {thing.last.text} and "
                    f"{other.last.text}: give them one end"
                )
    out = [thing for thing in waiting if not thing.exact]
    waiting = [thing for thing in waiting if thing.exact]
    while waiting:
        free = next((thing for thing in waiting if not {*thing.named} & {*waiting}), None)
        if free is None:
            names = " and ".join(thing.name for thing in waiting)
            raise MalformedStatement(f"the formulas of {names} name each other in a circle: use next_at_most")
        out.append(free)
        waiting.remove(free)
    return out


@dataclass(frozen=True, eq=False)
class OfSequence(Atom):
    sequence: SequenceObject

    @property
    def non_negative(self) -> bool:  # type: ignore[override]  # the base stores it
        return self.sequence.non_negative

    def dimension(self, known: Known) -> Dimension:
        return self.sequence.dimensions


@final
@dataclass(frozen=True, eq=False)
class Here(OfSequence):
    """The number at the place k of a rule."""

    @property
    def text(self) -> str:
        return f"{self.sequence.name}_k"

    latex = text


@final
@dataclass(frozen=True, eq=False)
class Entry(OfSequence):
    place: int

    @property
    def text(self) -> str:
        return f"{self.sequence.name}[{self.sequence.last.text if self.place else 0}]"

    @property
    def latex(self) -> str:
        return f"{self.sequence.name}_{{{self.sequence.last.latex if self.place else 0}}}"

    def value(self, world: World) -> Any:
        return world.given(self.sequence.name, own=1)[..., self.place]


@final
@dataclass(frozen=True, eq=False)
class ReducedSequence(OfSequence):
    """The sum, the largest or the smallest of a sequence."""

    kind: str

    @property
    def text(self) -> str:
        return f"{self.kind}_k {self.sequence.name}[k]"

    @property
    def latex(self) -> str:
        sign = {"sum": r"\sum", "max": r"\max", "min": r"\min"}[self.kind]
        return rf"{sign}_{{0\leq k\leq {self.sequence.last.latex}}}{self.sequence.name}_{{k}}"

    def value(self, world: World) -> Any:
        every = world.given(self.sequence.name, own=1)
        return getattr(every, self.kind)(axis=-1)
