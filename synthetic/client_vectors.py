"""One vector for each client and replicate, and what the rounds of the listings ask of it.

Either a table (n, R, d), or coefficients in each client's own span: the updates of client i on
f_i(x) = 1/2 (x - c_i)^T Q_i (x - c_i) all lie in the range of Q_i, whose dimension k may be far below d.
Lengths and multiples then need the coefficients alone, and the sum over the clients is one product.
"""

from dataclasses import dataclass, replace
from typing import TypeVar, final

from synthetic.arithmetic import Array, like, namespace, norm, stacked_product


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InSpans:
    """coefficients (R, n, k) along the orthonormal rows of bases (n k, d), the clients one after the other.

    Rows are replicates: the vectors of all clients at a point are one row of a product.
    """

    coefficients: Array
    bases: Array
    __array_ufunc__ = None  # a table on the left of an operator leaves the work to us

    def __add__(self, other: "ClientVectors") -> "ClientVectors":
        if isinstance(other, InSpans) and other.bases is self.bases:
            return replace(self, coefficients=self.coefficients + other.coefficients)
        return self.table() + table(other)

    def __sub__(self, other: "ClientVectors") -> "ClientVectors":
        if isinstance(other, InSpans) and other.bases is self.bases:
            return replace(self, coefficients=self.coefficients - other.coefficients)
        return self.table() - table(other)

    def __radd__(self, other: Array) -> Array:
        return other + self.table()

    def __rsub__(self, other: Array) -> Array:
        return other - self.table()

    def __mul__(self, number: float) -> "InSpans":
        return replace(self, coefficients=self.coefficients * number)

    __rmul__ = __mul__

    def table(self) -> Array:
        """(n, R, d)."""
        _, clients, width = self.coefficients.shape
        bases = like(self.bases, self.coefficients).reshape(clients, width, -1)
        return stacked_product(self.coefficients.swapaxes(0, 1), bases)

    def beside(self, coefficients: Array) -> Array:
        """Sums over the clients, (R, d), of vectors with these coefficients."""
        return stacked_product(coefficients.reshape(len(coefficients), -1), like(self.bases, coefficients))


ClientVectors = Array | InSpans
Vectors = TypeVar("Vectors", bound=ClientVectors)


def table(vectors: ClientVectors) -> Array:
    """(n, R, d)."""
    return vectors.table() if isinstance(vectors, InSpans) else vectors


def zeros_like(vectors: ClientVectors) -> ClientVectors:
    if isinstance(vectors, InSpans):
        return replace(vectors, coefficients=namespace(vectors.coefficients).zeros_like(vectors.coefficients))
    zeros: Array = namespace(vectors).zeros_like(vectors)
    return zeros


def lengths(vectors: ClientVectors) -> Array:
    """(n, R)."""
    return norm(vectors.coefficients).T if isinstance(vectors, InSpans) else norm(vectors)


def multiples(vectors: Vectors, factors: Array) -> Vectors:
    """Each vector times its own factor, (n, R); of plain rows (R, d) too."""
    if isinstance(vectors, InSpans):
        return replace(vectors, coefficients=vectors.coefficients * factors.T[..., None])
    return vectors * factors[..., None]  # type: ignore[return-value]  # a table gives a table


def sum_of_taking(taking: Array | None, vectors: ClientVectors) -> Array:
    """The sum (R, d) over the clients that take part, taking (R, n); None where everyone does."""
    if isinstance(vectors, InSpans):
        held = vectors.coefficients
        return vectors.beside(held if taking is None else _where(taking[..., None], held))
    total: Array = (vectors if taking is None else _where(taking.T[..., None], vectors)).sum(axis=0)
    return total


def _where(taking: Array, values: Array) -> Array:
    # not a product: what a client that stays away would have sent may not even be a number
    kept: Array = namespace(values).where(taking, values, 0.0)
    return kept
