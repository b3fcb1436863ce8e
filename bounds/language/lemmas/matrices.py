"""Matrices: those that are drawn, and sums, products, powers and transposes of them."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

from bounds.errors import MalformedStatement
from bounds.language.dimension import ONE, Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Known, Scalar, World, as_scalar, optional_scalar
from bounds.language.lemmas.indices import Index, about, axes_of_indices
from bounds.language.lemmas.linear import (
    Linear,
    Sizes,
    Sum,
    Vector,
    as_vector,
    check_sizes,
    optional_size,
    shape_of,
)


class Matrix(Linear):
    """A matrix: `value` has two axes, of its rows and columns."""

    own = 2
    noun = "matrix"

    @property
    def T(self) -> "Matrix":
        """The transpose: rows become columns."""
        raise NotImplementedError

    @property
    def key(self) -> str:
        """Equal for what is equal up to the order of sums; the text of the others."""
        return self.text

    @property
    def symmetric(self) -> bool:
        """Whether its form shows that it is, as that of A + A.T or A @ A.T does."""
        return self.key == self.T.key

    def __matmul__(self, other: Any) -> Any:
        on = other if isinstance(other, Matrix) else as_vector(other)
        check_sizes(self, on, self.sizes[1] == on.sizes[0])
        return Product(self, on) if isinstance(on, Matrix) else Image(self, on)

    def __pow__(self, exponent: Any) -> "Matrix":
        power = as_scalar(exponent)
        as_square(self, "a power")
        if not (power.formula.is_integer and power.formula.is_nonnegative):
            raise MalformedStatement(
                f"{self.text} has powers with a whole number that is not negative, not {power.text}; "
                f"write inverse({self.text})"
            )
        return Power(self, power)


def as_matrix(given: Any) -> Matrix:
    if not isinstance(given, Matrix):
        raise MalformedStatement(f"{getattr(given, 'text', given)} is no matrix")
    return given


def as_square(given: Any, what: str) -> Matrix:
    """A matrix that has what a square one has alone."""
    rows, columns = as_matrix(given).sizes
    if rows != columns:
        raise MalformedStatement(f"{given.text} is {shape_of(given)}, and {what} is that of a square matrix")
    return as_matrix(given)


@final
@dataclass(frozen=True, eq=False)
class MatrixObject(Matrix):
    """A matrix that is drawn; its eigenvalues, or singular values, lie between `smallest` and `largest`."""

    is_object: ClassVar[bool] = True
    name: str
    is_symmetric: bool
    semidefinite: bool
    smallest: Scalar | None
    largest: Scalar | None
    dimensions: Dimension
    over: Index | None = None
    rows: Scalar | None = None
    columns: Scalar | None = None

    @property
    def sizes(self) -> Sizes:
        return tuple(None if size is None else size.text for size in (self.rows, self.columns))

    @property
    def text(self) -> str:
        return about(self.name, self.over)

    @property
    def latex(self) -> str:
        return self.name if self.over is None else f"{self.name}_{{{self.over.name}}}"

    @property
    def T(self) -> Matrix:
        return self if self.is_symmetric else Transpose(self)

    def dimension(self, known: Known) -> Dimension:
        return self.dimensions

    def value(self, world: World) -> Any:
        return world.given(self.name, *axes_of_indices(self.over), own=2)


def matrix(
    name: str,
    *,
    over: Index | None = None,
    symmetric: bool = False,
    semidefinite: bool = False,
    smallest: Any = None,
    largest: Any = None,
    rows: Any = None,
    columns: Any = None,
    dimension: Dimension = ONE,
) -> MatrixObject:
    """A matrix, or one for each entry of `over`; a semidefinite one is symmetric.

    `largest` bounds its operator norm. It has so many `rows` and `columns`, whole numbers of the lemma, or is
    a square one on the space of the vectors that name no size.
    """
    height, width = optional_size(name, rows), optional_size(name, columns)
    if (height is None) != (width is None):
        raise MalformedStatement(f"{name} has rows and columns: say both, rows=m and columns=n")
    declared = MatrixObject(
        name,
        symmetric or semidefinite,
        semidefinite,
        optional_scalar(smallest),
        optional_scalar(largest),
        dimension,
        over,
        height,
        width,
    )
    if declared.is_symmetric:
        as_square(declared, "symmetry")
    elif smallest is not None:
        raise MalformedStatement(f"{name} has a smallest eigenvalue: say symmetric=True or semidefinite=True")
    return declared


def identity(of: Any) -> Matrix:
    """The identity matrix, as large as a matrix or a vector."""
    if not isinstance(of, Linear):
        raise MalformedStatement(
            f"identity takes a matrix or a vector, and {getattr(of, 'text', of)} is neither"
        )
    return Identity(as_square(of, "the identity") if isinstance(of, Matrix) else of)


def outer(u: Any, v: Any) -> Matrix:
    """The matrix u v^T of two vectors."""
    return Outer(as_vector(u), as_vector(v))


@final
@dataclass(frozen=True, eq=False)
class MatrixSum(Sum, Matrix):
    parts: tuple[tuple[Scalar, Matrix], ...]

    @property
    def T(self) -> Matrix:
        return MatrixSum(tuple((factor, part.T) for factor, part in self.parts))

    @property
    def key(self) -> str:
        return " + ".join(sorted(f"({factor.text}) {part.key}" for factor, part in self.parts))


Matrix.summed = MatrixSum


def grouped(matrix: Matrix, shown: str, brackets: str = "({})") -> str:
    return brackets.format(shown) if isinstance(matrix, MatrixSum) else shown


@final
@dataclass(frozen=True, eq=False)
class Transpose(Matrix):
    matrix: MatrixObject

    @property
    def sizes(self) -> Sizes:
        return self.matrix.sizes[::-1]

    @property
    def text(self) -> str:
        return f"{self.matrix.text}^T"

    @property
    def latex(self) -> str:
        return rf"{self.matrix.latex}^\top"

    @property
    def T(self) -> Matrix:
        return self.matrix

    def dimension(self, known: Known) -> Dimension:
        return self.matrix.dimension(known)

    def value(self, world: World) -> Any:
        return np.swapaxes(world.compute(self.matrix), -1, -2)


@final
@dataclass(frozen=True, eq=False)
class Product(Matrix):
    left: Matrix
    right: Matrix

    @property
    def sizes(self) -> Sizes:
        return (self.left.sizes[0], self.right.sizes[1])

    @property
    def text(self) -> str:
        return f"{grouped(self.left, self.left.text)} {grouped(self.right, self.right.text)}"

    @property
    def latex(self) -> str:
        left, right = (grouped(m, m.latex, r"\left({}\right)") for m in (self.left, self.right))
        return f"{left} {right}"

    @property
    def key(self) -> str:
        return f"{grouped(self.left, self.left.key)} {grouped(self.right, self.right.key)}"

    @property
    def T(self) -> Matrix:
        return Product(self.right.T, self.left.T)

    def dimension(self, known: Known) -> Dimension:
        return self.left.dimension(known) * self.right.dimension(known)

    def value(self, world: World) -> Any:
        return np.matmul(world.compute(self.left), world.compute(self.right))


@final
@dataclass(frozen=True, eq=False)
class Power(Matrix):
    base: Matrix
    exponent: Scalar

    @property
    def sizes(self) -> Sizes:
        return self.base.sizes

    @property
    def text(self) -> str:
        return f"({self.base.text})^{self.exponent.text}"

    @property
    def latex(self) -> str:
        return rf"\left({self.base.latex}\right)^{{{self.exponent.latex}}}"

    @property
    def key(self) -> str:
        return f"({self.base.key})^{self.exponent.text}"

    @property
    def T(self) -> Matrix:
        return Power(self.base.T, self.exponent)

    def dimension(self, known: Known) -> Dimension:
        unit = self.base.dimension(known)
        return unit**self.exponent.formula if unit != ONE else ONE

    def value(self, world: World) -> Any:
        """Square again and again, so that a large power has few roundings; all cases have one exponent."""
        squared, product = world.compute(self.base), None
        count = one_count(world, self.exponent)
        while count > 0:
            if count % 2:
                product = squared if product is None else np.matmul(product, squared)
            count //= 2
            squared = np.matmul(squared, squared) if count else squared
        return unit_like(world, squared) if product is None else product


def one_count(world: World, number: Scalar) -> int:
    """A whole number that is the same in all cases that are given at once."""
    counts = {int(count) for count in world.number(number).reshape(-1)}
    if len(counts) > 1:
        raise MalformedStatement(f"{number.text} is one number for all cases that are given at once")
    return counts.pop()


@final
@dataclass(frozen=True, eq=False)
class Identity(Matrix):
    of: Linear

    @property
    def sizes(self) -> Sizes:
        return (self.of.sizes[0], self.of.sizes[0])

    @property
    def text(self) -> str:
        return "I"

    @property
    def latex(self) -> str:
        return "I"

    @property
    def T(self) -> Matrix:
        return self

    def dimension(self, known: Known) -> Dimension:
        return ONE

    def value(self, world: World) -> Any:
        return unit_like(world, world.compute(self.of))


def unit_like(world: World, value: Any) -> Any:
    return np.eye(value.shape[-1], dtype=int)[(None,) * (1 + len(world.axes))] * world.one


@final
@dataclass(frozen=True, eq=False)
class Outer(Matrix):
    u: Vector
    v: Vector

    @property
    def sizes(self) -> Sizes:
        return (*self.u.sizes, *self.v.sizes)

    @property
    def text(self) -> str:
        return f"[{self.u.text}][{self.v.text}]^T"

    @property
    def latex(self) -> str:
        return rf"\left({self.u.latex}\right)\left({self.v.latex}\right)^\top"

    @property
    def T(self) -> Matrix:
        return Outer(self.v, self.u)

    def dimension(self, known: Known) -> Dimension:
        return self.u.dimension(known) * self.v.dimension(known)

    def value(self, world: World) -> Any:
        return world.compute(self.u)[..., :, None] * world.compute(self.v)[..., None, :]


@final
@dataclass(frozen=True, eq=False)
class Image(Vector):
    matrix: Matrix
    at: Vector

    @property
    def sizes(self) -> Sizes:
        return (self.matrix.sizes[0],)

    @property
    def text(self) -> str:
        return f"{grouped(self.matrix, self.matrix.text)} ({self.at.text})"

    @property
    def latex(self) -> str:
        matrix = grouped(self.matrix, self.matrix.latex, r"\left({}\right)")
        return rf"{matrix}\left({self.at.latex}\right)"

    def dimension(self, known: Known) -> Dimension:
        return self.matrix.dimension(known) * self.at.dimension(known)

    def value(self, world: World) -> Any:
        return (world.compute(self.matrix) * world.compute(self.at)[..., None, :]).sum(axis=-1)
