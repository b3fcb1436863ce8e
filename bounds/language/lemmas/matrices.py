"""Square matrices: their images, norms and traces."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import (
    Atom,
    Known,
    Scalar,
    Vector,
    World,
    as_vector,
    measured,
    optional_scalar,
)


@final
@dataclass(frozen=True, eq=False)
class MatrixObject:
    """A square matrix; its eigenvalues, or singular values, lie between `smallest` and `largest`."""

    is_object: ClassVar[bool] = True
    name: str
    symmetric: bool
    semidefinite: bool
    smallest: Scalar | None
    largest: Scalar | None
    dimensions: Dimension

    @property
    def text(self) -> str:
        return self.name

    latex = text

    def __matmul__(self, at: "Vector | MatrixObject") -> Vector:
        if isinstance(at, MatrixObject):
            raise MalformedStatement(
                f"{self.name} @ {at.name} has no form here: matrices act on vectors, as "
                f"{self.name} @ ({at.name} @ x)"
            )
        return Image(self, as_vector(at))

    def _refuse(self, other: Any) -> Any:
        raise MalformedStatement(
            f"sums and multiples of the matrix {self.name} have no form here: matrices act on vectors, as "
            f"x - eta * ({self.name} @ x)"
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _refuse


def matrix(
    name: str,
    *,
    symmetric: bool = False,
    semidefinite: bool = False,
    smallest: Any = None,
    largest: Any = None,
    dimension: Dimension = ONE,
) -> MatrixObject:
    """A square matrix; a semidefinite one is symmetric. `largest` bounds its operator norm."""
    if smallest is not None and not (symmetric or semidefinite):
        raise MalformedStatement(f"{name} has a smallest eigenvalue: say symmetric=True or semidefinite=True")
    return MatrixObject(
        name,
        symmetric or semidefinite,
        semidefinite,
        optional_scalar(smallest),
        optional_scalar(largest),
        dimension,
    )


@final
@dataclass(frozen=True, eq=False)
class Image(Vector):
    matrix: MatrixObject
    at: Vector

    @property
    def text(self) -> str:
        return f"{self.matrix.name} ({self.at.text})"

    @property
    def latex(self) -> str:
        return rf"{self.matrix.name}\left({self.at.latex}\right)"

    def dimension(self, known: Known) -> Dimension:
        return self.matrix.dimensions * self.at.dimension(known)

    def value(self, world: World) -> Any:
        entries = world.given(self.matrix.name, own=2)
        return (entries * world.vector(self.at)[..., None, :]).sum(axis=-1)


def trace(matrix: MatrixObject) -> Scalar:
    return measured(Trace(matrix))


def frobenius(matrix: MatrixObject) -> Scalar:
    """The root of the sum of the squared entries."""
    return measured(Frobenius(matrix))


@final
@dataclass(frozen=True, eq=False)
class OperatorNorm(Atom):
    matrix: MatrixObject
    non_negative = True

    @property
    def text(self) -> str:
        return f"||{self.matrix.name}||"

    @property
    def name(self) -> str:
        return f"norm_of_{self.matrix.name}"

    @property
    def latex(self) -> str:
        return rf"\left\|{self.matrix.name}\right\|"

    def dimension(self, known: Known) -> Dimension:
        return self.matrix.dimensions

    def value(self, world: World) -> Any:
        return world.given(f"norm_of_{self.matrix.name}")


@final
@dataclass(frozen=True, eq=False)
class Frobenius(Atom):
    matrix: MatrixObject
    non_negative = True

    @property
    def text(self) -> str:
        return f"||{self.matrix.name}||_F"

    @property
    def latex(self) -> str:
        return rf"\left\|{self.matrix.name}\right\|_{{F}}"

    def dimension(self, known: Known) -> Dimension:
        return self.matrix.dimensions

    def value(self, world: World) -> Any:
        entries = world.given(self.matrix.name, own=2)
        return np.sqrt((entries * entries).sum(axis=-1).sum(axis=-1))


@final
@dataclass(frozen=True, eq=False)
class Trace(Atom):
    matrix: MatrixObject

    @property
    def text(self) -> str:
        return f"tr({self.matrix.name})"

    @property
    def latex(self) -> str:
        return rf"\mathrm{{tr}}({self.matrix.name})"

    def dimension(self, known: Known) -> Dimension:
        return self.matrix.dimensions

    def value(self, world: World) -> Any:
        entries = world.given(self.matrix.name, own=2)
        return sum(entries[..., j, j] for j in range(entries.shape[-1]))
