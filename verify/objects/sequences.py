"""Sequences of a lemma: any ones, those that meet their recursion, with equality or below, and given ones."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from bounds.language.lemmas.sequences import Here, Place, SequenceObject, put_in_order
from bounds.language.lemmas.values import formula_at
from verify.objects.draw import CASES, Draw, Points
from verify.objects.inside import value_of

BELOW: Final = 0.3  # how often a sequence of the last kind is below what it may be

Steps = dict[str, list[Points]]


def sequences(draw: Draw, things: Sequence[Any], numbers: Mapping[str, Any]) -> dict[str, Points]:
    """(CASES, K + 1) for each; a third as large as allowed, a third anything below, a third both in turn."""
    declared = put_in_order(thing for thing in things if isinstance(thing, SequenceObject))
    lengths = {thing.name: 1 + int(value_of(thing.last, numbers) or 0) for thing in declared}
    any_ones = {t.name: _any(draw, lengths[t.name], t.non_negative) for t in declared if t.rule is None}
    first = {t.name: _some(draw, t) for t in declared if t.rule is not None and not t.exact}
    made: Steps = {thing.name: [] for thing in declared}
    for k in range(max(lengths.values(), default=0)):
        for thing in [thing for thing in declared if k < lengths[thing.name]]:
            if thing.rule is None:
                here = any_ones[thing.name][:, k]
            elif thing.exact:
                here = given_at(thing, k, made, numbers) + np.zeros(CASES)
            else:
                here = first[thing.name] if k == 0 else _next(draw, thing, k - 1, made, numbers)
            made[thing.name].append(np.where(here < 0, np.nan, here) if thing.non_negative else here)
    return {name: np.stack(steps, axis=-1) for name, steps in made.items()}


def given_at(thing: SequenceObject, k: int, made: Mapping[str, Any], numbers: Mapping[str, Any]) -> Any:
    """The formula of a sequence at a place of sequences that are known there."""
    assert thing.formula is not None
    known: dict[Any, Any] = {}
    for symbol, atom in thing.formula.atoms.items():
        if isinstance(atom, Place):
            known[symbol] = np.float64(k)
        elif isinstance(atom, Here):
            known[symbol] = made[atom.sequence.name][k]
    for symbol in thing.formula.formula.free_symbols - known.keys():
        known[symbol] = numbers[symbol.name]
    return np.asarray(formula_at(thing.formula.formula, known, np.float64(1)))


def _next(draw: Draw, thing: SequenceObject, k: int, made: Steps, numbers: Mapping[str, Any]) -> Points:
    most = given_at(thing, k, made, numbers) + np.zeros(CASES)
    if thing.non_negative:
        less = most * draw.random.random((CASES, 1))[:, 0]
    else:
        less = most - np.abs(draw.points(1)[:, 0])
    kind = np.arange(CASES) % 3
    return np.asarray(np.where((kind == 1) | ((kind == 2) & draw.chance(BELOW)), less, most))


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
