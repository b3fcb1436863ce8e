"""Numbers that are measured on matrices: norms, traces, singular values, eigenvalues of symmetric ones."""

from dataclasses import dataclass
from typing import Any, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Atom, Known, Scalar, World, as_scalar, measured, named_after
from bounds.language.lemmas.matrices import Matrix, as_matrix, as_square, one_count
from bounds.language.lemmas.spectra import (
    descending,
    eigenvalues,
    singular_values,
)
from bounds.language.lemmas.spectra import (
    determinant as determinant_of,
)


def trace(of: Matrix) -> Scalar:
    return measured(Trace(as_square(of, "a trace")))


def determinant(of: Matrix) -> Scalar:
    return measured(Determinant(as_square(of, "a determinant")))


def nuclear(of: Matrix) -> Scalar:
    """The sum of the singular values."""
    return measured(Nuclear(as_matrix(of)))


def singular_value(of: Matrix, place: Any) -> Scalar:
    """The one at this place, from the largest on, which is at 1; a case without a place k is not counted."""
    return measured(InOrder(as_matrix(of), _place(place), "singular value"))


def eigenvalue(of: Matrix, place: Any) -> Scalar:
    """The one at this place, from the largest on, of a matrix whose form shows that it is symmetric."""
    return measured(InOrder(_symmetric(of), _place(place), "eigenvalue"))


def _place(given: Any) -> Scalar:
    place = as_scalar(given)
    if not (place.formula.is_integer and place.formula.is_positive):
        raise MalformedStatement(f"places are whole numbers from 1 on, the largest first, not {place.text}")
    return place


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
        if entries.shape[-2] < entries.shape[-1]:
            entries = np.swapaxes(entries, -1, -2)
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


@final
@dataclass(frozen=True, eq=False)
class Determinant(OfMatrix):
    @property
    def text(self) -> str:
        return f"det({self.matrix.text})"

    @property
    def latex(self) -> str:
        return rf"\det\left({self.matrix.latex}\right)"

    def dimension(self, known: Known) -> Dimension:
        """Entries to the power d, a dimension that no lemma names: those of a matrix of numbers alone."""
        unit = self.matrix.dimension(known)
        if unit != ONE:
            raise MalformedStatement(
                f"det({self.matrix.text}) has the unit {unit} to the power of its rows: divide the matrix by "
                "a number of its unit"
            )
        return unit

    def value(self, world: World) -> Any:
        return determinant_of(world.compute(self.matrix))


@final
@dataclass(frozen=True, eq=False)
class Nuclear(OfMatrix):
    non_negative = True

    @property
    def text(self) -> str:
        return f"||{self.matrix.text}||_nuclear"

    @property
    def latex(self) -> str:
        return rf"\left\|{self.matrix.latex}\right\|_{{*}}"

    def value(self, world: World) -> Any:
        return singular_values(world.compute(self.matrix)).sum(axis=-1)


@final
@dataclass(frozen=True, eq=False)
class InOrder(OfMatrix):
    """A singular value or an eigenvalue, from the largest on."""

    place: Scalar
    kind: str

    @property
    def non_negative(self) -> bool:  # type: ignore[override]  # the base stores it
        return self.kind == "singular value"

    @property
    def text(self) -> str:
        return f"{self.kind} {self.place.text} of {self.matrix.text}"

    @property
    def latex(self) -> str:
        letter = r"\sigma" if self.non_negative else r"\lambda"
        return rf"{letter}_{{{self.place.latex}}}\left({self.matrix.latex}\right)"

    def value(self, world: World) -> Any:
        entries, at = world.compute(self.matrix), one_count(world, self.place) - 1
        if self.non_negative:
            every = np.abs(singular_values(entries))  # a rounding of zero may be negative
        else:
            every = descending(eigenvalues(entries))
        return every[..., at] if at < every.shape[-1] else every[..., 0] * np.nan
