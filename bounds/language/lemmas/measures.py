"""Norms, inner products and clipping of vectors, and means over an index."""

from dataclasses import dataclass
from functools import partial
from typing import Any, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import (
    Atom,
    Known,
    Node,
    OfNumber,
    Scalar,
    World,
    as_scalar,
    measured,
)
from bounds.language.lemmas.functions_of_numbers import maximum
from bounds.language.lemmas.gaussian_vectors import check_polynomial
from bounds.language.lemmas.indices import Index
from bounds.language.lemmas.linear import OfLinear, Vector, as_vector, check_sizes
from bounds.language.lemmas.matrices import Matrix
from bounds.language.lemmas.of_matrices import OperatorNorm
from bounds.language.lemmas.of_vectors import NORMS, Clipped, Hadamard, Inner, Norm, PositivePart, Top
from bounds.language.lemmas.sequences import ReducedSequence, SequenceObject


def inner(u: Vector, v: Vector) -> Scalar:
    check_sizes(as_vector(u), as_vector(v), as_vector(u).sizes == as_vector(v).sizes)
    return measured(Inner(as_vector(u), as_vector(v)))


def norm(u: Vector | Matrix, order: str = "2") -> Scalar:
    """The Euclidean norm; `order` may be "1" or "max". Of a matrix, its largest singular value."""
    if isinstance(u, Matrix) and order == "2":
        return measured(OperatorNorm(u))
    if order not in NORMS:
        raise MalformedStatement(f'a norm is "2", "1" or "max", not {order!r}')
    return measured(Norm(as_vector(u), order))


def clip(u: Vector, longest: Any) -> Vector:
    """The nearest vector that is at most this long: min(1, C / ||u||) u."""
    return Clipped(as_vector(u), as_scalar(longest))


def positive_part(u: Any) -> Any:
    """The nearest vector without a negative coordinate; of a number, the larger one of it and zero."""
    return maximum(u, 0) if isinstance(u, Scalar) else PositivePart(as_vector(u))


def top(u: Vector, count: Any) -> Vector:
    """The `count` coordinates of the largest size as they are, and zero for the others."""
    return Top(as_vector(u), as_scalar(count))


def hadamard(u: Vector, v: Vector) -> Vector:
    """The products of the coordinates."""
    check_sizes(as_vector(u), as_vector(v), as_vector(u).sizes == as_vector(v).sizes)
    return Hadamard(u, v)


def mean(body: Any, over: Index | None = None) -> Any:
    """The mean of a number, a vector or a matrix over an index."""
    if isinstance(body, SequenceObject):
        raise MalformedStatement(f"write total({body.name}) / ({body.last.text} + 1)")
    return _reduced(body, over, "mean")


def total(body: Any, over: Index | None = None) -> Any:
    """The sum over an index; of a sequence a, a[0] + ... + a[K]."""
    return _reduced(body, over, "sum")


def largest(body: Any, over: Index | None = None) -> Scalar:
    """The largest of some numbers."""
    return _extremal(body, over, "max")


def smallest(body: Any, over: Index | None = None) -> Scalar:
    """The smallest of some numbers."""
    return _extremal(body, over, "min")


def median(body: Any, over: Index | None = None) -> Any:
    """The middle one of some numbers, or the mean of the two there; of vectors, in each coordinate."""
    if isinstance(body, SequenceObject | Matrix):
        raise MalformedStatement("a median is of numbers or vectors over an index")
    return _reduced(body, over, "median")


def _depends_on(outcome: Index, node: Any) -> bool:
    return outcome in free_indices(node)


def expected(body: Any, given: Any = ()) -> Any:
    """The mean over every outcome; random vectors of different names are independent.

    If some are `given`, it is the conditional mean, a number for each of their outcomes.
    """
    known = {i.name: i for v in _as_several(given) for i in free_indices(v) if i.weighted}
    outcomes = [i for i in free_indices(body) if i.weighted and i.name not in known]
    if not outcomes:
        raise MalformedStatement(f"nothing in {_text(body)} is random: declare it with random_vector(...)")
    kind = "|".join(["E", *(name.removeprefix("outcomes_of_") for name in known)])
    for outcome in outcomes:
        check_polynomial(body, outcome, partial(_depends_on, outcome))
        body = _reduced(body, outcome, kind)
    return body


def _as_several(given: Any) -> tuple[Any, ...]:
    return tuple(given) if isinstance(given, tuple | list) else (given,)


def size(of: Index | Vector) -> Scalar:
    """How many there are of an index; of a vector, the number of its coordinates."""
    return measured(Size(of) if isinstance(of, Index) else Coordinates(as_vector(of)))


def free_indices(node: Any) -> list[Index]:
    """The indices that a number or vector still depends on, in the order in which they appear."""
    found: dict[str, Index] = {}
    _collect(node, (), found)
    return list(found.values())


def _collect(node: Any, bound: tuple[str, ...], found: dict[str, Index]) -> None:
    if isinstance(node, Coordinates):  # every outcome and entry has as many
        return
    for over in (getattr(node, part, None) for part in ("over", "each")):
        if isinstance(over, Index) and not isinstance(node, Size) and over.name not in bound:
            found[over.name] = over
    if isinstance(node, Reduced):
        _collect(node.body, (*bound, node.index.name), found)
        return
    closed = getattr(node, "closes", None)
    bound = bound if closed is None else (*bound, closed.name)
    entry = getattr(node, "entry", None)
    if isinstance(entry, Index):  # of the entries of one index, at those of another
        elsewhere = {i.name: i for i in free_indices(node.body) if i != entry.like} | {entry.name: entry}
        found |= {name: i for name, i in elsewhere.items() if name not in bound}
        return
    for part in _parts(node):
        _collect(part, bound, found)


def _parts(node: Any) -> list[Any]:
    if isinstance(node, Scalar):
        return list(node.atoms.values())
    if isinstance(node, tuple):
        return list(node)
    names = getattr(node, "__dataclass_fields__", {})
    return [getattr(node, name) for name in names]


def _text(body: Any) -> str:
    return str(getattr(body, "text", body))


def find_index(body: Any, over: Index | None, what: str) -> Index:
    if over is not None and not isinstance(over, Index):
        raise MalformedStatement(
            f"{_text(over)} is no index: write index(...), or maximum(a, b) of two numbers"
        )
    free = [i for i in free_indices(body) if not i.weighted]
    if over is not None:
        return over
    if len(free) != 1:
        listed = ", ".join(i.name for i in free) or "none"
        raise MalformedStatement(f"the {what} of {_text(body)} needs the index: it has {listed}")
    return free[0]


def _extremal(body: Any, over: Index | None, kind: str) -> Scalar:
    number = _reduced(body if isinstance(body, SequenceObject) else as_scalar(body), over, kind)
    assert isinstance(number, Scalar)
    return number


def _reduced(body: Any, over: Index | None, kind: str) -> Any:
    if isinstance(body, SequenceObject):
        return measured(ReducedSequence(body, kind))
    chosen = find_index(body, over, kind)
    if isinstance(body, Vector):
        return ReducedVector(body, chosen, kind)
    if isinstance(body, Matrix):
        return ReducedMatrix(body, chosen, kind)
    return measured(ReducedNumber(as_scalar(body), chosen, kind))


def _text_of(kind: str, index: Index, body: str) -> str:
    mean, *known = kind.split("|")
    if mean == "E":
        return f"E[{body} | {', '.join(known)}]" if known else f"E[{body}]"
    return f"{kind}_{index.name}({body})"


def _latex_of(kind: str, index: Index, body: str) -> str:
    sign = {"E": r"\mathbb{E}", "sum": rf"\sum_{{{index.name}}}", "max": rf"\max_{{{index.name}}}"}
    sign["min"] = rf"\min_{{{index.name}}}"
    if kind.startswith("E|"):
        return rf"\mathbb{{E}}\left[{body}\mid {', '.join(kind.split('|')[1:])}\right]"
    in_words = rf"\mathrm{{{kind}}}_{{{index.name}}}"
    return rf"{sign.get(kind, in_words)}\left[{body}\right]"


def _value_of(world: World, kind: str, index: Index, body: Any) -> Any:
    axis, every = world.position(index.name), world.every(body, index.name)
    if kind in ("max", "min"):
        return getattr(every, kind)(axis=axis, keepdims=True)
    if kind == "median":
        last = every.shape[axis] - 1
        ordered = np.sort(every, axis=axis)
        return (ordered.take([last // 2], axis=axis) + ordered.take([last - last // 2], axis=axis)) / 2
    if kind.split("|")[0] == "E":
        weights = world.given(index.weights, index.name)
        weights = weights.reshape((*weights.shape, *[1] * (every.ndim - weights.ndim)))
        return (every * weights).sum(axis=axis, keepdims=True) / weights.sum(axis=axis, keepdims=True)
    added = every.sum(axis=axis, keepdims=True)
    return added if kind == "sum" else added / world.counts[index.name]


class Reduced(Node):
    """The mean, the sum, the expectation, the largest or the smallest over an index."""

    body: Any
    index: Index
    kind: str

    @property
    def text(self) -> str:
        return _text_of(self.kind, self.index, self.body.text)

    @property
    def latex(self) -> str:
        return _latex_of(self.kind, self.index, self.body.latex)

    def value(self, world: World) -> Any:
        body = world.number(self.body) if isinstance(self.body, Scalar) else world.compute(self.body)
        return self.reduce(world, body)

    def reduce(self, world: World, body: Any) -> Any:
        return _value_of(world, self.kind, self.index, body)


@final
@dataclass(frozen=True, eq=False)
class ReducedNumber(Reduced, OfNumber):
    body: Scalar
    index: Index
    kind: str


@final
@dataclass(frozen=True, eq=False)
class ReducedVector(Reduced, OfLinear, Vector):
    body: Vector
    index: Index
    kind: str


@final
@dataclass(frozen=True, eq=False)
class ReducedMatrix(Reduced, OfLinear, Matrix):
    body: Matrix
    index: Index
    kind: str

    @property
    def T(self) -> Matrix:
        return ReducedMatrix(self.body.T, self.index, self.kind)

    @property
    def key(self) -> str:
        return _text_of(self.kind, self.index, self.body.key)


@final
@dataclass(frozen=True, eq=False)
class Size(Atom):
    over: Index
    non_negative = True

    @property
    def text(self) -> str:
        return f"number of {self.over.name}"

    @property
    def latex(self) -> str:
        return rf"\#{self.over.name}"

    def dimension(self, known: Known) -> Dimension:
        return ONE

    def value(self, world: World) -> Any:
        return world.sizes[self.over.name] * world.one + np.zeros((1,) * (1 + len(world.axes)), dtype=int)


@final
@dataclass(frozen=True, eq=False)
class Coordinates(Atom):
    of: Vector
    non_negative = True

    @property
    def text(self) -> str:
        return f"coordinates of {self.of.text}"

    @property
    def latex(self) -> str:
        return rf"\dim({self.of.latex})"

    def dimension(self, known: Known) -> Dimension:
        return ONE

    def value(self, world: World) -> Any:
        return world.compute(self.of).shape[-1] * world.one + np.zeros(
            (1,) * (1 + len(world.axes)), dtype=int
        )
