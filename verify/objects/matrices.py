"""Matrices of a lemma, one for each case, of the declared class by construction, extremal ones among them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from bounds.language.lemmas.matrices import MatrixObject
from verify.objects.draw import CASES, Draw, Points
from verify.objects.functions import SLACK
from verify.objects.inside import value_of

LARGEST: Final = 24  # rows: a product of more takes long in 50 digits
TINY: Final = 2.0**-30  # how near to singular
BITS: Final = 18  # of the entries of a factor, whose product with its transpose is then exact

Shape = tuple[int, int]
Bases = dict[int, list[Points]]


def matrices(
    draw: Draw, d: int, things: Sequence[Any], numbers: Mapping[str, Any], counts: Mapping[str, int]
) -> dict[str, Points]:
    """(CASES, rows, columns) of each, or (CASES, n, rows, columns); in some cases they commute, are equal or
    opposite.
    """
    declared = [thing for thing in things if isinstance(thing, MatrixObject)]
    drawn: dict[str, list[Points]] = {thing.name: [] for thing in declared}
    shapes = {thing.name: _shape(thing, d, numbers) for thing in declared}
    for _ in range(CASES if declared else 0):
        bases: Bases = {}
        earlier: list[Points] = []
        for thing in declared:
            if thing.over is None:
                earlier.append(_matrix(draw, shapes[thing.name], thing, numbers, bases, earlier))
                drawn[thing.name].append(earlier[-1])
            else:
                count = counts[thing.over.name]
                drawn[thing.name].append(_several(draw, shapes[thing.name], thing, numbers, count))
    return {name: np.stack(each) for name, each in drawn.items()}


def _shape(thing: MatrixObject, d: int, numbers: Mapping[str, Any]) -> Shape:
    rows, columns = (value_of(size, numbers) for size in (thing.rows, thing.columns))
    return d if rows is None else int(rows), d if columns is None else int(columns)


def _several(draw: Draw, shape: Shape, thing: MatrixObject, numbers: Mapping[str, Any], n: int) -> Points:
    """(n, rows, columns): all of them different, or equal but for one, or equal."""
    bases: Bases = {}
    each: list[Points] = []
    different = {"identical": 1, "one apart": 2, "one alone": 2}.get(draw.family.agents, n)
    for _ in range(min(n, different)):
        each.append(_matrix(draw, shape, thing, numbers, bases, each))
    return np.stack([*each, *[each[-1]] * (n - len(each))])


def _matrix(
    draw: Draw,
    shape: Shape,
    thing: MatrixObject,
    numbers: Mapping[str, Any],
    bases: Bases,
    earlier: list[Points],
) -> Points:
    low, high = value_of(thing.smallest, numbers), value_of(thing.largest, numbers)
    any_symmetric = thing.is_symmetric and low is None and high is None and not thing.semidefinite
    free = any_symmetric or (not thing.is_symmetric and high is None)
    known = [other for other in earlier if shape in (other.shape, other.shape[::-1])]
    if known and free and draw.chance(0.2):
        return _related(draw, thing, shape, known[-1])
    if thing.semidefinite and low is None and draw.chance(0.3):
        return _gram(draw, shape[0], high)
    spectrum = _spectrum(draw, min(shape), thing, low, high)
    left = _basis(draw, shape[0], bases)
    if shape[0] != shape[1]:
        right = _basis(draw, shape[1], bases)
        return _rectangular(left, spectrum, right, free=free)
    right = left if thing.is_symmetric else _right(draw, shape[0], left)
    entries = _inside(left, spectrum, right, free=free)
    return (entries + entries.T) / 2 if thing.is_symmetric else entries


def _basis(draw: Draw, d: int, bases: Bases) -> Points:
    """One that an earlier matrix of the case has, or another."""
    known = bases.setdefault(d, [])
    known.append(known[-1] if known and draw.chance(0.4) else draw.basis(d))
    return known[-1]


def _rectangular(left: Points, spectrum: Points, right: Points, *, free: bool) -> Points:
    """Singular values between two bases, of which the larger one has columns to spare."""
    scaled = spectrum if free else spectrum / SLACK
    count = len(spectrum)
    return np.asarray((left[:, :count] * scaled) @ right[:, :count].T)


def _related(draw: Draw, thing: MatrixObject, shape: Shape, other: Points) -> Points:
    """The one before, its opposite or its transpose."""
    related = other * float(draw.random.choice([-1, 1]))
    if thing.is_symmetric:
        return (related + related.T) / 2
    if shape != related.shape:
        return related.T.copy()
    return related.T.copy() if shape[0] == shape[1] and draw.chance(0.5) else related


def _right(draw: Draw, d: int, left: Points) -> Points:
    """Singular vectors: others, the same, or the same in turn, with signs or without: powers may vanish."""
    kind = draw.count(0, 3)
    if kind == 0:
        return draw.basis(d)
    signs = np.where(np.arange(d) % 2 == 1, -1.0, 1.0) if kind == 3 else np.ones(d)
    return left if kind == 1 else np.roll(left, 1, axis=1) * signs


def _inside(left: Points, spectrum: Points, right: Points, *, free: bool) -> Points:
    """Away from the ends of the class by what the rounding of a rotated matrix could add."""
    turned = np.count_nonzero(left) > len(left) or np.count_nonzero(right) > len(right)
    least, most = float(spectrum.min()), float(spectrum.max())
    if turned and not free:
        room = (SLACK - 1) * max(abs(least), abs(most))
        if most - least <= 2 * room:
            return np.diag(spectrum)
        spectrum = np.clip(spectrum, least + room, most - room)
    return np.asarray((left * spectrum) @ right.T)


def _gram(draw: Draw, d: int, high: float | None) -> Points:
    """A semidefinite matrix that is exactly singular, where it has fewer columns than rows."""
    factor = draw.points(d, draw.count(1, d), scale=1.0).T
    largest = float(np.max(np.abs(factor)))
    unit = 2.0 ** (np.floor(np.log2(largest)) - BITS) if largest > 0 else 1.0
    factor = np.round(factor / unit) * unit
    return _below(factor @ factor.T, high)


def _below(entries: Points, high: float | None) -> Points:
    trace = float(np.trace(entries))
    if high is None or trace <= high:
        return entries
    return np.asarray(entries * 2.0 ** np.floor(np.log2(high / trace)))


def _spectrum(draw: Draw, d: int, thing: MatrixObject, low: float | None, high: float | None) -> Points:
    top = high if high is not None else draw.length() + (low or 0.0)
    least = low if low is not None else (0.0 if thing.semidefinite or not thing.is_symmetric else -top)
    inside = least + (top - least) * draw.random.random(d)
    kind = draw.count(0, 5)
    if kind == 0:
        inside[0] = top
    elif kind == 1:
        inside = np.where(np.arange(d) == 0, top, least)
    elif kind == 2:
        inside = np.full(d, top)
    elif kind == 3:
        inside = np.where(draw.random.random(d) < 0.5, top, least)
    elif kind == 4:
        inside[-1] = least + TINY * (top - least)
    return np.asarray(inside, dtype=float)
