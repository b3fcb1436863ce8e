"""Sequences of numbers: any ones, such as a recursion bounds, and such as a formula of the place gives."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import Any, ClassVar, Final, final

from sympy import Symbol

from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import (
    Atom,
    Known,
    Scalar,
    World,
    as_scalar,
    measured,
    optional_scalar,
)
from bounds.language.lemmas.objects import Number
from bounds.language.lemmas.values import formula_at

FAR: Final = 4  # a place in the middle of a sequence


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
    """Numbers a[0], ..., a[K]; `last` is the quantity K. With a `rule`, a[k+1] <= rule(a[k], k); where it is
    `equal`, a[k+1] is that; where it is `exact`, a[k] = rule(k). `start` is a[0], if that is known.

    A rule is called when the lemma is made, so that two sequences may name each other; it names another one
    at its own place k, or at the next, as s[k + 1].
    """

    is_object: ClassVar[bool] = True
    name: str
    last: Scalar
    rule: Callable[..., Any] | None
    exact: bool
    non_negative: bool
    dimensions: Dimension
    equal: bool = False
    start: Scalar | None = None

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
        """The formulas that it is made of; `walk` goes through them."""
        return tuple(rule for rule in (self.formula, self.start) if rule is not None)

    @property
    def stepwise(self) -> bool:
        """Whether its numbers follow one after the other, or from such as do."""
        others = (here.sequence for here in self.named if here.sequence is not self)
        return self.equal or (self.exact and any(other.stepwise for other in others))

    @property
    def reserved(self) -> tuple[str, str]:
        """What its numbers are called in rules."""
        return f"{self.name}_k", f"{self.name}_next"

    @property
    def named(self) -> list["Here"]:
        """The numbers of sequences that its formula names."""
        atoms = () if self.formula is None else self.formula.atoms.values()
        return [a for a in atoms if isinstance(a, Here)]

    def needed(self, k: int) -> list[tuple["SequenceObject", int]]:
        """What its number at the place k is computed from: that of a recursion from the place before."""
        at = k if self.exact else k - 1
        if at >= 0:
            return [(here.sequence, at + here.further) for here in self.named]
        atoms = () if self.start is None else self.start.atoms.values()
        return [(a.sequence, 0) for a in atoms if isinstance(a, Entry)]

    def __getitem__(self, place: Any) -> Scalar:
        if isinstance(place, Scalar) and any(isinstance(a, Place) for a in place.atoms.values()):
            further = place.formula - next(iter(place.formula.free_symbols))
            if further in (0, 1):
                return measured(Here(self, int(further)))
            raise MalformedStatement(
                f"a rule names {self.name} at its own place or at the next, as {self.name}[k + 1], "
                f"not at {place.text}"
            )
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
    next_equal_to: Callable[..., Any] | None = None,
    equal_to: Callable[..., Any] | None = None,
    first: Any = None,
    non_negative: bool = True,
    dimension: Dimension = ONE,
) -> SequenceObject:
    """Numbers up to index `last`; `next_at_most` takes a[k], or a[k] and k, and returns the most that a[k+1]
    may be, and `next_equal_to` what it is; `equal_to` takes k and returns a[k]. `first` is a[0]."""
    rules = {"next_at_most": next_at_most, "next_equal_to": next_equal_to, "equal_to": equal_to}
    given = {called: rule for called, rule in rules.items() if rule is not None}
    if len(given) > 1:
        raise MalformedStatement(f"{name} has {' and '.join(given)}, and one of them is enough")
    called, rule = next(iter(given.items()), ("", None))
    exact, start = called == "equal_to", optional_scalar(first)
    if rule is not None and len(signature(rule).parameters) not in ((1,) if exact else (1, 2)):
        raise MalformedStatement(
            f"{called} of {name} takes {'k' if exact else f'{name}_k, or {name}_k and k'}"
        )
    if start is not None and (rule is None or exact or not _starts(start)):
        raise MalformedStatement(
            f"first of {name} is what a recursion starts from: a formula of numbers, or a[0] of another one"
        )
    return SequenceObject(
        name, as_scalar(last), rule, exact, non_negative, dimension, called == "next_equal_to", start
    )


def _starts(start: Scalar) -> bool:
    """A number drawn for the lemma is no atom of a symbol of its own."""
    atoms = start.atoms.values()
    return all(not a.place if isinstance(a, Entry) else isinstance(a, Number) for a in atoms)


def put_in_order(sequences: Iterable[SequenceObject]) -> list[SequenceObject]:
    """Those that a recursion bounds, then those that a formula gives; each number has what it needs."""
    declared = list(sequences)
    for thing in declared:
        for here in thing.named:
            _check_end(thing, here.sequence)
        _check_need(thing, FAR, ())
    return sorted(declared, key=lambda thing: thing.exact)


def _check_end(thing: SequenceObject, other: SequenceObject) -> None:
    """A recursion asks for no place after its last one; a formula at its last place may ask for the next."""
    beyond = max(here.further for here in thing.named if here.sequence is other) if thing.exact else 0
    if other.last.formula - thing.last.formula != beyond:
        asked = f"let {other.name} end at {thing.last.text} + 1" if beyond else "give them one end"
        raise MalformedStatement(
            f"{thing.name} names {other.name}, and they end at {thing.last.text} and "
            f"{other.last.text}: {asked}"
        )


def _check_need(thing: SequenceObject, place: int, waiting: tuple[tuple[str, int], ...]) -> None:
    """Follow what the number at a place is computed from; `waiting` are those that ask for it."""
    if (thing.name, place) in waiting or place > 2 * FAR:
        names = " and ".join(dict.fromkeys(name for name, _ in waiting))
        raise MalformedStatement(f"the rules of {names} name each other in a circle")
    for other, at in thing.needed(place):
        if at >= FAR:
            _check_need(other, at, (*waiting, (thing.name, place)))


@dataclass(frozen=True, eq=False)
class OfSequence(Atom):
    sequence: SequenceObject

    @property
    def non_negative(self) -> bool:  # type: ignore[override]  # the base stores it
        return self.sequence.non_negative

    def dimension(self, known: Known) -> Dimension:
        return self.sequence.dimensions


def numbers_of(world: World, thing: SequenceObject) -> Any:
    """Those that a formula gives are computed again: in many digits, a sum of roundings is no zero."""
    given = world.given(thing.name, own=1)
    if thing.stepwise:
        known_by_now: dict[tuple[str, int], Any] = {}
        steps = [_number_at(world, thing, k, known_by_now) for k in range(given.shape[-1])]
        return np.stack([step + 0 * given[..., 0] for step in steps], axis=-1)
    if not thing.exact or thing.formula is None:
        return given
    count, known = given.shape[-1], {}
    for symbol, atom in thing.formula.atoms.items():
        if isinstance(atom, Place):
            known[symbol] = np.arange(count) * world.one
        elif isinstance(atom, Here):
            known[symbol] = numbers_of(world, atom.sequence)[..., atom.further : atom.further + count]
    for symbol in thing.formula.formula.free_symbols - known.keys():
        known[symbol] = world.given(symbol.name)[..., None]
    return formula_at(thing.formula.formula, known, world.one) + 0 * given


def _number_at(world: World, thing: SequenceObject, k: int, known: dict[tuple[str, int], Any]) -> Any:
    """One number, after those that it is computed from."""
    if (thing.name, k) not in known:
        if thing.exact or (thing.equal and (k > 0 or thing.start is not None)):
            for other, at in thing.needed(k):
                _number_at(world, other, at, known)
            rule = thing.formula if thing.exact or k > 0 else thing.start
            assert rule is not None
            place = k if thing.exact else k - 1
            values = {
                s: _take_place(a, place, known) for s, a in rule.atoms.items() if not isinstance(a, Number)
            }
            others = rule.formula.free_symbols - values.keys()
            values |= {symbol: world.given(symbol.name) for symbol in others}
            known[thing.name, k] = formula_at(rule.formula, values, world.one)
        else:
            known[thing.name, k] = world.given(thing.name, own=1)[..., k]
    return known[thing.name, k]


def _take_place(atom: Atom, place: int, known: Mapping[tuple[str, int], Any]) -> Any:
    if isinstance(atom, Place):
        return place
    if isinstance(atom, Here):
        return known[atom.sequence.name, place + atom.further]
    assert isinstance(atom, Entry)
    return known[atom.sequence.name, 0]


@final
@dataclass(frozen=True, eq=False)
class Here(OfSequence):
    """The number at the place k of a rule, or one further."""

    further: int = 0

    @property
    def text(self) -> str:
        return f"{self.sequence.name}_{'(k+1)' if self.further else 'k'}"

    @property
    def name(self) -> str:
        return f"{self.sequence.name}_{'next' if self.further else 'k'}"

    @property
    def latex(self) -> str:
        return f"{self.sequence.name}_{'{k+1}' if self.further else 'k'}"


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
        return numbers_of(world, self.sequence)[..., self.place]


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
        return getattr(numbers_of(world, self.sequence), self.kind)(axis=-1)
