"""Vectors and numbers of one entry of an index at another entry: u_j beside u_i, for sums over pairs."""

from dataclasses import dataclass
from typing import Any, final

from bounds.errors import MalformedStatement
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Node, OfNumber, Scalar, World, as_scalar, measured
from bounds.language.lemmas.indices import Index
from bounds.language.lemmas.linear import OfLinear, Vector
from bounds.language.lemmas.matrices import Matrix
from bounds.language.lemmas.measures import free_indices


def at(body: Any, entry: Any) -> Any:
    """A number, vector or matrix of the entries of an index i at those of j = another(i)."""
    if not isinstance(entry, Index) or entry.like is None:
        raise MalformedStatement(
            f"{getattr(entry, 'name', entry)} is no second index: write j = another(i) and at(u, j)"
        )
    free = {i.name for i in free_indices(body)}
    if entry.like.name not in free or entry.name in free:
        raise MalformedStatement(
            f"at({getattr(body, 'text', body)}, {entry.name}) needs what depends on {entry.like.name} "
            f"and not yet on {entry.name}"
        )
    if isinstance(body, Matrix):
        return MatrixAt(body, entry)
    return VectorAt(body, entry) if isinstance(body, Vector) else measured(NumberAt(as_scalar(body), entry))


class At(Node):
    """The axis of the first index is that of the second one."""

    body: Any
    entry: Index

    @property
    def text(self) -> str:
        return f"({self.body.text} at {self.entry.name})"

    @property
    def latex(self) -> str:
        return rf"\left.{self.body.latex}\right|_{{{self._like.name}={self.entry.name}}}"

    @property
    def _like(self) -> Index:
        assert self.entry.like is not None
        return self.entry.like

    def value(self, world: World) -> Any:
        body = world.number(self.body) if isinstance(self.body, Scalar) else world.compute(self.body)
        return np.swapaxes(body, world.position(self._like.name), world.position(self.entry.name))


@final
@dataclass(frozen=True, eq=False)
class NumberAt(At, OfNumber):
    body: Scalar
    entry: Index


@final
@dataclass(frozen=True, eq=False)
class VectorAt(At, OfLinear, Vector):
    body: Vector
    entry: Index


@final
@dataclass(frozen=True, eq=False)
class MatrixAt(At, OfLinear, Matrix):
    body: Matrix
    entry: Index

    @property
    def T(self) -> Matrix:
        return MatrixAt(self.body.T, self.entry)

    @property
    def key(self) -> str:
        return f"({self.body.key} at {self.entry.name})"
