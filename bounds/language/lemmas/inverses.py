"""Inverses of square matrices, and pseudo-inverses of all that have full rank."""

from dataclasses import dataclass
from typing import Any, final

from bounds.language.dimension import ONE, Dimension
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Known, World
from bounds.language.lemmas.linear import Sizes
from bounds.language.lemmas.matrices import Matrix, as_matrix, as_square
from bounds.language.lemmas.spectra import inverted


def inverse(of: Any) -> Matrix:
    """The inverse; a case whose matrix has none, up to roundings, is not counted."""
    return Inverse(as_square(of, "an inverse"))


def pseudo_inverse(of: Any) -> Matrix:
    """The pseudo-inverse of Moore and Penrose; a case in which not all singular values are above zero, up to
    roundings, is not counted.
    """
    return PseudoInverse(as_matrix(of))


@dataclass(frozen=True, eq=False)
class OfInverse(Matrix):
    matrix: Matrix

    @property
    def sizes(self) -> Sizes:
        return self.matrix.sizes[::-1]

    def dimension(self, known: Known) -> Dimension:
        return ONE / self.matrix.dimension(known)


@final
@dataclass(frozen=True, eq=False)
class Inverse(OfInverse):
    @property
    def text(self) -> str:
        return f"inverse({self.matrix.text})"

    @property
    def latex(self) -> str:
        return rf"\left({self.matrix.latex}\right)^{{-1}}"

    @property
    def key(self) -> str:
        return f"inverse({self.matrix.key})"

    @property
    def T(self) -> Matrix:
        return Inverse(self.matrix.T)

    def value(self, world: World) -> Any:
        return inverted(world.compute(self.matrix))


@final
@dataclass(frozen=True, eq=False)
class PseudoInverse(OfInverse):
    @property
    def text(self) -> str:
        return f"pseudo_inverse({self.matrix.text})"

    @property
    def latex(self) -> str:
        return rf"\left({self.matrix.latex}\right)^{{+}}"

    @property
    def key(self) -> str:
        return f"pseudo_inverse({self.matrix.key})"

    @property
    def T(self) -> Matrix:
        return PseudoInverse(self.matrix.T)

    def value(self, world: World) -> Any:
        """inverse(A^T A) A^T where A is as high as wide or higher, else A^T inverse(A A^T)."""
        entries = world.compute(self.matrix)
        turned = np.swapaxes(entries, -1, -2)
        if entries.shape[-2] >= entries.shape[-1]:
            return np.matmul(inverted(np.matmul(turned, entries)), turned)
        return np.matmul(turned, inverted(np.matmul(entries, turned)))
