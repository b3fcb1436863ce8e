"""Sums over a grid as matrix products.

Where every term of a sum is a product of what lies on the leading axes and what lies on the trailing ones,
the sum is the product of two thin matrices, with a row for every term: the grid is written once, not once for
every product and every addition. Of several places to cut, the one with the shortest sides is taken.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import final

import numpy as np

from bounds.arithmetic.array_plan import Array, Factors, Plan, Step, multiply, steps_towards

Sum = tuple[Factors, ...]  # of products on the leading axes, or on the trailing ones

# With fewer rows the columns are as long as a good part of the grid: making them is the work.
FEWEST_ROWS = 16


def sum_of_products(rows: Array, columns: Array, out: Array) -> Array:
    """One tile of the grid, from two matrices with a row for every term."""
    return np.matmul(rows.T, columns, out=out)


def multiply_matrices(plan: Plan, outputs: list[int]) -> None:
    """Compute every output that is such a sum in one step.

    Terms that fill the grid are multiplied out anew for their sum: reading them again would take longer.
    """
    for output in plan.sums.keys() & outputs:
        terms = _shortest_sides(plan, output)
        if terms:
            leading, trailing = zip(*terms, strict=True)
            operands = tuple(_add_up(plan, side, output) for side in (*leading, *trailing))
            step = Step(sum_of_products if len(terms) > 1 else np.multiply, operands, output)
            first = steps_towards(plan, operands)
            plan.steps = [*first, step, *(s for s in plan.steps if s.target != output and s not in first)]
    plan.steps = steps_towards(plan, outputs)


def _shortest_sides(plan: Plan, output: int) -> list[tuple[Sum, Sum]]:
    """The two sides of every term; none where a term cannot be cut."""
    shape = plan.shapes[output]
    ends = {axis: (prod(shape[:axis]), prod(shape[axis:])) for axis in range(1, len(shape))}
    axes = [axis for axis, (rows, columns) in ends.items() if rows >= FEWEST_ROWS and columns > 1]
    for axis in sorted(axes, key=lambda axis: sum(ends[axis])):
        terms = list(_Cut(plan, axis).terms(output))
        if None not in terms:
            return _gather(term for term in terms if term)
    return []


def _gather(terms: Iterator[tuple[Factors, Factors]]) -> list[tuple[Sum, Sum]]:
    """Terms with the same factor are added first."""
    by_trailing: dict[Factors, list[Factors]] = {}
    for leading, trailing in terms:
        by_trailing.setdefault(trailing, []).append(leading)
    by_leading: dict[Sum, list[Factors]] = {}
    for trailing, added in by_trailing.items():
        by_leading.setdefault(tuple(sorted(added)), []).append(trailing)
    return [(leading, tuple(trailing)) for leading, trailing in by_leading.items()]


def _add_up(plan: Plan, side: Sum, output: int) -> int:
    rank = len(plan.shapes[output])
    one = plan.number(1.0, rank)
    fractions = [(above or (one,), below) for above, below in side]
    products = [multiply(plan, [*above, *below], len(above), rank) for above, below in fractions]
    return plan.reduce(np.add, products)


@final
@dataclass(frozen=True, slots=True)
class _Cut:
    """Between the axes before `axis` and those from there on."""

    plan: Plan
    axis: int

    def terms(self, register: int) -> Iterator[tuple[Factors, Factors] | None]:
        """The factors of every term on the leading axes and on the trailing ones; None for what has both."""
        if register in self.plan.sums:
            for added in self.plan.sums[register]:
                yield from self.terms(added)
            return
        factors = sorted(self._factors(register, 1))
        leading = [factor for factor in factors if self._is_leading(factor[0])]
        trailing = [factor for factor in factors if factor not in leading and self._is_trailing(factor[0])]
        complete = len(leading) + len(trailing) == len(factors)
        yield (_fraction(leading), _fraction(trailing)) if complete else None

    def _factors(self, register: int, sign: int) -> Iterator[tuple[int, int]]:
        if register in self.plan.products:
            for side, factors in zip((sign, -sign), self.plan.products[register], strict=True):
                for factor in factors:
                    yield from self._factors(factor, side)
        else:
            yield register, sign

    def _is_leading(self, register: int) -> bool:
        return prod(self.plan.shapes[register][self.axis :]) == 1

    def _is_trailing(self, register: int) -> bool:
        return prod(self.plan.shapes[register][: self.axis]) == 1


def _fraction(factors: list[tuple[int, int]]) -> Factors:
    return tuple(i for i, sign in factors if sign > 0), tuple(i for i, sign in factors if sign < 0)
