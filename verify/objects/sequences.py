"""Sequences of a lemma: any ones, those that meet their recursion, with equality or below, and given ones."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from bounds.language.lemmas.sequences import Entry, Here, Place, SequenceObject, put_in_order
from bounds.language.lemmas.values import formula_at
from verify.objects.draw import CASES, Draw, Points
from verify.objects.inside import value_of

BELOW: Final = 0.3  # how often a sequence of the last kind is below what it may be
SCALES: Final = 2.0 ** np.array([0, *(sign * k for k in range(1, 31) for sign in (1, -1))])  # nearest first
FINER: Final = 16

# The numbers of each sequence by their places.
Steps = dict[str, dict[int, Points]]


def sequences(draw: Draw, things: Sequence[Any], numbers: Mapping[str, Any]) -> dict[str, Points]:
    """(CASES, K + 1) for each; a third as large as allowed, a third anything below, a third both in turn.

    A recursion may lead below zero, as a_(k+1) <= a_k - e_k does: then it starts from a number as near to the
    drawn one as it can. A case in which no start is found is not defined.
    """
    declared = put_in_order(thing for thing in things if isinstance(thing, SequenceObject))
    if not declared:
        return {}
    lengths = {thing.name: 1 + int(value_of(thing.last, numbers) or 0) for thing in declared}
    any_ones = {t.name: _any(draw, lengths[t.name], t.non_negative) for t in declared if t.rule is None}
    first = {t.name: _some(draw, t) for t in declared if t.rule is not None and not t.exact}
    recursions = _Recursions(draw, declared, lengths, numbers, any_ones)
    steps = recursions.follow(first)
    if not np.all(recursions.meets(steps)):
        steps = recursions.follow(recursions.from_nearby(first))
    undefined = np.where(recursions.meets(steps), 0.0, np.nan)[:, None]
    return {name: np.stack([here[k] for k in sorted(here)], -1) + undefined for name, here in steps.items()}


class _Recursions:
    """The sequences of one draw, from any start: the generator gives the same numbers to each."""

    def __init__(
        self,
        draw: Draw,
        declared: Sequence[SequenceObject],
        lengths: Mapping[str, int],
        numbers: Mapping[str, Any],
        any_ones: Mapping[str, Points],
    ) -> None:
        self.draw, self.declared, self.lengths, self.numbers = draw, declared, lengths, numbers
        self.any_ones, self.state = any_ones, draw.random.bit_generator.state

    def follow(self, first: Mapping[str, Points]) -> Steps:
        self.draw.random.bit_generator.state = self.state
        steps: Steps = {thing.name: {} for thing in self.declared}
        for k in range(max(self.lengths.values())):
            for thing in self.declared:
                if k < self.lengths[thing.name]:
                    self._find(thing, k, steps, first)
        return steps

    def _find(self, thing: SequenceObject, k: int, steps: Steps, first: Mapping[str, Points]) -> None:
        if k in steps[thing.name]:
            return
        for other, at in thing.needed(k):
            self._find(other, at, steps, first)
        if thing.rule is None:
            here = self.any_ones[thing.name][:, k]
        elif thing.exact:
            here = given_at(thing, k, steps, self.numbers) + np.zeros(CASES)
        elif k > 0:
            here = self._next(thing, k - 1, steps)
        else:
            here = first[thing.name] if thing.start is None else self._start(thing, steps)
        steps[thing.name][k] = here

    def _start(self, thing: SequenceObject, steps: Steps) -> Points:
        assert thing.start is not None
        entries = {s: a for s, a in thing.start.atoms.items() if isinstance(a, Entry)}
        known = {symbol: steps[entry.sequence.name][0] for symbol, entry in entries.items()}
        others = thing.start.formula.free_symbols - known.keys()
        known |= {symbol: self.numbers[symbol.name] for symbol in others}
        return np.asarray(formula_at(thing.start.formula, known, np.float64(1)) + np.zeros(CASES))

    def _next(self, thing: SequenceObject, k: int, steps: Steps) -> Points:
        draw, most = self.draw, given_at(thing, k, steps, self.numbers) + np.zeros(CASES)
        if thing.equal:
            return np.asarray(most)
        if thing.non_negative:
            less = most * draw.random.random((CASES, 1))[:, 0]
        else:
            less = most - np.abs(draw.points(1)[:, 0])
        kind = np.arange(CASES) % 3
        return np.asarray(np.where((kind == 1) | ((kind == 2) & draw.chance(BELOW)), less, most))

    def meets(self, steps: Steps) -> Any:
        """Where no number is below zero that must not be."""
        met: Any = True
        for thing in self.declared:
            for here in steps[thing.name].values() if thing.non_negative else ():
                met = met & (here >= 0)
        return np.broadcast_to(met, CASES) if np.ndim(met) < 2 else met

    def from_nearby(self, first: Mapping[str, Points]) -> dict[str, Points]:
        """Each case from the power of two times its start that is nearest to it, then from nearer ones."""
        start = {name: np.where(here == 0, self.draw.family.scale, here) for name, here in first.items()}
        coarse = self._nearest(start, np.broadcast_to(SCALES[:, None], (len(SCALES), CASES)))
        if self.draw.plain:
            return {name: here * coarse for name, here in start.items()}
        toward_one = np.where(coarse > 1, coarse / 2, np.where(coarse < 1, coarse * 2, 1.0))
        finer = toward_one + (coarse - toward_one) * (np.arange(1, FINER + 1) / FINER)[:, None]
        fine = self._nearest(start, finer)
        return {name: here * fine for name, here in start.items()}

    def _nearest(self, start: Mapping[str, Points], scales: Points) -> Points:
        """The first of the scales, for each case, from which all sequences are defined."""
        met = self.meets(self.follow({name: here * scales for name, here in start.items()}))
        met = np.broadcast_to(met, np.shape(scales))  # no start is free where each has a formula
        return np.asarray(np.take_along_axis(scales, np.argmax(met, axis=0)[None], axis=0)[0])


def given_at(thing: SequenceObject, k: int, steps: Mapping[str, Any], numbers: Mapping[str, Any]) -> Any:
    """The formula of a sequence at a place of sequences that are known there."""
    assert thing.formula is not None
    known: dict[Any, Any] = {}
    for symbol, atom in thing.formula.atoms.items():
        if isinstance(atom, Place):
            known[symbol] = np.float64(k)
        elif isinstance(atom, Here):
            known[symbol] = steps[atom.sequence.name][k + atom.further]
    for symbol in thing.formula.formula.free_symbols - known.keys():
        known[symbol] = numbers[symbol.name]
    return np.asarray(formula_at(thing.formula.formula, known, np.float64(1)))


def _some(draw: Draw, thing: SequenceObject) -> Points:
    return draw.numbers(1)[:, 0] if thing.non_negative else draw.points(1)[:, 0]


def _any(draw: Draw, length: int, non_negative: bool) -> Points:
    """Independent numbers, one alone, equal ones, and such as fall fast."""
    kind = draw.count(0, 4)
    some = draw.numbers(length) if non_negative else draw.points(length)
    places = np.arange(length)
    if kind == 1:
        some = some * (places == draw.count(0, length - 1))
    if kind == 2:
        some = some[:, :1] + 0 * some
    if kind == 3:
        some = some[:, :1] / (1.0 + places) ** 2
    if kind == 4:
        some = some[:, :1] * 2.0**-places
    return np.asarray(some)
