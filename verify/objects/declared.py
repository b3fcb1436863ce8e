"""Objects for a lemma that declares them: what is drawn has the declared properties by construction."""

from collections.abc import Mapping
from itertools import combinations, product
from typing import Any, Final

import numpy as np

from bounds.language.lemmas.declaration import Declaration
from bounds.language.lemmas.gaussian_vectors import GaussianObject
from bounds.language.lemmas.indices import Index
from bounds.language.lemmas.matrices import MatrixObject
from bounds.language.lemmas.measures import size
from bounds.language.lemmas.mixing import MixingObject
from bounds.language.lemmas.nearest import ConvexSet
from bounds.language.lemmas.numbers_over import NumbersObject
from bounds.language.lemmas.objects import FunctionObject, VectorObject
from bounds.language.lemmas.paths import PathObject
from bounds.language.lemmas.random_vectors import MOST_DRAWN, SubsetObject
from bounds.language.quantity import POSITIVE, REAL
from bounds.language.statement import Statement
from verify.objects.averages import balanced, names_minimum_of_mean, why_not_both
from verify.objects.classes import drawn_function, why_none
from verify.objects.constants import Constants
from verify.objects.convex_sets import drawn_set
from verify.objects.draw import CASES, FEW, Draw, Points
from verify.objects.functions import Function
from verify.objects.gaussian import gaussian_outcomes, most_coordinates
from verify.objects.inside import drawn_numbers, value_of
from verify.objects.matrices import LARGEST, matrices
from verify.objects.mixing import mixing_matrices
from verify.objects.predicates import find_met
from verify.objects.sequences import sequences
from verify.objects.thresholds import move_thresholds

MOST_NESTED: Final = 8  # steps of one path where there are several
MET: Final = "assumptions_met"
NEAREST: Final = {"prox": "prox", "nearest": "nearest_minimizer"}  # parts that not every function has
Objects = dict[str, Any]


def declaration_of(statement: Statement) -> Declaration | None:
    return None if statement.concrete is None else statement.concrete.declared


def why_not_drawn(statement: Statement) -> str | None:
    """The object that nothing draws, and what its author can write; None where all are drawn."""
    declaration = parts_declared(statement)
    if declaration is None:
        return None
    functions = [thing for thing in declaration.objects if isinstance(thing, FunctionObject)]
    reasons = (why for f in functions for why in (why_none(f), why_not_both(f, declaration)))
    return next((why for why in reasons if why is not None), None)


def no_recipe(statement: Statement) -> str:
    """Say what is missing where the objects of a statement are words only."""
    assert statement.concrete is not None
    numbers = statement.notation.quantities
    lacking = next((name for name in statement.concrete.objects if name not in numbers), "its objects")
    meaning = statement.concrete.objects.get(lacking, "")
    return (
        f"no recipe is known that makes {lacking} ({meaning}): write the statement with lemma(...) of "
        f'bounds.language.lemmas and declare it, as {lacking} = function("{lacking}", smooth=L) or '
        f'vector("{lacking}") (docs/your_lemma.md)'
    )


def draw_declared(draw: Draw, statement: Statement) -> Objects:
    """A recipe, for `verify.objects.recipes`."""
    return draw_with_parts(draw, statement)[0]


def draw_with_parts(draw: Draw, statement: Statement) -> tuple[Objects, Objects]:
    """What the statement speaks of, and the objects of its declaration that this is made of.

    They are the same but for a statement with numbers that no formula gives: its arguments may be sums.
    """
    declaration = parts_declared(statement)
    assert declaration is not None
    assert statement.concrete is not None
    objects = _make(draw, statement, declaration)
    if statement.concrete.drawn is not None:
        return statement.concrete.drawn.take(objects), objects
    asked = _select_asked(statement, declaration, objects)
    return asked, asked


def parts_declared(statement: Statement) -> Declaration | None:
    """The objects that are drawn: of a formula, or of the arguments of a function."""
    drawn = None if statement.concrete is None else statement.concrete.drawn
    return declaration_of(statement) if drawn is None else drawn.declaration


@np.errstate(over="ignore", divide="ignore", invalid="ignore")  # a sequence out of float64 is not defined
def _make(draw: Draw, statement: Statement, declaration: Declaration) -> Objects:
    """Every object and number of the declaration, by its name there."""
    counts = _counts(draw, declaration)
    d = draw.dimension(3)
    if declaration.matrices:
        d = min(d, FEW if any(_is_of_several_matrices(thing) for thing in declaration.objects) else LARGEST)
    d = min(d, most_coordinates(declaration.objects))
    if not declaration.objects:
        return _cases_of_numbers(draw, statement, declaration)
    numbers = drawn_numbers(draw, statement, declaration, _sizes(declaration, counts, d))
    objects: Objects = dict(numbers)
    functions, minima = _functions(draw, d, declaration, counts, numbers)
    for name, found in functions.items():
        objects |= _parts(name, found)
    objects |= minima
    objects |= _vectors(draw, d, declaration, counts, numbers, functions)
    objects |= matrices(draw, d, declaration.objects, numbers, counts)
    objects |= sequences(draw, declaration.objects, numbers)
    for thing in declaration.objects:
        if isinstance(thing, SubsetObject):
            objects |= _subsets(thing, counts, numbers)
        if isinstance(thing, MixingObject):
            objects[thing.name] = mixing_matrices(
                draw, counts[thing.over.name], value_of(thing.gap, numbers) or 0.0
            )
        if isinstance(thing, ConvexSet):
            objects[thing.name] = drawn_set(draw, d, value_of(thing.diameter, numbers))
        if isinstance(thing, NumbersObject):
            objects[thing.name] = _draw_numbers(draw, thing, counts[thing.over.name])
        if isinstance(thing, PathObject):
            objects[thing.name] = np.arange(counts[thing.over.name], dtype=float)
        if isinstance(thing, GaussianObject):
            objects[thing.name], objects[thing.over.weights] = gaussian_outcomes(d)
    return objects | move_thresholds(draw, statement, declaration, objects)


def _is_of_several_matrices(thing: Any) -> bool:
    return isinstance(thing, MatrixObject) and thing.over is not None


def _sizes(declaration: Declaration, counts: Mapping[str, int], d: int) -> dict[str, int]:
    vectors = [
        thing
        for thing in declaration.objects
        if isinstance(thing, GaussianObject)
        or (isinstance(thing, VectorObject) and thing.coordinates is None)
    ]
    things: list[tuple[Any, int]] = [(thing, d) for thing in vectors]
    things += [(i, counts[i.name]) for i in declaration.indices]
    return {str(size(thing).formula): count for thing, count in things}


def _cases_of_numbers(draw: Draw, statement: Statement, declaration: Declaration) -> Objects:
    """A lemma on numbers alone has other numbers in every case."""
    each = [drawn_numbers(draw, statement, declaration, {}) for _ in range(CASES)]
    return {name: np.array([float(case[name]) for case in each]) for name in each[0]}


def _select_asked(statement: Statement, declaration: Declaration, objects: Objects) -> Objects:
    """What the lemma speaks of; where its author has assumptions, also where they are met."""
    assert statement.concrete is not None
    out = {name: objects[name] for name in statement.concrete.objects}
    if declaration.predicates:
        out[MET] = np.where(_met(declaration, objects), 1.0, np.nan)
    return out


def _met(declaration: Declaration, objects: Objects) -> Any:
    met = np.ones(CASES, dtype=bool)
    for predicate in declaration.predicates:
        met = met & find_met(predicate, objects, CASES)
    return met


def _counts(draw: Draw, declaration: Declaration) -> dict[str, int]:
    """How many of each index; of independent vectors with two outcomes each, two to their number."""
    counts = {i.name: _count(draw, i) for i in declaration.indices}
    for thing in declaration.objects:
        if isinstance(thing, VectorObject) and thing.each is not None and thing.over is not None:
            counts[thing.each.name] = min(counts[thing.each.name], max(thing.each.low, FEW))
            counts[thing.over.name] = 2 ** counts[thing.each.name]
        if isinstance(thing, SubsetObject):
            least = int(thing.members.formula) if thing.members.formula.is_number else thing.each.low
            counts[thing.each.name] = max(least, min(counts[thing.each.name], MOST_DRAWN))
    steps = [thing.over for thing in declaration.objects if isinstance(thing, PathObject)]
    for i in steps if len({i.name for i in steps}) > 1 else ():  # rounds of local steps multiply
        counts[i.name] = min(counts[i.name], max(i.low, MOST_NESTED))
    return counts


def _count(draw: Draw, index: Index) -> int:
    count = draw.entries(index.low, index.high)
    return count + count % 2 if index.weighted else count


def _functions(
    draw: Draw, d: int, declaration: Declaration, counts: Mapping[str, int], numbers: Objects
) -> tuple[dict[str, list[Function] | Function], Objects]:
    """The functions, and where the mean of those is lowest of which the lemma names it."""
    out: dict[str, list[Function] | Function] = {}
    minima: Objects = {}
    for thing in declaration.objects:
        if not isinstance(thing, FunctionObject):
            continue
        constants = Constants(
            smooth=value_of(thing.smooth, numbers),
            strong=value_of(thing.strongly_convex, numbers),
            lipschitz=value_of(thing.lipschitz, numbers),
            lojasiewicz=value_of(thing.lojasiewicz, numbers),
            growth=value_of(thing.curvature_growth, numbers),
            weak=value_of(thing.weakly_convex, numbers),
            exponent=value_of(thing.exponent, numbers),
        )
        if thing.over is not None and names_minimum_of_mean(thing, declaration):
            out[thing.name], found = balanced(draw, d, thing, constants, counts[thing.over.name])
            minima |= found
            continue
        asked = {part for part in NEAREST if f"{NEAREST[part]}_of_{thing.name}" in declaration.names}
        first = drawn_function(draw, d, thing, constants, asked)
        if thing.over is None:
            out[thing.name] = first
            continue
        others = counts[thing.over.name] - 1
        alike = draw.family.agents == "identical"
        more = [first if alike else drawn_function(draw, d, thing, constants, asked) for _ in range(others)]
        out[thing.name] = [first, *more]
    return out, minima


def _parts(name: str, found: list[Function] | Function) -> Objects:
    """Its value, gradient, lowest value and minimizer, by the names of `Declaration.names`."""
    if isinstance(found, Function):
        return {
            name: found.value,
            f"gradient_of_{name}": found.gradient,
            f"lowest_of_{name}": found.lowest,
            f"minimizer_of_{name}": found.minimizer,
            f"hessian_of_{name}": found.hessian,
            f"prox_of_{name}": found.prox,
            f"nearest_minimizer_of_{name}": found.nearest,
        }
    each = [_parts(name, f) for f in found]
    stacked: Objects = {key: [part[key] for part in each] for key in each[0]}
    for key in (f"lowest_of_{name}", f"minimizer_of_{name}"):
        known = all(value is not None for value in stacked[key])
        stacked[key] = np.array(stacked[key], dtype=float) if known else None
    return stacked


def _vectors(
    draw: Draw,
    d: int,
    declaration: Declaration,
    counts: Mapping[str, int],
    numbers: Objects,
    functions: Mapping[str, Any],
) -> Objects:
    out: Objects = {}
    alone: dict[int, list[Points]] = {}
    usual, single = d, next((f for f in functions.values() if isinstance(f, Function)), None)
    for thing in declaration.objects:
        if not isinstance(thing, VectorObject):
            continue
        d = usual if thing.coordinates is None else int(value_of(thing.coordinates, numbers) or 0)
        if thing.over is None:
            known = alone.setdefault(d, [])
            on_it = single if thing.coordinates is None else None
            vector = _bounded(draw, thing, numbers, _related(draw, d, thing, known, on_it))
            known.append(vector)
        elif thing.over.weighted:
            each = [
                _random_vector(draw, d, thing, counts[thing.over.name] if thing.each is None else 2, numbers)
                for _ in range(1 if thing.each is None else counts[thing.each.name])
            ]
            vector, out[thing.over.weights] = each[0] if thing.each is None else _jointly(each)
        else:
            n = counts[thing.over.name]
            vector = draw.directions(d, CASES, n) if thing.unit else draw.agents(n, d)
            vector = _bounded(draw, thing, numbers, vector)
        out[thing.name] = vector
    return out


def _related(draw: Draw, d: int, thing: VectorObject, known: list[Points], f: Function | None) -> Points:
    """Put the last cases of a draw in special places: equal, parallel, opposite, zero, at a minimizer."""
    points = draw.directions(d) if thing.unit else draw.points(d)
    if thing.unit:
        if known:
            points[-2], points[-1] = _unit(known[-1][-2], points[-2]), _unit(-known[-1][-1], points[-1])
        return points
    if f is not None and f.minimizer is not None:
        points[-6] = f.minimizer
    if f is not None and f.telling is not None:
        points[-7] = f.telling
    if not known:
        return points
    other = known[-1]
    if f is not None and np.isfinite(f.L) and f.L > 0:
        points[-5] = other[-5] - f.gradient(other[-5]) / f.L
    points[-4] = other[-4]
    points[-3] = other[-3] * draw.length() / draw.family.scale
    points[-2] = -other[-2]
    points[-1] = 0.0
    return points


def _unit(along: Points, otherwise: Points) -> Points:
    """Scale a vector, which may be zero, to length one."""
    length = np.sqrt((along**2).sum())
    return along / length if length > 0 else otherwise


def _bounded(draw: Draw, thing: VectorObject, numbers: Objects, points: Points) -> Points:
    """At most so long; at just that length in some cases."""
    longest = value_of(thing.longest, numbers)
    if longest is None or thing.unit:
        return points
    length = np.sqrt((points**2).sum(axis=-1, keepdims=True))
    shorter = points * (longest * draw.share() / np.where(length > 0, length, 1.0))
    return np.where(length > longest, shorter, points)


def _random_vector(
    draw: Draw, d: int, thing: VectorObject, outcomes: int, numbers: Objects
) -> tuple[Points, Any]:
    """Weights are whole numbers, so that a mean of zero is exact: v, ..., v against -k v of weight 1/k."""
    assert thing.over is not None
    if not thing.centered:
        weights = np.array([draw.weight() for _ in range(outcomes)])
        return draw.agents(outcomes, d), weights
    half = draw.agents(outcomes // 2, d)
    skew = np.array([draw.skew() for _ in range(outcomes // 2)])
    vectors = np.concatenate([half * skew[:, None], -half], axis=-2)
    weights = np.concatenate([np.ones(outcomes // 2), skew])
    deviation = value_of(thing.deviation, numbers)
    if deviation is None:
        return vectors, weights
    spread = np.sqrt((weights * (vectors**2).sum(axis=-1)).sum(axis=-1) / weights.sum())
    scale = deviation * draw.share() / np.where(spread > 0, spread, 1.0)
    return vectors * scale[:, None, None], weights


def _jointly(each: list[tuple[Points, Any]]) -> tuple[Points, Any]:
    """(CASES, outcomes, entries, d) of independent vectors: each outcome of one with each of the others."""
    chosen = list(product(*(range(len(weights)) for _, weights in each)))
    vectors = [outcomes[:, [which[j] for which in chosen]] for j, (outcomes, _) in enumerate(each)]
    weights = [np.prod([w[at] for (_, w), at in zip(each, which, strict=True)]) for which in chosen]
    return np.stack(vectors, axis=-2), np.array(weights)


def _subsets(thing: SubsetObject, counts: Mapping[str, int], numbers: Objects) -> Objects:
    """A row for each subset, with ones for its members."""
    n, members = counts[thing.each.name], int(value_of(thing.members, numbers) or 0)
    rows = [np.isin(np.arange(n), chosen) for chosen in combinations(range(n), members)]
    return {thing.name: np.array(rows, dtype=float), thing.over.weights: np.ones(len(rows))}


def _draw_numbers(draw: Draw, thing: NumbersObject, n: int) -> Points:
    """One for each entry of an index; weights of which all are zero are equal ones."""
    entries = draw.agents(n, 1)[..., 0] if thing.domain == REAL else draw.numbers(n)
    if thing.domain == POSITIVE:
        entries = np.where(entries > 0, entries, draw.family.scale)
    if thing.increasing:
        entries = np.sort(entries, axis=-1)
    if not thing.weights:
        return entries
    total = entries.sum(axis=-1, keepdims=True)
    return np.where(total > 0, entries, 1.0) / np.where(total > 0, total, n)
