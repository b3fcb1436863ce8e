"""The Hessians of quadratic clients, stored as sparingly as their structure allows."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, final

import numpy as np

from synthetic.certified import enclosures, rationals
from synthetic.certified.enclosures import Ball, ball
from synthetic.certified.rationals import Matrix
from synthetic.engine.arithmetic import Array, as_numbers, is_exact, like, multiply, stacked_product


class Clients(Protocol):
    """Quadratic clients as a local pass sees them: curvature of n clients on R^d, centers (n, d), offsets
    (n,)."""

    @property
    def curvature(self) -> "Curvature": ...

    @property
    def centers(self) -> Array: ...

    @property
    def offsets(self) -> Array: ...

    @property
    def clients(self) -> int: ...

    @property
    def dimension(self) -> int: ...

    def __hash__(self) -> int: ...  # what was computed of them is kept by their identity


class Curvature(Protocol):
    """One symmetric positive semidefinite matrix per client."""

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        ...

    def times(self, offsets: Array) -> Array:
        """Matrix of client i times the rows offsets[i], (n, R, d)."""
        ...

    def times_point(self, client: int, offset: Array) -> Array:
        """Matrix of one client times one vector (d,) of numpy."""
        ...

    def of(self, chosen: slice) -> "Curvature": ...

    def matrices(self) -> Array:
        """(n, d, d)."""
        ...

    def exact_matrices(self) -> list[Matrix]: ...

    def mean_matrix(self) -> Array:
        """(d, d), in float64 with its rounding."""
        ...

    def mean_times(self) -> Callable[[Array], Array]:
        """The mean matrix times rows (R, d), prepared once."""
        ...

    def extreme_eigenvalues(self) -> tuple[Ball, Ball]:
        """The smallest and the largest of each client, (n,)."""
        ...

    def extreme_eigenvalues_of_mean(self) -> tuple[Ball, Ball]: ...

    def shared(self) -> bool:
        """Whether all clients certainly have the same matrix."""
        ...


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dense:
    """table (n, d, d), symmetric."""

    table: Array

    @property
    def shape(self) -> tuple[int, int]:
        return self.table.shape[0], self.table.shape[1]

    def times(self, offsets: Array) -> Array:
        return stacked_product(offsets, like(self.table, offsets))

    def times_point(self, client: int, offset: Array) -> Array:
        return multiply(self.table[client], offset[:, None])[:, 0]

    def of(self, chosen: slice) -> "Dense":
        return Dense(table=self.table[chosen])

    def matrices(self) -> Array:
        return self.table

    def exact_matrices(self) -> list[Matrix]:
        return [rationals.to_matrix(matrix) for matrix in self.table]

    def mean_matrix(self) -> Array:
        return self.table.mean(axis=0)

    def mean_times(self) -> Callable[[Array], Array]:
        mean = self.mean_matrix()
        return lambda rows: stacked_product(rows, like(mean, rows))

    def extreme_eigenvalues(self) -> tuple[Ball, Ball]:
        return enclosures.extreme_eigenvalues(ball(self.table))

    def extreme_eigenvalues_of_mean(self) -> tuple[Ball, Ball]:
        return enclosures.extreme_eigenvalues(enclosures.mean(ball(self.table)))

    def shared(self) -> bool:
        return bool((self.table == self.table[0]).all())


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Diagonal:
    """entries (n, d), not negative."""

    entries: Array

    @property
    def shape(self) -> tuple[int, int]:
        return self.entries.shape[0], self.entries.shape[1]

    def times(self, offsets: Array) -> Array:
        return offsets * like(self.entries, offsets)[:, None, :]

    def times_point(self, client: int, offset: Array) -> Array:
        return self.entries[client] * offset

    def of(self, chosen: slice) -> "Diagonal":
        return Diagonal(entries=self.entries[chosen])

    def matrices(self) -> Array:
        clients, dimension = self.shape
        empty = np.zeros((clients, dimension, dimension))
        table = as_numbers(empty, exact=is_exact(self.entries)).copy()
        table[:, range(dimension), range(dimension)] = self.entries
        table.flags.writeable = False
        return table

    def exact_matrices(self) -> list[Matrix]:
        return [rationals.to_matrix(matrix) for matrix in self.matrices()]

    def mean_matrix(self) -> Array:
        return np.diag(self.entries.mean(axis=0))

    def mean_times(self) -> Callable[[Array], Array]:
        mean = self.entries.mean(axis=0)
        return lambda rows: rows * like(mean, rows)

    def extreme_eigenvalues(self) -> tuple[Ball, Ball]:
        return ball(self.entries.min(axis=1)), ball(self.entries.max(axis=1))

    def extreme_eigenvalues_of_mean(self) -> tuple[Ball, Ball]:
        mean = enclosures.mean(ball(self.entries))
        return -enclosures.maximum(-mean), enclosures.maximum(mean)

    def shared(self) -> bool:
        return bool((self.entries == self.entries[0]).all())


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LowRank:
    """factors (n, d, k) and a shift: F_i F_i^T + shift * identity, semidefinite whatever the factors are."""

    factors: Array
    shift: Any

    @property
    def shape(self) -> tuple[int, int]:
        return self.factors.shape[0], self.factors.shape[1]

    def times(self, offsets: Array) -> Array:
        factors = like(self.factors, offsets)
        inner = stacked_product(offsets, factors)
        return stacked_product(inner, factors.swapaxes(-1, -2)) + self.shift * offsets

    def times_point(self, client: int, offset: Array) -> Array:
        factor = self.factors[client]
        return multiply(factor, multiply(factor.T, offset[:, None]))[:, 0] + self.shift * offset

    def of(self, chosen: slice) -> "LowRank":
        return LowRank(factors=self.factors[chosen], shift=self.shift)

    def matrices(self) -> Array:
        return self._shifted(self.factors @ self.factors.swapaxes(-1, -2))

    def exact_matrices(self) -> list[Matrix]:
        shift = Fraction(self.shift)
        factors = [rationals.to_matrix(factor) for factor in self.factors]
        return [rationals.shifted(rationals.gram(factor), 1, shift) for factor in factors]

    def mean_matrix(self) -> Array:
        beside = self._beside()
        return self._shifted(beside @ beside.T / self.shape[0])

    def mean_times(self) -> Callable[[Array], Array]:
        clients, dimension = self.shape
        if 2 * clients * self.factors.shape[2] >= dimension:
            mean = self.mean_matrix()
            return lambda rows: stacked_product(rows, like(mean, rows))
        # few factors in a high dimension, where a matrix would take more time and memory than they
        beside, back = self._beside(), np.ascontiguousarray(self._beside().T) / clients

        def times(rows: Array) -> Array:
            inner = stacked_product(rows, like(beside, rows))
            return stacked_product(inner, like(back, rows)) + self.shift * rows

        return times

    def extreme_eigenvalues(self) -> tuple[Ball, Ball]:
        """From F^T F, k by k, whose eigenvalues are those of F F^T up to zeros."""
        factors = ball(self.factors)
        smallest, largest = enclosures.extreme_eigenvalues(factors.swapaxes(-1, -2) @ factors)
        if self.factors.shape[2] < self.shape[1]:
            smallest = ball(np.zeros(self.shape[0]))
        return smallest + self.shift, largest + self.shift

    def extreme_eigenvalues_of_mean(self) -> tuple[Ball, Ball]:
        beside = ball(self._beside())
        smallest, largest = enclosures.extreme_eigenvalues(beside @ beside.swapaxes(0, 1) / self.shape[0])
        return smallest + self.shift, largest + self.shift

    def shared(self) -> bool:
        return bool((self.factors == self.factors[0]).all())

    def _beside(self) -> Array:
        """All factors side by side, (d, n k): the sum of the F_i F_i^T is one product."""
        return self.factors.swapaxes(0, 1).reshape(self.shape[1], -1)

    def _shifted(self, table: Array) -> Array:
        diagonal = range(self.shape[1])
        table[..., diagonal, diagonal] += self.shift
        table.flags.writeable = False
        return table
