"""Whether vectors, weights and matrices that somebody gives for a lemma are of the kind that it declares.

A vector of length 20 refutes no lemma on unit vectors. Rules of sequences and sets are not tried.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bounds.language.lemmas.declaration import Declaration, Predicate
from bounds.language.lemmas.expressions import Scalar
from bounds.language.lemmas.matrices import MatrixObject
from bounds.language.lemmas.mixing import MixingObject
from bounds.language.lemmas.numbers_over import NumbersObject
from bounds.language.lemmas.objects import VectorObject
from bounds.language.lemmas.sequences import SequenceObject
from verify.objects.inside import value_of
from verify.objects.predicates import find_met

Array = NDArray[np.float64]
ROUNDED: Final = 1e-12  # of the largest number that is compared, as where a search meets its hypotheses


def why_other(declared: Declaration, objects: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each object that is not what the lemma says of it, then for its author's assumptions."""
    number = partial(value_if_known, numbers=plain_numbers(objects))
    for thing in declared.objects:
        described = next((describe for kind, describe in _KINDS.items() if isinstance(thing, kind)), None)
        if described is not None and thing.name in objects:
            given = np.asarray(objects[thing.name], dtype=float)
            yield from (f"{thing.name} {said}" for said in described(thing, given, number))
    yield from (
        f"{i.weights} has a negative weight, or none above zero"
        for i in declared.indices
        if i.weighted and i.weights in objects and not _are_shares(np.asarray(objects[i.weights]))
    )
    cases = _count_cases(declared, objects)
    yield from (f"{p.text!r} does not hold" for p in declared.predicates if not _holds(p, objects, cases))


Number = Callable[[Any], float | None]


def plain_numbers(objects: Mapping[str, Any]) -> dict[str, float]:
    """Those that are one for all cases."""
    plain = {name: v for name, v in objects.items() if isinstance(v, int | float | np.number)}
    return {name: float(value) for name, value in plain.items()}


def value_if_known(constant: Scalar | None, numbers: Mapping[str, Any]) -> float | None:
    """The constant of a class; None, too, where it is another one in every case, and nothing is tried."""
    if constant is None or not {symbol.name for symbol in constant.formula.free_symbols} <= numbers.keys():
        return None
    return value_of(constant, numbers)


def _describe_vector(thing: VectorObject, v: Array, number: Number) -> Iterator[str]:
    length, longest = np.linalg.norm(v, axis=-1), number(thing.longest)
    if thing.unit and np.any(abs(length - 1) > ROUNDED):
        yield f"is not of length one: it is {np.max(length):.6g} long"
    if longest is not None and np.any(length > longest * (1 + ROUNDED)):
        yield f"is longer than {longest:g}: it is {np.max(length):.6g} long"


def _describe_numbers(thing: NumbersObject, numbers: Array, _: Number) -> Iterator[str]:
    low = thing.domain.lower
    if np.any(numbers < low) or (not thing.domain.lower_included and np.any(numbers == low)):
        yield f"leaves its domain: {np.min(numbers):.6g} is in it"
    if thing.weights and not _are_weights(numbers):
        yield f"does not add up to one, but to {np.sum(numbers, axis=-1).max():.6g}"
    if thing.increasing and np.any(np.diff(numbers, axis=-1) < 0):
        yield "is not increasing"


def _describe_matrix(thing: MatrixObject, m: Array, number: Number) -> Iterator[str]:
    least, most = number(thing.smallest), number(thing.largest)
    slack = ROUNDED * max(float(np.max(abs(m), initial=0.0)) * m.shape[-1], abs(most or 0), abs(least or 0))
    if thing.is_symmetric and (m.shape[-1] != m.shape[-2] or np.any(abs(m - np.swapaxes(m, -1, -2)) > slack)):
        yield "is not symmetric"
        return
    values = np.linalg.eigvalsh(m) if thing.is_symmetric else np.linalg.svd(m, compute_uv=False)
    tops = abs(values) if least is None else values  # `largest` alone bounds the operator norm
    if thing.semidefinite and np.any(values < -slack):
        yield f"is not semidefinite: it has the eigenvalue {values.min():.6g}"
    if most is not None and np.any(tops > most + slack):
        yield f"has a larger eigenvalue, or singular value, than {most:g}: {tops.max():.6g}"
    if least is not None and np.any(values < least - slack):
        yield f"has a smaller eigenvalue, or singular value, than {least:g}: {values.min():.6g}"


def _describe_mixing(thing: MixingObject, m: Array, number: Number) -> Iterator[str]:
    gap = number(thing.gap) or 0.0
    if m.shape[-1] != m.shape[-2] or np.any(abs(m - np.swapaxes(m, -1, -2)) > ROUNDED):
        yield "is not symmetric"
    elif not _are_weights(m):
        yield "has a row that does not add up to one, or a negative weight"
    elif m.shape[-1] > 1 and np.any(np.sort(abs(np.linalg.eigvalsh(m)))[..., -2] > 1 - gap + ROUNDED):
        yield f"has a smaller gap than {gap:g}"


def _describe_sequence(thing: SequenceObject, numbers: Array, _: Number) -> Iterator[str]:
    if thing.non_negative and np.any(numbers < 0):
        yield f"has the negative number {np.min(numbers):.6g}"


_KINDS: Final[dict[type, Callable[[Any, Array, Number], Iterator[str]]]] = {
    VectorObject: _describe_vector,
    NumbersObject: _describe_numbers,
    MatrixObject: _describe_matrix,
    MixingObject: _describe_mixing,
    SequenceObject: _describe_sequence,
}


def _are_weights(numbers: Array) -> bool:
    total = np.sum(numbers, axis=-1)
    return bool(np.all(numbers >= 0) and np.all(abs(total - 1) <= ROUNDED * numbers.shape[-1]))


def _are_shares(numbers: Array) -> bool:
    """Whether they weigh outcomes, which count by their shares of the sum."""
    return bool(np.all(numbers >= 0) and np.all(np.sum(numbers, axis=-1) > 0))


def _holds(predicate: Predicate, objects: Mapping[str, Any], cases: int | None) -> bool:
    """Give it arrays with an axis of cases in front, as a search does."""
    if not {*predicate.names} <= objects.keys():
        return True
    given = {name: objects[name] for name in predicate.names}
    if cases is None:
        given = {name: o if callable(o) else np.asarray(o)[None] for name, o in given.items()}
    return bool(np.all(find_met(predicate, given, cases or 1)))


def _count_cases(declared: Declaration, objects: Mapping[str, Any]) -> int | None:
    """How many cases the vectors have in front; None where they have no such axis."""
    plain = (v for v in declared.objects if isinstance(v, VectorObject) and v.over is None and v.each is None)
    axes = (np.shape(objects[v.name]) for v in plain if v.name in objects)
    return next((shape[0] for shape in axes if len(shape) == 2), None)
