"""Averages over neighbors in a network: W v, for a matrix W whose rows and columns are clients."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

from bounds.errors import MalformedStatement
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import (
    Node,
    OfNumber,
    Scalar,
    World,
    as_scalar,
    measured,
    optional_scalar,
)
from bounds.language.lemmas.indices import Index
from bounds.language.lemmas.linear import OfLinear, Vector
from bounds.language.lemmas.matrices import Matrix
from bounds.language.lemmas.measures import free_indices


@final
@dataclass(frozen=True, eq=False)
class MixingObject:
    """Weights w_ij = w_ji from 0 on, which add up to one for each i.

    No eigenvalue but the first, which is one, has a larger size than 1 - `gap`.
    """

    is_object: ClassVar[bool] = True
    name: str
    over: Index
    gap: Scalar | None

    @property
    def text(self) -> str:
        return self.name

    latex = text


def mixing_matrix(name: str, over: Any, *, gap: Any = None) -> MixingObject:
    """A symmetric doubly stochastic matrix of the entries of an index; its spectral gap is at least `gap`."""
    if not isinstance(over, Index) or over.weighted or over.like is not None:
        raise MalformedStatement(f"{name} mixes the entries of an index: write mixing_matrix({name!r}, i)")
    return MixingObject(name, over, optional_scalar(gap))


def mixed(by: Any, body: Any) -> Any:
    """For each i the sum over j of w_ij times the number or vector of j."""
    if not isinstance(by, MixingObject):
        raise MalformedStatement(f"{getattr(by, 'text', by)} is no mixing matrix: write mixing_matrix(...)")
    if isinstance(body, Matrix) or by.over.name not in {i.name for i in free_indices(body)}:
        raise MalformedStatement(
            f"{by.name} mixes numbers or vectors of {by.over.name}, not {getattr(body, 'text', body)}"
        )
    if isinstance(body, Vector):
        return MixedVector(by, body)
    return measured(MixedNumber(by, as_scalar(body)))


class Mixed(Node):
    """`by.over` numbers what is mixed, and the result."""

    by: MixingObject
    body: Any

    @property
    def text(self) -> str:
        return f"{self.by.name}({self.body.text})"

    @property
    def latex(self) -> str:
        return rf"\left({self.by.name}\,{self.body.latex}\right)_{{{self.by.over.name}}}"

    def mix(self, world: World, body: Any) -> Any:
        """`body` has an axis of its own behind those of cases and indices."""
        axis, index = world.position(self.by.over.name), self.by.over.name
        weights = world.given(self.by.name, index, own=1)
        weights, each = (np.moveaxis(m, axis, -2) for m in (weights, world.every(body, index)))
        return np.moveaxis(np.matmul(_doubly_stochastic(weights), each), -2, axis)


def _doubly_stochastic(weights: Any) -> Any:
    """From what is above the diagonal: the rows of floats add up to one up to roundings, these exactly."""
    n = weights.shape[-1]
    above = weights * np.triu(np.ones((n, n), dtype=int), 1)
    others = above + np.swapaxes(above, -1, -2)
    return others + np.eye(n, dtype=int) * (1 - others.sum(axis=-1))[..., None]


@final
@dataclass(frozen=True, eq=False)
class MixedVector(Mixed, OfLinear, Vector):
    by: MixingObject
    body: Vector

    def value(self, world: World) -> Any:
        return self.mix(world, world.compute(self.body))


@final
@dataclass(frozen=True, eq=False)
class MixedNumber(Mixed, OfNumber):
    by: MixingObject
    body: Scalar

    def value(self, world: World) -> Any:
        return self.mix(world, world.number(self.body)[..., None])[..., 0]
