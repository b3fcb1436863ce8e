"""Upper bounds on a worst case, and the reader that checks them.

A program asks for the largest value of a linear form in positive semidefinite matrices G_b (Gram matrices)
and in free numbers v, under linear constraints:

    maximize  O(G, v)   subject to   A_j(G, v) >= 0, or = 0, for every j,   G_b positive semidefinite.

Its certificate is one rational multiplier y_j for each constraint, >= 0 unless that is an equation. If
O + sum_j y_j A_j has no free number left, and its part in every G_b is -<S_b, G_b> with S_b positive
semidefinite, then

    O = constant - sum_b <S_b, G_b> - sum_j y_j A_j <= constant

wherever the constraints hold. The constant is the certified upper bound.

Rational arithmetic and the standard library only. A reader who doubts a bound needs this file, the two that
it imports and the one that wrote the constraints (`federated_averaging.py` or `spectral.py`), and no solver.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from verify.worst_case.matrix_polynomial import is_semidefinite_on_interval
from verify.worst_case.square_below import is_semidefinite

Entry = tuple[int, int, int]  # block, row, column, with row <= column


class NotACertificate(ValueError):
    """Multipliers that prove no bound; the sentence says why."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A constant, a linear form of free numbers, and one of matrix entries.

    `entries[b, i, j]` multiplies the entry (i, j) of G_b once: off the diagonal it is twice the coefficient
    of the symmetric matrix.
    """

    name: str
    constant: Fraction
    values: Mapping[int, Fraction]
    entries: Mapping[Entry, Fraction]
    is_equation: bool = False  # as a constraint: it is 0, not only >= 0


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Maximize `objective` where the constraints hold and every block is positive semidefinite.

    With `on_interval` the blocks are the integrals of the Bernstein polynomials of [0, 1] over one measure,
    whose values are positive semidefinite matrices; slack matrices are then coefficients of one polynomial.
    """

    blocks: tuple[int, ...]
    values: int
    objective: Form
    constraints: tuple[Form, ...]
    on_interval: bool = False


def certified_bound(program: Program, multipliers: Mapping[int, Fraction]) -> Fraction:
    """The upper bound that the multipliers prove; raises NotACertificate if they prove none."""
    for index, multiplier in multipliers.items():
        if not 0 <= index < len(program.constraints):
            raise NotACertificate(f"there is no constraint {index}")
        signed = program.constraints[index].is_equation
        if type(multiplier) is not Fraction or (multiplier < 0 and not signed):
            raise NotACertificate(f"the multiplier of {program.constraints[index].name} is not >= 0")
    total = combined(program, multipliers)
    left = [number for number, coefficient in total.values.items() if coefficient]
    if left:
        raise NotACertificate(f"the combination does not cancel the free number {left[0]}")
    slacks = [slack(total, block, size) for block, size in enumerate(program.blocks)]
    if program.on_interval:
        if not is_semidefinite_on_interval(slacks):
            raise NotACertificate("the slack polynomial is not positive semidefinite on the interval")
        return total.constant
    for block, matrix in enumerate(slacks):
        if not is_semidefinite(matrix):
            raise NotACertificate(f"the slack matrix {block} is not positive semidefinite")
    return total.constant


def combined(program: Program, multipliers: Mapping[int, Fraction]) -> Form:
    """The objective plus every constraint times its multiplier."""
    constant = program.objective.constant
    values, entries = dict(program.objective.values), dict(program.objective.entries)
    for index, multiplier in multipliers.items():
        form = program.constraints[index]
        constant += multiplier * form.constant
        for number, coefficient in form.values.items():
            values[number] = values.get(number, Fraction(0)) + multiplier * coefficient
        for entry, coefficient in form.entries.items():
            entries[entry] = entries.get(entry, Fraction(0)) + multiplier * coefficient
    return Form(name="combination", constant=constant, values=values, entries=entries)


def slack(total: Form, block: int, size: int) -> list[list[Fraction]]:
    """The symmetric matrix S_b whose negative is the part of the form in G_b."""
    matrix = [[Fraction(0)] * size for _ in range(size)]
    for (b, row, column), coefficient in total.entries.items():
        if b == block:
            matrix[row][column] -= coefficient / 2
            matrix[column][row] -= coefficient / 2
    return matrix


def attained_value(
    program: Program, coordinates: Sequence[Sequence[Sequence[Fraction]]], values: Sequence[Fraction]
) -> Fraction:
    """The objective at vectors with these rational coordinates; raises NotACertificate if a constraint fails.

    `coordinates[b][i]` is basis vector i of block b, so that the Gram matrices are semidefinite by
    construction.
    """
    if len(values) != program.values or [len(rows) for rows in coordinates] != [*program.blocks]:
        raise NotACertificate("the instance has another number of vectors or of values than the program")
    if any(len({len(row) for row in rows}) > 1 for rows in coordinates):
        raise NotACertificate("the vectors of a block must have one dimension")
    products: dict[Entry, Fraction] = {}
    for form in program.constraints:
        value = evaluated(form, coordinates, values, products)
        if value < 0 or (form.is_equation and value):
            raise NotACertificate(f"the instance violates: {form.name}")
    return evaluated(program.objective, coordinates, values, products)


def evaluated(
    form: Form,
    coordinates: Sequence[Sequence[Sequence[Fraction]]],
    values: Sequence[Fraction],
    products: dict[Entry, Fraction],
) -> Fraction:
    """The form at these vectors and numbers; `products` keeps the inner products that were needed so far."""
    total = form.constant + sum((a * values[number] for number, a in form.values.items()), Fraction(0))
    for entry, coefficient in form.entries.items():
        if entry not in products:
            block, i, j = entry
            rows = coordinates[block]
            products[entry] = sum((a * b for a, b in zip(rows[i], rows[j], strict=True)), Fraction(0))
        total += coefficient * products[entry]
    return total
