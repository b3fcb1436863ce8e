"""One vector for each client and replicate, and what the rounds of the listings ask of it.

Either a table (n, R, d), or coefficients in each client's own span: the updates of client i on
f_i(x) = 1/2 (x - c_i)^T Q_i (x - c_i) all lie in the range of Q_i, whose dimension k may be far below d.
Lengths and multiples then need the coefficients alone, and the sum over the clients is one product.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar, final

import numpy as np

from synthetic.engine import accelerated
from synthetic.engine.arithmetic import Array, like, namespace, norm, stacked_product, sum_over_clients


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InSpans:
    """coefficients (R, n, k) along the orthonormal rows of bases (n k, d), the clients one after the other.

    Rows are replicates: the vectors of all clients at a point are one row of a product. squares (R, n): the
    squared lengths, where the pass that made the coefficients was compiled and took them along. turned
    (k n, d): the rows of bases with the clients last, where the memory of the coefficients has them so.
    """

    coefficients: Array
    bases: Array
    squares: Array | None = None
    turned: Array | None = None
    __array_ufunc__ = None  # a table on the left of an operator leaves the work to us

    def __add__(self, other: "ClientVectors") -> "ClientVectors":
        if isinstance(other, InSpans) and other.bases is self.bases:
            return self._with(self.coefficients + other.coefficients)
        return self.table() + table(other)

    def __sub__(self, other: "ClientVectors") -> "ClientVectors":
        if isinstance(other, InSpans) and other.bases is self.bases:
            return self._with(self.coefficients - other.coefficients)
        return self.table() - table(other)

    def __radd__(self, other: Array) -> Array:
        return other + self.table()

    def __rsub__(self, other: Array) -> Array:
        return other - self.table()

    def __mul__(self, number: float) -> "InSpans":
        return self._with(self.coefficients * number)

    __rmul__ = __mul__

    def _with(self, coefficients: Array) -> "InSpans":
        return replace(self, coefficients=coefficients, squares=None)

    def table(self) -> Array:
        """(n, R, d)."""
        _, clients, width = self.coefficients.shape
        bases = like(self.bases, self.coefficients).reshape(clients, width, -1)
        return stacked_product(self.coefficients.swapaxes(0, 1), bases)

    def beside(self, coefficients: Array) -> Array:
        """Sums over the clients, (R, d), of vectors with these coefficients."""
        count = len(coefficients)
        if self.turned is not None:
            rows = coefficients.swapaxes(1, 2).reshape(count, -1)
            return stacked_product(rows, like(self.turned, coefficients))
        return stacked_product(coefficients.reshape(count, -1), like(self.bases, coefficients))


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InPanels:
    """Vectors of which only the sum is wanted: made for one panel of clients after the other, none kept.

    So what is done to a panel finds it in the caches of one core. of: makes the vectors of a panel, which
    whoever asked may overwrite. value: the mean of the clients' functions where the vectors were made, (R,),
    known once all panels are made; None where it would be another computation.
    """

    panels: tuple[slice, ...]
    of: Callable[[int], InSpans]
    value: Callable[[], Array] | None = None


ClientVectors = Array | InSpans
Summands = ClientVectors | InPanels
# The factors (n, R) of vectors of lengths (n, R); None where every vector stays as it is.
Rule = Callable[[Array], Array | None]
ONE_IN = 32  # a selected vector costs many times as much as one of a whole pass
Vectors = TypeVar("Vectors", bound=ClientVectors)
Rescaled = TypeVar("Rescaled", bound=Summands)


def table(vectors: ClientVectors) -> Array:
    """(n, R, d)."""
    return vectors.table() if isinstance(vectors, InSpans) else vectors


def zeros_like(vectors: ClientVectors) -> ClientVectors:
    if isinstance(vectors, InSpans):
        held = vectors.coefficients
        return replace(vectors, coefficients=namespace(held).zeros_like(held), squares=None)
    return namespace(vectors).zeros_like(vectors)


def lengths(vectors: ClientVectors) -> Array:
    """(n, R)."""
    if not isinstance(vectors, InSpans):
        return norm(vectors)
    return (norm(vectors.coefficients) if vectors.squares is None else np.sqrt(vectors.squares)).T


def multiples(vectors: Vectors, factors: Array) -> Vectors:
    """Each vector times its own factor, (n, R); of plain rows (R, d) too."""
    if isinstance(vectors, InSpans):
        held, each = vectors.coefficients, factors.T
        sized = held * each[..., None] if vectors.squares is None else accelerated.scaled(held, each)
        return replace(vectors, coefficients=sized, squares=None)
    return vectors * factors[..., None]  # type: ignore[return-value]  # a table gives a table


def rescaled(vectors: Rescaled, rule: Rule) -> Rescaled:
    """Each vector times a factor that depends on its length."""
    if isinstance(vectors, InPanels):
        return replace(vectors, of=lambda panel: _overwritten(vectors.of(panel), rule))
    factors = rule(lengths(vectors))
    return vectors if factors is None else multiples(vectors, factors)


def _overwritten(vectors: InSpans, rule: Rule) -> InSpans:
    held, factors = vectors.coefficients, rule(lengths(vectors))
    if factors is None:
        return vectors
    factors = factors.T
    if namespace(held) is np and _mostly_one(factors):
        other = factors != 1
        held[other] *= factors[other][:, None]
    elif vectors.squares is None:
        held *= factors[..., None]
    else:
        accelerated.scaled(held, factors, out=held)
    return replace(vectors, coefficients=held, squares=None)


def _mostly_one(factors: Array) -> bool:
    """Whether most vectors stay as they are, as where a threshold clips few of them."""
    return bool(ONE_IN * np.count_nonzero(factors != 1) < factors.size)


def sum_of_taking(taking: Array | None, vectors: Summands) -> Array:
    """The sum (R, d) over the clients that take part, taking (R, n); None where everyone does."""
    if isinstance(vectors, InPanels):
        parts = (
            sum_of_taking(None if taking is None else taking[:, clients], vectors.of(panel))
            for panel, clients in enumerate(vectors.panels)
        )
        summed = next(parts)
        for part in parts:
            summed += part
        return summed
    if isinstance(vectors, InSpans):
        held = vectors.coefficients
        return vectors.beside(held if taking is None else _where(taking[..., None], held))
    return sum_over_clients(vectors if taking is None else _where(taking.T[..., None], vectors))


def _where(taking: Array, values: Array) -> Array:
    # not a product: what a client that stays away would have sent may not even be a number
    return namespace(values).where(taking, values, 0.0)
