"""Numbers that are measured on matrices: norms, traces, and eigenvalues of symmetric ones."""

from dataclasses import dataclass
from typing import Any, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Atom, Known, Scalar, World, measured, named_after
from bounds.language.lemmas.matrices import Matrix, as_matrix
from bounds.language.lemmas.spectra import eigenvalues


def trace(of: Matrix) -> Scalar:
    return measured(Trace(as_matrix(of)))


def frobenius(of: Matrix) -> Scalar:
    """The root of the sum of the squared entries."""
    return measured(Frobenius(as_matrix(of)))


def largest_eigenvalue(of: Matrix) -> Scalar:
    """The largest eigenvalue of a matrix whose form shows that it is symmetric."""
    return measured(Eigenvalue(_symmetric(of), "largest"))


def smallest_eigenvalue(of: Matrix) -> Scalar:
    return measured(Eigenvalue(_symmetric(of), "smallest"))


def _symmetric(given: Matrix) -> Matrix:
    if not as_matrix(given).symmetric:
        raise MalformedStatement(
            f"eigenvalues are those of a symmetric matrix, and {given.text} need not be one: say "
            f"symmetric=True, or write a form such as A + A.T, A.T @ A or A.T @ S @ A with a symmetric S"
        )
    return given


@dataclass(frozen=True, eq=False)
class OfMatrix(Atom):
    matrix: Matrix

    def dimension(self, known: Known) -> Dimension:
        return self.matrix.dimension(known)


@final
@dataclass(frozen=True, eq=False)
class OperatorNorm(OfMatrix):
    non_negative = True

    @property
    def text(self) -> str:
        return f"||{self.matrix.text}||"

    @property
    def name(self) -> str:
        return named_after(f"norm of {self.matrix.text}")

    @property
    def latex(self) -> str:
        return rf"\left\|{self.matrix.latex}\right\|"

    def value(self, world: World) -> Any:
        entries = world.compute(self.matrix)
        squares = eigenvalues(np.matmul(np.swapaxes(entries, -1, -2), entries)).max(axis=-1)
        return np.sqrt(np.maximum(squares, 0 * squares) * world.one)


@final
@dataclass(frozen=True, eq=False)
class Eigenvalue(OfMatrix):
    which: str

    @property
    def text(self) -> str:
        return f"{self.which} eigenvalue of {self.matrix.text}"

    @property
    def latex(self) -> str:
        which = r"\max" if self.which == "largest" else r"\min"
        return rf"\lambda_{{{which}}}\left({self.matrix.latex}\right)"

    def value(self, world: World) -> Any:
        every = eigenvalues(world.compute(self.matrix))
        return every.max(axis=-1) if self.which == "largest" else every.min(axis=-1)


@final
@dataclass(frozen=True, eq=False)
class Frobenius(OfMatrix):
    non_negative = True

    @property
    def text(self) -> str:
        return f"||{self.matrix.text}||_F"

    @property
    def latex(self) -> str:
        return rf"\left\|{self.matrix.latex}\right\|_{{F}}"

    def value(self, world: World) -> Any:
        entries = world.compute(self.matrix)
        return np.sqrt((entries * entries).sum(axis=-1).sum(axis=-1))


@final
@dataclass(frozen=True, eq=False)
class Trace(OfMatrix):
    @property
    def text(self) -> str:
        return f"tr({self.matrix.text})"

    @property
    def latex(self) -> str:
        return rf"\mathrm{{tr}}({self.matrix.latex})"

    def value(self, world: World) -> Any:
        entries = world.compute(self.matrix)
        return sum(entries[..., j, j] for j in range(entries.shape[-1]))
